package write_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/write"
	"absolink/extract"
)

// The redirects are in the order of the old addresses. An index file was also at its directory.
func TestRedirects(t *testing.T) {
	const moved = "root=s=http://old.test/ --redirects r -o out s "
	tests := []struct {
		name  string
		files []string
		line  string
		want  string
		said  []string
	}{
		{"pages", []string{"s/b.html: <p>", "s/a.html: <p>"}, "--map http://old.test/=http://new.test/",
			"old,new\nhttp://old.test/a.html,http://new.test/a.html\nhttp://old.test/b.html,http://new.test/b.html\n",
			[]string{"!--redirects"}},
		{"an index", []string{"s/d/index.html: <p>"}, "-v --map http://old.test/=http://new.test/",
			"old,new\nhttp://old.test/d/,http://new.test/d/\n" +
				"http://old.test/d/index.html,http://new.test/d/index.html\n", []string{"--redirects: 2 addresses"}},
		{"a document that stays", []string{"s/a.html: <p>", "s/b.html: <p>"},
			"--map http://old.test/a.html=http://new.test/a.html",
			"old,new\nhttp://old.test/a.html,http://new.test/a.html\n",
			nil},
		{"nothing", []string{"s/a.html: <p>"}, "--map http://a.test/=http://new.test/", "old,new\n",
			[]string{"--redirects: no rule moves the address of a document"}},
		{"what the server cannot hold", []string{"s/:a.html: <p>", "s/b.html: <p>"},
			"-v --map http://old.test/=http://new.test/ --redirects-format netlify",
			"/b.html http://new.test/b.html 301!\n",
			[]string{"--redirects: left out, since netlify cannot hold it: http://old.test/:a.html",
				"--redirects: 1 address\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lay(t, tt.files...)
			got, err := rewrite(t, moved+tt.line)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := os.ReadFile("r"); err != nil || string(text) != tt.want {
				t.Errorf("the redirects are\n%s\nwant\n%s", text, tt.want)
			}
			wantSaid(t, got.err, tt.said)
		})
	}
}

// A mirror holds the page /blog/ also as blog.html. The links of both lead to the same files.
func TestTwins(t *testing.T) {
	const page = "<a href=a.html><a href=b.html><a href=../x.html>"
	lay(t, "s/blog/index.html: "+page, "s/blog.html: "+page, "s/blog/a.html: <p>", "s/blog/b.html: <p>",
		"s/x.html: <p>", "s/a.html: <p>", "s/other.html: "+page, "s/z/z.html: "+page)
	if _, err := rewrite(t, "root=s=http://old.test/ --to disk -o out s"); err != nil {
		t.Fatal(err)
	}
	want := []string{"a.html: <p>", "blog/a.html: <p>", "blog/b.html: <p>", "blog/index.html: " + page,
		"blog.html: <a href=blog/a.html><a href=blog/b.html><a href=x.html>",
		"other.html: <a href=a.html><a href=http://old.test/b.html><a href=x.html>", "x.html: <p>",
		"z/z.html: <a href=http://old.test/z/a.html><a href=http://old.test/z/b.html><a href=../x.html>"}
	if got := tree(t, "out"); !slices.Equal(got, want) {
		t.Errorf("the outputs are\n%q\nwant\n%q", got, want)
	}
	// the page alone has as many references that lead to files as its twin
	lay(t, "s/blog/index.html: <a href=../a.html>", "s/blog.html: <a href=../a.html>", "s/a.html: <p>")
	if _, err := rewrite(t, "root=s=http://old.test/ --to disk -o out s"); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, "out")[2]; got != "blog.html: <a href=a.html>" {
		t.Errorf("of a page with its own references: got %q", got)
	}
}

// A page keeps its BASE, and its links become absolute, if its own URI is unknown, or if --to disk
// finds no file for that URI.
func TestPageOutside(t *testing.T) {
	for _, line := range []string{"--to root-relative", "--to relative", "--to disk",
		"--to disk base=http://old.test/none.html", "--to disk base=http://b.test/p.html"} {
		lay(t, "s/x.html: <p>", "p.html: <base href=http://old.test/><a href=x.html>")
		got, err := rewrite(t, "root=s=http://old.test/ "+line+" p.html")
		if err != nil {
			t.Fatal(err)
		}
		if want := "<base href=http://old.test/><a href=http://old.test/x.html>"; got.out != want {
			t.Errorf("%s: got %s, want %s", line, got.out, want)
		}
	}
}

// {date} in a rule is the day on which the document was written, unless that day is implausible.
func TestWrittenDate(t *testing.T) {
	day := func(y int) time.Time { return time.Date(y, 3, 4, 12, 0, 0, 0, time.UTC) }
	message := func(date string) string {
		return "Date: " + date + "\nContent-Type: text/html\n\n<a href=http://b.test/x>"
	}
	tests := []struct {
		name, content string
		changed       time.Time
		want          string
	}{
		{"a page", "<a href=http://b.test/x>", day(2016), "<a href=http://c.test/2016-03-04/x>"},
		{"before the web", "<a href=http://b.test/x>", day(1989), "<a href=http://b.test/x>"},
		{"with the web", "<a href=http://b.test/x>", day(1990), "<a href=http://c.test/1990-03-04/x>"},
		{"the first day", "<a href=http://b.test/x>", time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC),
			"<a href=http://c.test/1990-01-01/x>"},
		{"the day before", "<a href=http://b.test/x>", time.Date(1989, 12, 31, 23, 59, 59, 0, time.UTC),
			"<a href=http://b.test/x>"},
		{"in the future", "<a href=http://b.test/x>", time.Now().AddDate(1, 0, 0), "<a href=http://b.test/x>"},
		{"a message", message("Fri, 04 Mar 2011 12:00:00 +0000"), day(2016), "/2011-03-04/x>"},
		{"a message without a date", message("x"), day(2016), "<a href=http://b.test/x>"},
	}
	for _, tt := range tests {
		lay(t, "f: "+tt.content)
		if err := os.Chtimes("f", tt.changed, tt.changed); err != nil {
			t.Fatal(err)
		}
		got, err := rewrite(t, "--map http://b.test/=http://c.test/{date}/ f")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(got.out, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got.out, tt.want)
		}
	}
}

// An old address is reported with its line and column, also in encoded parts. Binary data is not
// searched.
func TestFindOld(t *testing.T) {
	coded := "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" +
		base64.StdEncoding.EncodeToString([]byte("<p>http://old.test/y")) + "\n"
	mixed := "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + coded + "--b\nContent-Type: text/plain\n\n" +
		"x\nhttp://old.test/z\n--b--\n"
	zero := "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" +
		base64.StdEncoding.EncodeToString([]byte("\x00http://old.test/y")) + "\n"
	quoted := "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>http://old=2Etest/y\n"
	box := "From a Thu Jan  1 00:00:00 1970\n" + quoted + "\n"
	const link = "<a href=http://old.test/x>\n"
	tests := []struct {
		name, content string
		said          []string
	}{
		{"a comment behind an edit", link + "<!-- http://old.test/y -->", []string{"f:2:6: "}},
		{"nothing", link, []string{"!still names"}},
		{"a script", "'http://old.test/y'", []string{"f:1:2: "}},
		{"binary data", "\x00\nhttp://old.test/y", []string{"!still names"}},
		{"zero behind the head", strings.Repeat("x", 8<<10) + "\n\x00http://old.test/y", []string{"f:2:"}},
		{"a part in base64", coded, []string{"f:4:5: "}},
		{"two parts", mixed, []string{"f:7:5: part 1: still", "f:12:1: still"}},
		{"binary data in base64", zero, []string{"!still names"}},
		{"an unknown encoding", "Content-Type: text/html\nContent-Transfer-Encoding: x-y\n\n<p>http://old.test/y\n",
			[]string{"f:4:4: "}},
		{"an edited part in base64", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte("<a href=http://old.test/x>\n<p>http://old.test/y")) + "\n",
			[]string{"f:4:"}},
		{"an address at the start in base64", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte("http://old.test/y")) + "\n", []string{"f:4:1: "}},
		{"quoted-printable", quoted, []string{"f:4:4: "}},
		{"an address without an escape", strings.Replace(quoted, "=2E", ".", 1) + "a=3Db\n", []string{"f:4:4: "}},
		{"two addresses in quoted-printable",
			strings.Replace(quoted, "<p>", "<p>http://old.test/a http://old.test/b ", 1),
			[]string{"f:4:4: ", "f:4:22: ", "f:4:40: "}},
		{"a mailbox", box + box, []string{"f:5:4: message 1: ", "f:11:4: message 2: "}},
		{"a mailbox of two encodings", box + "From a Thu Jan  1 00:00:00 1970\n" +
			"Content-Type: text/html\nSubject: 01234567890123456789012345678901234567890123\n\n<p>http://old.test/z\n",
			[]string{"f:5:4: message 1: ", "f:11:4: message 2: "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lay(t, "f: "+tt.content)
			for _, line := range []string{"f", "-o out f", "-i f"} {
				got, err := rewrite(t, "--map http://old.test/=http://new.test/ --no-text --find-old "+line)
				if err != nil {
					t.Fatal(err)
				}
				wantSaid(t, got.err, tt.said)
				want := 0
				for _, part := range tt.said {
					if !strings.HasPrefix(part, "!") {
						want++
					}
				}
				counted := 0
				for _, e := range got.entries {
					counted += e.Edits.Old
				}
				if n := strings.Count(got.err, "still names an old address"); n != want || counted != want {
					t.Errorf("standard error is\n%s\nwith %d places counted, want %d", got.err, counted, want)
				}
			}
		})
	}
}

// The rules that change nothing are named with the reason, a few of each kind.
func TestRulesForNothing(t *testing.T) {
	const page = "<a href=http://a.test/x><a href=http://b.test/y><img src=http://a.test/z>" +
		"<a href=http://c.test/w><a href=http://d.test/v><p>http://e.test/"
	rules := func(names string) (line string) {
		for _, name := range strings.Fields(names) {
			line += "--map " + name + "=http://new.test/" + name[:1] + " "
		}
		return line
	}
	for _, tt := range []struct {
		line string
		said []string
	}{
		{"--element img --map-regex b.test=http://new.test/",
			[]string{"--map-regex: b.test changes no link: 1 link matches, left out by"}},
		{"--element img --map http://b.test/=http://new.test/",
			[]string{"--map: http://b.test changes no link: 1 link matches, left out by"}},
		{"--element p " + rules("http://a.test/x http://a.test/z http://b.test/ http://c.test/"),
			[]string{"changes no link", "changes no link", "changes no link",
				"--map: 1 more rule changes no link, although links match"}},
		{"--element p " + rules("http://a.test/x http://a.test/z http://b.test/ http://c.test/ http://d.test/"),
			[]string{"--map: 2 more rules change no link, although"}},
		{"--element p " + rules("http://a.test/x http://a.test/z http://b.test/"), []string{"!more rule"}},
		{rules("http://a.test/ http://b.test/") + "--map-regex b.test=http://new.test/",
			[]string{"--map-regex: b.test was never used: --map http://b.test applies first"}},
		{rules("https://b.test/"), []string{"http and https", "!matches nothing"}},
		{rules("http://e.test/"), []string{"http://e.test matches no link, but 1 document contains it outside of " +
			"links; --visible-text also moves URLs in the text of pages; --find-old names each place"}},
		{"--find-old " + rules("http://e.test/"), []string{"outside of links; --visible-text", "!--find-old"}},
		{"--no-text " + rules("http://f.test/"), []string{"--no-text leaves out"}},
	} {
		lay(t, "f: "+page)
		got, err := rewrite(t, tt.line+" f")
		if err != nil {
			t.Fatal(err)
		}
		t.Run(tt.line, func(t *testing.T) { wantSaid(t, got.err, tt.said) })
	}
}

// With --check-files a link leads to the file at its new place, in each form.
func TestCheckMovedFiles(t *testing.T) {
	for _, form := range []string{"", "--to relative", "--to root-relative", "--to as-written", "--to disk"} {
		for _, chosen := range []string{"", "--element img"} {
			lay(t, "s/p.html: <a href=d/q.html><a href=d/none.html>", "s/d/q.html: <p>")
			got, err := rewrite(t, "root=s=http://old.test/ --check-files --map http://old.test/d/=http://old.test/e/ "+
				form+" "+chosen+" -o out s")
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(got.err, "missing: "); n != 1 || !strings.Contains(got.err, "missing: d/none.html") {
				t.Errorf("%s %s: standard error is\n%s\nwant one missing file", form, chosen, got.err)
			}
		}
	}
}

// A codebase without a slash at its end counts as a directory, if the link may stay relative.
func TestCheckCodebases(t *testing.T) {
	for line, missing := range map[string]int{"": 1, "--to root-relative": 1, "--to relative": 0, "--to disk": 0} {
		lay(t, "s/p.html: <applet codebase=d archive=q.jar></applet><applet codebase=d archive=none></applet>",
			"s/d/q.jar: ")
		got, err := rewrite(t, "root=s=http://old.test/ --check-files --map http://old.test/=http://new.test/ "+
			line+" -o out s")
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(got.err, "missing: q.jar"); n != missing || strings.Count(got.err, "missing: none") != 1 {
			t.Errorf("%s: standard error is\n%s\nwant %d missing archives, and none", line, got.err, missing)
		}
	}
}

// The first link without a base is named at the end of each input.
func TestUnresolvedAreNamed(t *testing.T) {
	for name, content := range map[string]string{"p.html": "<a href=x>",
		"box": "From a Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=x>\n"} {
		for _, line := range []string{"", "-o out", "-n", "-i"} {
			lay(t, name+": "+content)
			got, err := rewrite(t, line+" "+name)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(got.err, ": x is relative, and "); n != 1 {
				t.Errorf("%s: the link is named %d times, want once: %s", line, n, got.err)
			}
		}
	}
}

// A run closes all files of its inputs and outputs, and the nameless files of the verification.
func TestOpenFiles(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection closes files that are lost
	box := "From a Thu Jan  1 00:00:00 1970\n" + mail + "\n"
	for _, line := range []string{"s/p.html", "--verify s/p.html", "--verify s/box", "s/box.gz", "--verify s/box.gz",
		"-o out s", "--verify -o out s", "-i --journal j s", "-i --verify s"} {
		lay(t, "s/p.html: <a href=x>", "s/box: "+box, "s/box.gz: "+gzipped(box), "s/q.html.gz: "+gzipped("<a href=x>"))
		if _, err := rewrite(t, "root=s=http://a.test/ "+line); err != nil {
			t.Fatal(err)
		}
		here, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skipf("the open files are not known: %v", err)
		}
		for _, e := range list {
			path, err := os.Readlink("/proc/self/fd/" + e.Name())
			rest, below := strings.CutPrefix(path, here+"/")
			nameless := strings.HasSuffix(path, " (deleted)") && strings.Contains(path, "absolink-")
			if err == nil && (below && rest != "s" || nameless) {
				t.Errorf("%s: %s is open after the run", line, path)
			}
		}
	}
}

// Features of scripts and pages that browsers refuse from a disk are reported by line and column.
func TestRefusedOnDisk(t *testing.T) {
	lay(t, "s/m.js: // x\n  fetch('y')\n", "s/p.html: <p>\n<script type=module src=m.js></script>", "s/q.html: <p>",
		"s/t.txt: fetch('y')\n",
		"s/x.svg: <svg xmlns='http://www.w3.org/2000/svg'><script type='module' href='m.js'/></svg>",
		"s/m.eml: Content-Type: text/html\n\n<script type=module src=m.js></script>")
	got, err := rewrite(t, "-v root=s=http://old.test/ --to disk -o out s")
	if err != nil {
		t.Fatal(err)
	}
	wantSaid(t, got.err,
		[]string{"s/m.js:2:3: a browser will not do this in pages from a disk", "s/p.html:2:1: a browser will",
			"!s/q.html:1", "!s/t.txt", "!s/m.eml:", "!s/x.svg:"})
}

// In place, an input is replaced if it has an edit, and a backup keeps the old bytes.
func TestInPlace(t *testing.T) {
	box := "From a Thu Jan  1 00:00:00 1970\n" + mail + "\n"
	plain := "From a Thu Jan  1 00:00:00 1970\nSubject: x\n\nx\n\n"
	lay(t, "s/p.html: <a href=x>", "s/q.html: <p>", "s/a.eml: "+signed, "s/box: "+plain+box+plain, "s/plain: "+plain)
	got, err := rewrite(t, "root=s=http://a.test/ -i --backup .orig --journal j s")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a.eml: " + signed, "box: " + plain + absolute.Replace(box) + plain,
		"box.orig: " + plain + box + plain, "p.html: <a href=http://a.test/x>", "p.html.orig: <a href=x>", "plain: " +
			plain,
		"q.html: <p>"}
	if files := tree(t, "s"); !slices.Equal(files, want) {
		t.Errorf("the files are\n%q\nwant\n%q", files, want)
	}
	wantSaid(t, got.err, []string{"1 message has a DKIM", "-o DIR writes edited copies"})
	if got, err = rewrite(t, "root=s=http://a.test/ -i --dkim rewrite s"); err != nil {
		t.Fatal(err)
	}
	want[0] = "a.eml: " + absolute.Replace(signed)
	if files := tree(t, "s"); !slices.Equal(files, want) {
		t.Errorf("by --dkim rewrite, the files are\n%q\nwant\n%q", files, want)
	}
	wantSaid(t, got.err, []string{"that the edits break; --dkim skip leaves them as written",
		"2 backups left as written: "})
}

// Links between the files of two roots lead from one output to the other.
func TestTwoTreesOnDisk(t *testing.T) {
	lay(t, "s/p.html: <a href=http://b.test/q.html>", "t/q.html: <a href=http://a.test/p.html><a href=http://a.test/d>",
		"s/d/r.html: ")
	_, err := rewrite(t, "root=s=http://a.test/ root=t=http://b.test/ --to disk -o out s t")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a.test/d/r.html: ", "a.test/p.html: <a href=../b.test/q.html>",
		"b.test/q.html: <a href=../a.test/p.html><a href=http://a.test/d>"}
	if got := tree(t, "out"); !slices.Equal(got, want) {
		t.Errorf("the outputs are %q, want %q", got, want)
	}
	lay(t, "s/p.html: <a href=http://b.test/q.html><a href=gone>", "t/q.html: ")
	if _, err := rewrite(t, "root=s=http://a.test/ root=t=http://b.test/ --to disk -i s"); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, "s"); got[0] != "p.html: <a href=../t/q.html><a href=http://a.test/gone>" {
		t.Errorf("in place: the file is %q, want a link to the other directory", got)
	}
}

// The prefix of a web archive is removed before any rule applies.
func TestUnwayback(t *testing.T) {
	lay(t, "f: <a href=http://web.archive.org/web/20160102030405/http://old.test/x>")
	for flags, want := range map[string]string{"--unwayback": "<a href=http://old.test/x>",
		"--unwayback --map http://old.test/=http://new.test/": "<a href=http://new.test/x>"} {
		got, err := rewrite(t, flags+" f")
		if err != nil || got.out != want {
			t.Errorf("%s: got %q and error %v, want %q", flags, got.out, err, want)
		}
	}
}

// A link into a web archive counts as absolute if its document has no base, and else as resolved.
func TestCountsOfArchived(t *testing.T) {
	const page = "<a href=/web/20160102030405/http://old.test/x><a href=y>"
	for _, line := range []string{"", "base=http://web.archive.org/web/20160102030405/http://old.test/p "} {
		lay(t, "f: "+page)
		got, err := rewrite(t, line+"--unwayback f")
		if err != nil {
			t.Fatal(err)
		}
		by := got.entries[0].Links.ByStatus
		resolved, absolute, unresolved := 0, 1, 1
		if line != "" {
			resolved, absolute, unresolved = 2, 0, 0
		}
		if by[extract.Resolved] != resolved || by[extract.AbsoluteRef] != absolute ||
			by[extract.Unresolved] != unresolved {
			t.Errorf("%q: the links by status are %v", line, by)
		}
		if !strings.Contains(got.out, "<a href=http://old.test/x>") {
			t.Errorf("%q: the output is %s", line, got.out)
		}
	}
}

// bzipped is "<a href=x>" in bzip2.
const bzipped = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x42\x1e\x01\x89\x00\x00\x00\x99\x80\x40\x00\x00\x07\x23\x40" +
	"\x10\x40\x20\x00\x22\x03\x41\xea\x10\x03\x04\xb0\xb3\xb4\x3c\x5d\xc9\x14\xe1\x42\x41\x08\x78\x06\x24"

// A compressed input is written with the same compression, except bzip2, which is only read.
func TestCodings(t *testing.T) {
	var box bytes.Buffer
	z := gzip.NewWriter(&box)
	io.WriteString(z, "From a Thu Jan  1 00:00:00 1970\n"+mail)
	z.Close()
	lay(t, "s/box.gz: "+box.String(), "s/p.html.bz2: "+bzipped)
	got, err := rewrite(t, "root=s=http://a.test/ -o out s")
	if err != nil {
		t.Fatal(err)
	}
	wantSaid(t, got.err, []string{"s/p.html.bz2: bzip2 is only read: the file stays as it is; \"bunzip2 -k FILE\" " +
		"(package bzip2) makes a decompressed file, which can be rewritten"})
	want := []string{"s/box.gz rewritten", "s/p.html.bz2 copied in bzip2, which is only read"}
	if last := got.outcomes[len(got.outcomes)-2:]; !slices.Equal(last, want) {
		t.Errorf("the outcomes are %q, want %q", got.outcomes, want)
	}
	files := tree(t, "out")
	if files[1] != "p.html.bz2: "+bzipped {
		t.Errorf("the file in bzip2 is %q, want it as it was", files[1])
	}
	u, err := gzip.NewReader(strings.NewReader(strings.TrimPrefix(files[0], "box.gz: ")))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(u)
	if want := "From a Thu Jan  1 00:00:00 1970\n" + absolute.Replace(mail); err != nil || string(text) != want {
		t.Errorf("the mailbox has %q and error %v, want %q", text, err, want)
	}
}

// If -o names a file, links of the page to itself lead to that file.
func TestNamedOnDisk(t *testing.T) {
	lay(t, "s/p.html: <a href=/p.html#f><a href=/q.html>", "s/q.html: ")
	if _, err := rewrite(t, "root=s=http://a.test/ --to disk -o new.html s/p.html"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("new.html")
	if want := "<a href=#f><a href=http://a.test/q.html>"; err != nil || string(got) != want {
		t.Errorf("the output is %q with error %v, want %q", got, err, want)
	}
}

// A text file stays if a file beside it signs it. A page is edited all the same. A directory
// NAME.asc signs nothing.
func TestSigned(t *testing.T) {
	const text, moved = "see http://old.test/x\n", "see http://new.test/x\n"
	lay(t, "s/a.txt: "+text, "s/b.txt: "+text, "s/b.txt.asc: x", "s/c.txt: "+text, "s/c.txt.sig: x",
		"s/d.txt: "+text, "s/d.txt.sig/x: ", "s/p.html: <a href=http://old.test/x>", "s/p.html.asc: x")
	if _, err := rewrite(t, "--map http://old.test/=http://new.test/ -o out s"); err != nil {
		t.Fatal(err)
	}
	want := []string{"a.txt: " + moved, "b.txt: " + text, "b.txt.asc: x", "c.txt: " + text, "c.txt.sig: x",
		"d.txt: " + moved, "d.txt.sig/x: ", "p.html: <a href=http://new.test/x>", "p.html.asc: x"}
	if got := tree(t, "out"); !slices.Equal(got, want) {
		t.Errorf("the outputs are\n%q\nwant\n%q", got, want)
	}
}

// An edit that would cut the mailbox in another way is left out. The other edits of the message
// are made.
func TestEditsThatCutMailbox(t *testing.T) {
	const cut = "Content-Type: text/html\nContent-Base: y:/d/\n\n<a href=a>\n<a title='\n\nFrom x' href=\nfoo.html>\n\n"
	box := "From a Thu Jan  1 00:00:00 1970\n" + cut + "From a Thu Jan  1 00:00:00 1970\n" + mail
	want := absolute.Replace(strings.Replace(box, "href=a", "href=y:/d/a", 1))
	for _, line := range []string{"", "--verify", "-o out", "-i"} {
		lay(t, "f: "+box)
		got, err := rewrite(t, line+" f")
		if err != nil {
			t.Fatal(err)
		}
		result := got.out
		switch line {
		case "-o out":
			result = read(t, "out/f")
		case "-i":
			result = read(t, "f")
		}
		if result != want {
			t.Errorf("%q: got\n%s\nwant\n%s", line, result, want)
		}
		wantSaid(t, got.err, []string{"stays as written: with y:/d/foo.html in its place"})
		if n := got.totals.Messages.With(report.Rewritten); n != 2 {
			t.Errorf("%q: %d messages count as rewritten, want 2", line, n)
		}
	}
}

// A message with too many parts stays as it is. Its last problem says why.
func TestUneditable(t *testing.T) {
	part := "--b\nContent-Type: text/html\n\n<a href=x>\n"
	text := "Content-Base: http://a.test/\nContent-Type: multipart/mixed; boundary=b\n\n" +
		strings.Repeat(part, 3) + "--b--\n"
	for _, line := range []string{"", "--verify", "-n", "--diff", "-i"} {
		lay(t, "f: "+text)
		got, err := rewrite(t, line+" f", func(o *write.Options) { o.Links.Reading.Limits.Parts = 2 })
		if err != nil {
			t.Fatal(err)
		}
		shows := line == "-n" || line == "--diff"
		if want := map[bool]string{false: text}[shows || line == "-i"]; got.out != want || read(t, "f") != text {
			t.Errorf("%q: got %q and the file %q, want the input", line, got.out, read(t, "f"))
		}
		all := got.entries[0].Problems.All()
		if len(all) == 0 || !strings.Contains(all[len(all)-1].Text, "more than 2 parts") ||
			strings.Count(got.err, "more than 2 parts") != 1 || got.entries[0].Edits.Links != 0 {
			t.Errorf("%q: the problems are %+v with %d edits, want the reason at the end", line, all,
				got.entries[0].Edits.Links)
		}
	}
}

// In place, temporary files of killed runs are removed. A finished file is not rewritten again.
func TestInPlaceAgain(t *testing.T) {
	lay(t, "s/p.html: <a href=x>")
	d, err := files.OpenDir(".")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	live, err := files.CreateTemporary(d, "live", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	live.Cleanup()
	left := "s/" + live.Base() // no process holds a file of this name any more
	for _, line := range []string{"-n s", "-o out s", "-i --journal j s", "-i --journal j --resume s"} {
		if err := os.WriteFile(left, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := rewrite(t, "root=s=http://a.test/ "+line)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(left); (err == nil) == strings.HasPrefix(line, "-i") {
			t.Errorf("%s: the file of a killed run: %v", line, err)
		}
		want := "s/p.html rewritten"
		if strings.Contains(line, "--resume") {
			want = "s/p.html skipped finished by an earlier run"
		}
		if !slices.Contains(got.outcomes, want) {
			t.Errorf("%s: the outcomes are %q, want %q", line, got.outcomes, want)
		}
	}
	if text := read(t, "s/p.html"); text != "<a href=http://a.test/x>" {
		t.Errorf("the file is %q", text)
	}
}

// The name of a backup says that it is one. A backup that the user names is edited if its name
// stays free.
func TestNamedBackups(t *testing.T) {
	const page, edited = "<a href=x>", "<a href=http://a.test/x>"
	for _, tt := range []struct{ line, out, outcome string }{
		{"s/p.html.orig", edited, "rewritten"},
		{"-n s/p.html.orig", "s/p.html.orig:1:9: x -> http://a.test/x\n", "rewritten"},
		{"-o out s/p.html.orig", "", "copied a backup of p.html"},
		{"-i s/p.html.orig", "", "skipped a backup of p.html"},
		{"-n s", "s/p.html:1:9: x -> http://a.test/x\n", "skipped a backup of p.html"},
	} {
		lay(t, "s/p.html: "+page, "s/p.html.orig: "+page)
		got, err := rewrite(t, "root=s=http://a.test/s/../ "+tt.line)
		if err != nil {
			t.Fatal(err)
		}
		if last := got.outcomes[len(got.outcomes)-1]; got.out != tt.out || last != "s/p.html.orig "+tt.outcome {
			t.Errorf("%s: got %q and %q, want %q and %q", tt.line, got.out, last, tt.out, tt.outcome)
		}
		if text := read(t, "s/p.html.orig"); text != page {
			t.Errorf("%s: the backup is now %q", tt.line, text)
		}
	}
}

// A run that a client shares prints only the messages about its own input.
func TestSumUpInput(t *testing.T) {
	for _, flags := range []string{"", "-q "} {
		lay(t, "s/t.txt: http://old.test/x\n", "s/t.txt.asc: x",
			`s/p.html: <meta itemprop=text content="/r/x">`)
		p, err := begin(t, "", flags+"root=s=http://old.test/ -o out --map http://old.test/=http://new.test/n/ s")
		if err == nil {
			err = p.run.Do(t.Context(), io.Discard, p.command)
		}
		if err != nil {
			t.Fatal(err)
		}
		p.stderr.Reset()
		p.command.SumUpInput(p.run.Account)
		want := []string{"1 part is signed", "1 link, which is never edited", "1 URL that a rule would move"}
		if flags != "" {
			want = []string{"!absolink"}
		}
		wantSaid(t, p.stderr.String(), want)
	}
}

// The number of messages whose size is stale is printed at the end of a run in place.
func TestStaleSizes(t *testing.T) {
	lay(t, "s/cur/1.h:2,S: "+mail, "s/new/2.h: Subject: x\n\n", "s/dovecot.index: ")
	got, err := rewrite(t, "-i --maildir-size keep s")
	if err != nil {
		t.Fatal(err)
	}
	wantSaid(t, got.err, []string{"1 message changed its size but not the name"})
}

// A dry run shows only the ends of a long text that is removed.
func TestRemovedText(t *testing.T) {
	const begin = "<script src=\"https://web-static.archive.org/_static/js/"
	const end = "\\u000a<!-- End Wayback Rewrite JS Include -->"
	for n, want := range map[int]string{
		38: "bundle-playback.js\"></script>\\u000a<!--" + strings.Repeat("x", 38) + "-->" + end,
		39: "bundl… 61 characters …xxxxxxxxxxxx-->" + end, 300: "bundl… 322 characters …xxxxxxxxxxxx-->" + end} {
		script := "<script src=\"https://web-static.archive.org/_static/js/bundle-playback.js\"></script>\n" +
			"<!--" + strings.Repeat("x", n) + "-->\n<!-- End Wayback Rewrite JS Include -->\n"
		lay(t, "f: <html><head>"+script+"<title>t</title>")
		got, err := rewrite(t, "-n --unwayback=page base=http://web.archive.org/web/2016/http://old.test/ f")
		if err != nil {
			t.Fatal(err)
		}
		if want := "f:1:13: " + begin + want + " -> \n"; got.out != want {
			t.Errorf("%d characters in a comment: got\n%s\nwant\n%s", n, got.out, want)
		}
	}
}

// If an output is refused, the old addresses are those of the input.
func TestFindOldOfRefused(t *testing.T) {
	const old = "Content-Type: text/html\n\n<a href=http://old.test/x>\n"
	lay(t, "s/cur/1.h:2,S: "+old, "s/new/2.h: Subject: x\n\n")
	got, err := rewrite(t, "-i --backup ~ --map http://old.test/=http://new.test/ --find-old s")
	if err != nil {
		t.Fatal(err)
	}
	wantSaid(t, got.err, []string{"s/cur/1.h:2,S:3:4: still names an old address"})
	if text := read(t, "s/cur/1.h:2,S"); text != old {
		t.Errorf("the message is now %q", text)
	}
}

// If the last step of a replacement is refused, the addresses of the input count, each once.
func TestFindOldOfUnreplaced(t *testing.T) {
	const old = "<a href=http://old.test/x>\n<!-- http://old.test/y -->"
	lay(t, "f: "+old, "f.bak: ")
	got, err := rewrite(t, "-i --backup .bak --map http://old.test/=http://new.test/ --find-old f")
	if err != nil {
		t.Fatal(err)
	}
	wantSaid(t, got.err, []string{"f:1:4: still names", "f:2:6: still names"})
	if e := got.entries[0]; e.Edits.Old != 2 || e.Result.Outcome() != report.Refused {
		t.Errorf("got %d addresses and the outcome %s, want 2 and refused", e.Edits.Old, e.Result.Outcome())
	}
	if text := read(t, "f"); text != old {
		t.Errorf("the page is now %q", text)
	}
}

// Without any input, no rule counts as unused.
func TestRulesWithoutInputs(t *testing.T) {
	lay(t)
	if err := os.Mkdir("s", 0o777); err != nil {
		t.Fatal(err)
	}
	got, err := rewrite(t, "root=s=http://old.test/ --map http://a.test/=http://b.test/ -o out s")
	if err != nil {
		t.Fatal(err)
	}
	wantSaid(t, got.err, []string{"!--map"})
}

// Without a directory for temporary files, an output that needs one fails.
func TestNoTemporaryFiles(t *testing.T) {
	box := "From a Thu Jan  1 00:00:00 1970\n" + mail + "\n"
	for _, line := range []string{"--verify s/p.html", "s/box.gz", "--verify s/box.gz"} {
		lay(t, "s/p.html: <base href=http://a.test/><a href=x>", "s/box.gz: "+gzipped(box))
		t.Setenv("TMPDIR", "none")
		t.Setenv("TMP", "none")
		got, err := rewrite(t, line)
		if err != nil {
			t.Fatal(err)
		}
		if last := got.outcomes[len(got.outcomes)-1]; got.out != "" || !strings.Contains(last, " failed ") {
			t.Errorf("%s: the outcome is %q and the output %q, want failed without an output", line, last, got.out)
		}
	}
}

// Text before the first message of a mailbox stays, with its URLs. Its old addresses
// count for the mailbox.
func TestTextBeforeMailbox(t *testing.T) {
	const old, moved = "href=http://old.test/x", "href=http://new.test/x"
	box := "text\n\nhttp://old.test/z\n\nFrom a Thu Jan  1 00:00:00 1970\n" +
		strings.Replace(mail, "href=x", old, 1) + "\n"
	mailbox := func(o *write.Options) { o.Run.Reading.Kind = input.Mbox }
	for _, line := range []string{"-n", "", "-o out --verify", "-i"} {
		lay(t, "f: "+box)
		got, err := rewrite(t, "--find-old --map http://old.test/=http://new.test/ "+line+" f", mailbox)
		if err != nil {
			t.Fatal(err)
		}
		result, want := got.out, strings.Replace(box, old, moved, 1)
		switch line {
		case "-n":
			want = "f: message 1: x\nf:10:9: http://old.test/x -> http://new.test/x\n"
		case "-i":
			result = read(t, "f")
		case "-o out --verify":
			result = read(t, "out/f")
		}
		if result != want {
			t.Errorf("%q: got\n%s\nwant\n%s", line, result, want)
		}
		wantSaid(t, got.err, []string{"f:3:1: still names an old address", "!message 1: still"})
	}
}

// A link to a directory leads to the place of its files, if they stay together.
func TestMovedDirectories(t *testing.T) {
	lay(t, "s/p.html: <object codebase=d/ data=q></object><object codebase=e/ data=q></object>"+
		"<object codebase=f/ data=q></object>", "s/d/q: ", "s/e/q: ", "s/e/r: ", "s/f/q: ", "t/x.html: ")
	const rules = "--map http://a.test/d/q=http://a.test/g/x --map http://a.test/e/q=http://a.test/g/y "
	if _, err := rewrite(t, "root=s=http://a.test/ root=t=http://b.test/ --to disk "+rules+"-o out s t"); err != nil {
		t.Fatal(err)
	}
	want := []string{"a.test/e/r: ", "a.test/f/q: ", "a.test/g/x: ", "a.test/g/y: ",
		"a.test/p.html: <object codebase=http://a.test/d/ data=http://a.test/g/x></object>" +
			"<object codebase=e/ data=http://a.test/g/y></object>" +
			"<object codebase=f/ data=q></object>", "b.test/x.html: "}
	if got := tree(t, "out"); !slices.Equal(got, want) {
		t.Errorf("the outputs are\n%q\nwant\n%q", got, want)
	}
	lay(t, "s/p.html: <object codebase=d/ data=q></object>", "s/d/q: ")
	if _, err := rewrite(t, "root=s=http://a.test/ --to disk -o out/ s/p.html"); err != nil {
		t.Fatal(err)
	}
	const alone = "p.html: <object codebase=http://a.test/d/ data=http://a.test/d/q></object>"
	if got := tree(t, "out"); !slices.Equal(got, []string{alone}) {
		t.Errorf("a page without the directory: the outputs are %q, want %q", got, alone)
	}
}

// An edit that a Content-Length of an earlier message covers is refused. The other messages are
// written.
func TestCoveredMessage(t *testing.T) {
	const from = "From a Thu Jan  1 00:00:00 1970\n"
	covered := from + mail + "\n"
	box := from + fmt.Sprintf("Content-Length: %d\n\nx\n\n", len("x\n\n"+covered)-1) + covered + covered
	want := strings.Replace(box, covered+covered, covered+absolute.Replace(covered), 1)
	for _, line := range []string{"", "-o out", "-o out --verify", "-i"} {
		lay(t, "f: "+box)
		got, err := rewrite(t, line+" f")
		if err != nil {
			t.Fatal(err)
		}
		result := got.out
		switch {
		case strings.HasPrefix(line, "-o"):
			result = read(t, "out/f")
		case line == "-i":
			result = read(t, "f")
		}
		if result != want {
			t.Errorf("%q: got\n%s\nwant\n%s", line, result, want)
		}
		if !strings.HasPrefix(got.outcomes[1], "f refused verify: ") {
			t.Errorf("%q: the outcomes are %q, want that the second message is refused", line, got.outcomes)
		}
	}
}
