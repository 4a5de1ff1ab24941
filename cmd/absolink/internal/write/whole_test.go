package write_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/write"
	"absolink/extract"
	"absolink/testdata/effort"
)

// rewritten holds the standard output and the messages of a run.
type rewritten struct {
	out, err string
	totals   *report.Totals
	outcomes []string // "SOURCE OUTCOME REASON" of each input
	entries  []report.Entry
}

// rewrite carries out a command line: flags of package write and links, and these inputs. The words
// "root=DIR=URI", "base=URI" and "follow" stand for flags that other packages register. Each of set
// changes the options that no flag has.
func rewrite(t *testing.T, line string, set ...func(*write.Options)) (*rewritten, error) {
	t.Helper()
	return rewriteFrom(t, "", line, set...)
}

// rewriteFrom is rewrite with a text on standard input.
func rewriteFrom(t *testing.T, stdin, line string, set ...func(*write.Options)) (*rewritten, error) {
	t.Helper()
	p, err := begin(t, stdin, line, set...)
	if err != nil {
		return nil, err
	}
	var stdout strings.Builder
	if err := errors.Join(p.run.Do(t.Context(), &stdout, p.command), p.command.End()); err != nil {
		return nil, err
	}
	p.command.SumUp()
	w := &p.rewritten
	w.out = stdout.String()
	w.err = p.stderr.String()
	w.totals = &p.run.Account.Totals
	if strings.Contains("\n"+w.err, "\nabsolink: 0 ") && !strings.Contains(w.err, "absolink: 0 inputs") ||
		strings.Contains(w.err, ": 0 addresses") {
		t.Errorf("%s: standard error counts nothing: %s", line, w.err)
	}
	for said := range strings.Lines(w.err) {
		if !phrase.MatchString(said) {
			t.Errorf("%s: standard error has the line %q, want a phrase without a full stop", line, said)
		}
	}
	return w, nil
}

// phrase matches a line of standard error.
var phrase = regexp.MustCompile(`^\S.*[\pL\pN)/"…]\n$`)

// prepared is a run that has not read anything yet.
type prepared struct {
	rewritten
	run     *run.Run
	command *write.Command
	stderr  strings.Builder
}

// begin prepares the run of a command line. The parameters are those of rewriteFrom.
func begin(t *testing.T, stdin, line string, set ...func(*write.Options)) (*prepared, error) {
	t.Helper()
	o := &write.Options{Run: &run.Options{Jobs: 1, Reading: run.Reading{MaxSize: 1 << 20}}, Links: new(links.Options)}
	c := new(cobra.Command)
	o.Register(c)
	o.Links.RegisterLinkFlags(c)
	o.Links.Targets.Register(c)
	c.Flags().BoolVarP(&o.Run.Account.Quiet, "quiet", "q", false, "")
	c.Flags().BoolVarP(&o.Run.Account.Verbose, "verbose", "v", false, "")
	var words []string
	for _, word := range strings.Fields(line) {
		if root, ok := strings.CutPrefix(word, "root="); ok {
			o.Links.Bases.Roots = append(o.Links.Bases.Roots, root)
		} else if uri, ok := strings.CutPrefix(word, "base="); ok {
			o.Links.Bases.Retrieval = uri
		} else if word == "follow" {
			o.Run.Inputs.Follow = true
		} else {
			words = append(words, word)
		}
	}
	if err := c.ParseFlags(words); err != nil {
		t.Fatal(err)
	}
	for _, f := range set {
		f(o)
	}
	o.Run.Account.OutsideHint = "--follow takes it"
	o.Links.Bases.RootsLocateTargets = c.Flags().Changed("to")
	o.SetOutputFlags(c.Flags())
	o.Links.Envelopes = o.Show.DryRun
	args := c.Flags().Args()
	if err := o.Prepare(args); err != nil {
		return nil, err
	}
	if err := errors.Join(o.Run.Inputs.SetArgs(args), o.Links.Prepare(&o.Run.Inputs)); err != nil {
		return nil, err
	}
	p := new(prepared)
	o.Run.Account.OnReport = func(e *report.Entry) {
		p.entries = append(p.entries, *e)
		p.outcomes = append(p.outcomes, strings.TrimSpace(
			e.Subject.Source+" "+string(e.Result.Outcome())+" "+e.Result.Reason()))
	}
	var err error
	p.run, err = run.New(run.Streams{In: strings.NewReader(stdin), Out: io.Discard, Err: &p.stderr}, o.Run)
	if err == nil {
		p.command, err = write.Begin(t.Context(), p.run, o)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// lay writes files into a new directory, and makes it the current directory. Each file is given as
// "NAME: CONTENT".
func lay(t *testing.T, list ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, file := range list {
		name, content, _ := strings.Cut(file, ": ")
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(content), 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
}

// tree returns the files below dir in the form of lay.
func tree(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		list = append(list, filepath.ToSlash(name)+": "+string(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// wantSaid checks that text has these parts in this order. "!" before a part says that text does
// not have it.
func wantSaid(t *testing.T, text string, parts []string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		if without, ok := strings.CutPrefix(part, "!"); ok {
			if strings.Contains(text, without) {
				t.Errorf("standard error is\n%s\nwant no %q in it", text, without)
			}
			continue
		}
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			t.Errorf("standard error is\n%s\nwant %q in it", text, part)
			continue
		}
		rest = after
	}
}

const (
	mail   = "Subject: x\nContent-Type: text/html\nContent-Base: http://a.test/\n\n<a href=x>\n"
	signed = "DKIM-Signature: v=1; a=rsa-sha256; d=a.test; s=s; h=from; bh=x; b=y\n" + mail
	broken = "Content-Base: http://a.test/\nContent-Type: multipart/signed; boundary=b; protocol=\"application/x\"\n" +
		"\n" +
		"--b\nContent-Type: text/html\n\n<a href=x>\n--b\nContent-Type: application/x\n\ns\n--b--\n"
)

var absolute = strings.NewReplacer("href=x", "href=http://a.test/x")

// The standard output is the input with absolute references; nothing else changes.
func TestStandardOutput(t *testing.T) {
	box := "From a Thu Jan  1 00:00:00 1970\n" + mail + "\n"
	tests := []struct{ name, content, line, want, outcome string }{
		{"a page", "<A  HREF = 'x'>\r\n<img src=y>", "base=http://a.test/",
			"<A  HREF = 'http://a.test/x'>\r\n<img src=http://a.test/y>", "rewritten"},
		{"read back", "<a href=x>", "--verify base=http://a.test/", "<a href=http://a.test/x>", "rewritten"},
		{"no base", "<a href=x>", "", "<a href=x>", "unchanged"},
		{"no link", "<p>", "--verify base=http://a.test/", "<p>", "unchanged"},
		{"a chosen link", "<a href=x><img src=x>", "--element img base=http://a.test/",
			"<a href=x><img src=http://a.test/x>", "rewritten"},
		{"links to the page itself", "<a href='#f'>", "base=http://a.test/p", "<a href='#f'>", "unchanged"},
		{"absolutized", "<a href='#f'>", "--absolutize-fragments base=http://a.test/p",
			"<a href='http://a.test/p#f'>", "rewritten"},
		{"normal form", "<a href='HTTP://B.test/../'>", "--normalize base=http://a.test/",
			"<a href='http://b.test/'>", "rewritten"},
		{"a dropped base", "<base href=http://b.test/><a href=x>", "--base-element drop",
			"<base ><a href=http://b.test/x>", "rewritten"},
		{"a message", mail, "", absolute.Replace(mail), "rewritten"},
		{"a signed message", signed, "", absolute.Replace(signed), "rewritten"},
		{"a skipped message", signed, "--dkim skip", signed, "skipped dkim: its signature would break"},
		{"a signed part", broken, "", broken, "unchanged"},
		{"a broken signature", broken, "--break-signatures", absolute.Replace(broken), "rewritten"},
		{"a mailbox", box + box, "", absolute.Replace(box + box), "rewritten"},
		{"a mailbox read back", box + box, "--verify", absolute.Replace(box + box), "rewritten"},
		{"a mailbox without a link", strings.ReplaceAll(box, "href=x", "id=x"), "",
			strings.ReplaceAll(box, "href=x", "id=x"), "unchanged"},
		{"another file", "\x00\x01", "", "\x00\x01", "copied"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lay(t, "f: "+tt.content)
			got, err := rewrite(t, tt.line+" f")
			if err != nil {
				t.Fatal(err)
			}
			if got.out != tt.want {
				t.Errorf("the output is\n%s\nwant\n%s", got.out, tt.want)
			}
			last := got.outcomes[len(got.outcomes)-1]
			if !strings.HasPrefix(last, "f "+tt.outcome) {
				t.Errorf("the outcome is %q, want %q", last, tt.outcome)
			}
		})
	}
}

// Standard input goes to standard output with absolute references, or as it is without any.
func TestStandardInput(t *testing.T) {
	box := "From a Thu Jan  1 00:00:00 1970\n" + mail + "\n"
	large := "<p>" + strings.Repeat(" ", effort.Pick(2<<20, 1<<19))
	for name, text := range map[string]string{"a page": "<a href=x>", "a page without a link": "<p>", "a message": mail,
		"a mailbox": box + box, "another file": "\x00\x01", "a large file": large, "a large binary": "\x00" + large,
		"a mailbox without a link": strings.ReplaceAll(box, "href=x", "id=x")} {
		for _, line := range []string{"-", "--verify -"} {
			got, err := rewriteFrom(t, text, "base=http://a.test/ "+line)
			if err != nil {
				t.Fatal(err)
			}
			if want := absolute.Replace(text); got.out != want {
				t.Errorf("%s, %s: the output has %d bytes, want %d: %.200q",
					name, line, len(got.out), len(want), got.out)
			}
		}
	}
}

// With --dry-run and --diff, edits are shown and nothing is written.
func TestShow(t *testing.T) {
	const page = "<p>\n  <a href=x>\n"
	const dated = "From: a@b.test\nDate: Thu, 01 Jan 1970 00:00:00 +0000\n" + mail
	box := "From a Thu Jan  1 00:00:00 1970\n" + mail + "\n"
	tests := []struct{ name, content, line, want string }{
		{"a line for each edit", page, "-n base=http://a.test/", "f:2:11: x -> http://a.test/x\n"},
		{"a difference", page, "--diff base=http://a.test/",
			"diff f f (absolute)\n--- f\n+++ f (absolute)\n@@ -1,2 +1,2 @@\n <p>\n-  <a href=x>\n+  <a href=http://" +
				"a.test/x>\n"},
		{"two edits of a line", "<a href=x><a href=y>", "-n base=http://a.test/",
			"f:1:9: x -> http://a.test/x\nf:1:19: y -> http://a.test/y\n"},
		{"a message without an edit", strings.Replace(mail, "href", "id", 1), "-n", ""},
		{"no edit", page, "-n", ""},
		{"a message", mail, "-n", "f: x\nf:5:9: x -> http://a.test/x\n"},
		{"a dated message", dated, "-n", "f: x, a@b.test, 1970-01-01T00:00:00Z\nf:7:9: x -> http://a.test/x\n"},
		{"a difference of a message", mail, "--diff",
			"diff f part 1 f part 1 (absolute)\n--- f part 1\n+++ f part 1 (absolute)\n@@ -1,1 +1,1 @@\n-<a href=x>\n" +
				"+<a href=http://a.test/x>\n"},
		{"two parts", "Subject: x\nContent-Base: http://a.test/\nContent-Type: multipart/mixed; boundary=b\n\n" +
			"--b\nContent-Type: text/html\n\n<a href=y>\n--b\nContent-Type: text/html\n\n<a href=z>\n--b--\n", "-n",
			"f: x\nf:8:9: y -> http://a.test/y\nf:12:9: z -> http://a.test/z\n"},
		{"a skipped message", signed, "-n --dkim skip", ""},
		{"another file", "\x00\x01", "-n", ""},
		{"another file in place", "\x00\x01", "-i", ""},
		{"a mailbox", box + box, "-n", "f: message 1: x\nf:6:9: x -> http://a.test/x\n" +
			"f: message 2: x\nf:13:9: x -> http://a.test/x\n"},
		{"messages without an edit", strings.ReplaceAll(box+box, "href", "id"), "-n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lay(t, "f: "+tt.content)
			got, err := rewrite(t, tt.line+" f")
			if err != nil {
				t.Fatal(err)
			}
			if got.out != tt.want {
				t.Errorf("the output is\n%s\nwant\n%s", got.out, tt.want)
			}
			if files := tree(t, "."); len(files) != 1 || files[0] != "f: "+tt.content {
				t.Errorf("the files are %q, want the input alone", files)
			}
		})
	}
}

// A site moves by rules, and its links take a form. Nothing of the inputs changes.
func TestSite(t *testing.T) {
	page := func(href string) string { return "<a href=" + href + ">" }
	tests := []struct {
		name  string
		files []string
		line  string
		want  []string // below out
		said  []string // parts of standard error, in order
	}{
		{"moved", []string{"s/p.html: " + page("q"), "s/d/q.html: " + page("http://old.test/p.html")},
			"--map http://old.test/=http://new.test/n/",
			[]string{"d/q.html: " + page("http://new.test/n/p.html"), "p.html: " + page("http://new.test/n/q")}, nil},
		{"by an expression", []string{"s/p.html: " + page("12")}, `--map-regex /(\d)(\d)$=/$2-$1`,
			[]string{"p.html: " + page("http://old.test/2-1")}, nil},
		{"rules for nothing", []string{"s/p.html: " + page("q")},
			`--map http://b.test/=http://c.test/ --map-regex x=http://y.test/`,
			[]string{"p.html: " + page("http://old.test/q")},
			[]string{"--map: http://b.test matches no link", "--map-regex: x matches no link"}},
		{"many rules for nothing", []string{"s/p.html: " + page("q")},
			"--map http://b.test/=http://c.test/ --map http://d.test/=http://c.test/ --map-regex x=http://y.test/ " +
				"--map-regex z=http://y.test/",
			[]string{"p.html: " + page("http://old.test/q")}, []string{"--map: 4 rules match no link, such as http"}},
		{"quiet", []string{"s/p.html: " + page("q")}, "-q --map http://b.test/=http://c.test/",
			[]string{"p.html: " + page("http://old.test/q")}, []string{"!absolink"}},
		{"relative", []string{"s/p.html: " + page("d/../q#f"), "s/d/q.html: " + page("http://old.test/p.html")},
			"--to relative", []string{"d/q.html: " + page("../p.html"), "p.html: " + page("d/../q#f")}, nil},
		{"root-relative", []string{"s/d/q.html: " + page("http://old.test/d/p.html?q")}, "--to root-relative",
			[]string{"d/q.html: " + page("/d/p.html?q")}, nil},
		{"kept absolute", []string{"s/d/q.html: <link rel=canonical href=q.html><a href=http://old.test/p>"},
			"--to root-relative --keep canonical",
			[]string{"d/q.html: <link rel=canonical href=http://old.test/d/q.html><a href=/p>"}, nil},
		{"as written", []string{"s/p.html: " + page("q") + page("/q") + page("http://old.test/q")},
			"--to as-written --map http://old.test/=http://new.test/n/",
			[]string{"p.html: " + page("q") + page("/n/q") + page("http://new.test/n/q")}, nil},
		{"a reference that is left", []string{`s/p.html: <meta itemprop=text content="/r/x">`},
			"--map http://old.test/=http://new.test/n/", []string{`p.html: <meta itemprop=text content="/r/x">`},
			[]string{"1 link, which is never edited, stays as written, and leads elsewhere now"}},
		{"references that are left",
			[]string{`s/p.html: <meta itemprop=text content="/r/x"><meta itemprop=text content="/r/y">`},
			"--map http://old.test/=http://new.test/n/",
			[]string{`p.html: <meta itemprop=text content="/r/x"><meta itemprop=text content="/r/y">`},
			[]string{"2 links, which are never edited, stay as written, and lead elsewhere now"}},
		{"a cut message", []string{"s/a.eml: " + strings.TrimSuffix(broken, "--b--\n")}, "--break-signatures",
			[]string{"a.eml: " + absolute.Replace(strings.TrimSuffix(broken, "--b--\n"))},
			[]string{"no final boundary"}},
		{"at any depth", []string{"s/404.html: " + page("x"), "s/e/f.html: " + page("x")},
			"--to relative --any-depth e/*",
			[]string{"404.html: " + page("x"), "e/f.html: " + page("/e/x")}, nil},
		{"errors at any depth", []string{"s/404.html: " + page("x")}, "--to relative",
			[]string{"404.html: " + page("/x")}, nil},
		{"a BASE of chosen links", []string{"s/p.html: <base href=/d/><a href=x><img src=y>"},
			"--to relative --element a", []string{"p.html: <base href=/d/><a href=http://old.test/d/x><img src=y>"},
			[]string{"has a BASE, which stays"}},
		{"a BASE of all links", []string{"s/p.html: <base href=/d/><a href=x>"}, "--to relative",
			[]string{"p.html: <base ><a href=d/x>"}, []string{"!has a BASE", "!needs the BASE"}},
		{"a BASE that a script needs", []string{`s/p.html: <base href=/d/><script>f("a/x.json")</script>`},
			"--to relative", []string{`p.html: <base ><script>f("a/x.json")</script>`},
			[]string{"p.html:1:27: a link needs the BASE, which is removed: add --scripts to rewrite such links"}},
		{"a BASE that scripts and attributes need",
			[]string{`s/p.html: <base href=/d/><script>f("a/x.json")</script><img data-src=y>`},
			"--base-element drop", []string{`p.html: <base ><script>f("a/x.json")</script><img data-src=y>`},
			[]string{"a link needs the BASE, which is removed: add --lazy --scripts to rewrite such links"}},
		{"a BASE that a rewritten script needed", []string{`s/p.html: <base href=/d/><script>f("a/x.json")</script>`},
			"--to relative --scripts", []string{`p.html: <base ><script>f("d/a/x.json")</script>`},
			[]string{"!needs the BASE"}},
		{"a BASE that a script keeps", []string{`s/p.html: <base href=/d/><script>f("a/x.json")</script>`},
			"", []string{`p.html: <base href=/d/><script>f("a/x.json")</script>`}, []string{"!needs the BASE"}},
		{"chosen links without a BASE", []string{"s/p.html: <a href=/d/x><img src=/y>"}, "--to relative --element a",
			[]string{"p.html: <a href=d/x><img src=/y>"}, []string{"!has a BASE"}},
		{"a BASE of chosen links, absolute", []string{"s/p.html: <base href=/d/><a href=x><img src=y>"}, "--element a",
			[]string{"p.html: <base href=/d/><a href=http://old.test/d/x><img src=y>"}, []string{"!has a BASE"}},
		{"a BASE of chosen links, as written", []string{"s/p.html: <base href=/d/><a href=x><img src=y>"},
			"--to as-written --element a --map http://old.test/=http://new.test/n/",
			[]string{"p.html: <base href=/d/><a href=../n/d/x><img src=y>"}, []string{"!has a BASE"}},
		{"without tracking", []string{"s/p.html: " + page("'http://b.test/x?utm_source=1&y=2'")}, "--tracking strip",
			[]string{"p.html: " + page("'http://b.test/x?y=2'")}, nil},
		{"chosen by clean links", []string{"s/p.html: " + page("http://web.archive.org/web/2016/http://b.test/x") +
			page("http://web.archive.org/web/2016/http://c.test/x")}, "--unwayback --tracking strip --match ^http://b",
			[]string{"p.html: " + page("http://b.test/x") +
				page("http://web.archive.org/web/2016/http://c.test/x")}, nil},
		{"not chosen by clean links", []string{"s/p.html: " + page("http://web.archive.org/web/2016/http://b.test/x")},
			"--unwayback --match ^http://b",
			[]string{"p.html: " + page("http://web.archive.org/web/2016/http://b.test/x")}, nil},
		{"visible text", []string{"s/p.html: " + page("http://old.test/x") + "http://old.test/x</a>"},
			"--visible-text --map http://old.test/=http://new.test/",
			[]string{"p.html: " + page("http://new.test/x") + "http://new.test/x</a>"}, nil},
		{"signed text", []string{"s/t.txt: http://old.test/x\n", "s/t.txt.asc: x"},
			"--map http://old.test/=http://new.test/",
			[]string{"t.txt: http://old.test/x\n", "t.txt.asc: x"},
			[]string{"1 URL that a rule would move stays as written: "}},
		{"more signed text", []string{"s/t.txt: http://old.test/x http://old.test/y\n", "s/t.txt.asc: x"},
			"--map http://old.test/=http://new.test/",
			[]string{"t.txt: http://old.test/x http://old.test/y\n", "t.txt.asc: x"},
			[]string{"2 URLs that a rule would move stay as written: "}},
		{"a nested rule", []string{"s/p.html: " + page("q")}, "--map http://old.test/=http://old.test/new/",
			[]string{"p.html: " + page("http://old.test/new/q")},
			[]string{"--map: http://old.test becomes http://old.test/new/, which is not mapped again"}},
		{"a quiet nested rule", []string{"s/p.html: " + page("q")}, "-q --map http://old.test/=http://old.test/new/",
			[]string{"p.html: " + page("http://old.test/new/q")}, []string{"!mapped again"}},
		{"clashing rules", []string{"s/p.html: " + page("q")},
			"--map http://old.test/=http://a.test/ --map http://old.test/=http://b.test/",
			[]string{"p.html: " + page("http://a.test/q")},
			[]string{"is mapped to http://a.test/ and to http://b.test/"}},
		{"a web archive", []string{"s/a.warc: WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"},
			"-v", []string{"a.warc: WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"},
			[]string{"copied: a web archive, which is only read",
				"web archives and responses are only read: the file stays as it is"}},
		{"messages of a Maildir", []string{"s/cur/1.h,S=76:2,S: " + mail, "s/new/2.h: Subject: x\n\n"}, "",
			[]string{"cur/1.h,S=90:2,S: " + absolute.Replace(mail), "new/2.h: Subject: x\n\n"}, nil},
		{"kept names of a Maildir", []string{"s/cur/1.h,S=76:2,S: " + mail, "s/new/2.h: Subject: x\n\n"},
			"--maildir-size keep",
			[]string{"cur/1.h,S=76:2,S: " + absolute.Replace(mail), "new/2.h: Subject: x\n\n"}, nil},
		{"on a disk", []string{"s/p.html: " + page("d/") + page("d/q.html?v=1") + page("gone#f"),
			"s/d/index.html: " + page("/p.html"), "s/d/q.html: "}, "--to disk",
			[]string{"d/index.html: " + page("../p.html"), "d/q.html: ",
				"p.html: " + page("d/index.html") + page("d/q.html") + page("http://old.test/gone#f")},
			[]string{"--to disk: 1 address has no file here, such as http://old.test/gone:",
				"--to disk: the query of http://old.test/d/q.html?v=1 is in no file name:"}},
		{"many on a disk", []string{"s/p.html: " + page("q?2") + page("q?1") + page("z") + page("y"), "s/q: "},
			"--to disk", []string{"p.html: " + page("q") + page("q") + page("http://old.test/z") +
				page("http://old.test/y"), "q: "},
			[]string{"--to disk: 2 addresses have no file here, such as http://old.test/y:",
				"--to disk: the queries of 2 addresses are in no file name, such as http://old.test/q?1:"}},
		{"a directory on a disk", []string{"s/p.html: <object codebase=http://old.test/d/e/ data=q></object>" +
			"<object codebase=/d/e data=q></object><object codebase=/none/ data=q></object>", "s/d/e/q: "},
			"--to disk", []string{"d/e/q: ", "p.html: <object codebase=d/e/ data=q></object>" +
				"<object codebase=d/e data=q></object><object codebase=http://old.test/none/ " +
				"data=http://old.test/none/q></object>"}, nil},
		{"an edit that would be misread", []string{"s/a.eml: Content-Type: text/plain\n\n(http://old.test/x) " +
			"http://old.test/y\n"}, "--verify --map http://old.test/=http://new.test/(a",
			[]string{"a.eml: Content-Type: text/plain\n\n(http://old.test/x) http://new.test/(a/y\n"},
			[]string{"stays as written: with http://new.test/(a/x in its place"}},
		{"missing files and rules without a date", []string{"s/a.eml: Content-Type: text/html\n" +
			"Content-Base: http://old.test/\n\n" + page("gone.html")},
			"--check-files --map http://old.test/=http://new.test/{date}/",
			[]string{"a.eml: Content-Type: text/html\nContent-Base: http://old.test/\n\n" + page("gone.html")},
			[]string{"missing: gone.html"}},
		{"errors on a disk", []string{"s/404.html: " + page("p.html"), "s/p.html: "}, "--to disk",
			[]string{"404.html: " + page("p.html"), "p.html: "}, []string{"shown at any depth"}},
		{"a script on a disk",
			[]string{"s/p.html: <script type=module src=m.js></script>", "s/m.js: import './x.js'\n"},
			"--to disk", []string{"m.js: import './x.js'\n", "p.html: <script type=module src=m.js></script>"}, nil},
		{"old addresses", []string{"s/p.html: <a href=q>\n<p>http://old.test/z", "s/r.js: 'http://old.test/z'"},
			"--map http://old.test/=http://new.test/ --find-old",
			[]string{"p.html: <a href=http://new.test/q>\n<p>http://old.test/z", "r.js: 'http://old.test/z'"},
			[]string{"p.html:2:4: ", "r.js:1:2: "}},
		{"missing files", []string{"s/p.html: " + page("q.html") + page("gone.html")}, "--check-files",
			[]string{"p.html: " + page("http://old.test/q.html") + page("http://old.test/gone.html")},
			[]string{"p.html:1:9: missing: q.html", "missing: gone.html"}},
		{"missing files of relative links", []string{"s/p.html: " + page("q.html") + page("gone.html"), "s/q.html: "},
			"--check-files --to relative --map http://old.test/=http://new.test/",
			[]string{"p.html: " + page("q.html") + page("gone.html"), "q.html: "}, []string{"!missing: q.html",
				"missing: gone.html"}},
		{"backups", []string{"s/p.html: " + page("q"), "s/p.html.orig: " + page("q"), "s/q.orig: " + page("q")}, "",
			[]string{"p.html: " + page("http://old.test/q"), "p.html.orig: " + page("q"),
				"q.orig: " + page("http://old.test/q")}, []string{"1 backup copied as written: "}},
		{"mail", []string{"s/a.eml: " + signed, "s/b.eml: " + broken}, "",
			[]string{"a.eml: " + absolute.Replace(signed), "b.eml: " + broken},
			[]string{"1 message has a DKIM", "that the edits break; the originals are unchanged",
				"1 part is signed, encrypted or not editable: left as written"}},
		{"skipped mail", []string{"s/a.eml: " + signed, "s/b.eml: " + signed, "s/c.eml: " + broken},
			"--dkim skip --break-signatures",
			[]string{"a.eml: " + signed, "b.eml: " + signed, "c.eml: " + absolute.Replace(broken)},
			[]string{"2 messages have DKIM", "left as written, by --dkim skip",
				"1 signed part was edited, by --break-signatures"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lay(t, tt.files...)
			before := tree(t, "s")
			got, err := rewrite(t, "root=s=http://old.test/ -o out s "+tt.line)
			if err != nil {
				t.Fatal(err)
			}
			if files := tree(t, "out"); !slices.Equal(files, tt.want) {
				t.Errorf("the outputs are\n%q\nwant\n%q", files, tt.want)
			}
			wantSaid(t, got.err, tt.said)
			if after := tree(t, "s"); !slices.Equal(after, before) {
				t.Errorf("the inputs are now %q", after)
			}
		})
	}
}

// An entry counts the documents, links and edits of its input.
func TestCounts(t *testing.T) {
	parts := "Content-Type: multipart/mixed; boundary=b\nContent-Base: http://a.test/\n\n" +
		"--b\nContent-Type: text/html\n\n<a href=x><img src='http://b.test/'>\n" +
		"--b\nContent-Type: text/html\n\n<a href=x>\n--b--\n"
	lay(t, "a.eml: "+parts, "p.html: <a href=x><a href='#f'><a href='http://b.test/'>")
	got, err := rewrite(t, "-o out a.eml p.html")
	if err != nil {
		t.Fatal(err)
	}
	if files := tree(t, "out"); len(files) != 2 || files[0] != "a.eml: "+absolute.Replace(parts) {
		t.Errorf("the files are %q", files)
	}
	for i, want := range []struct{ documents, edits, absolute, resolved, unresolved int }{
		{2, 2, 1, 2, 0}, {1, 0, 1, 0, 1},
	} {
		l := &got.entries[i].Links
		if l.Documents != want.documents || got.entries[i].Edits.Links != want.edits ||
			l.ByStatus[extract.AbsoluteRef] != want.absolute || l.ByStatus[extract.Resolved] != want.resolved ||
			l.ByStatus[extract.Unresolved] != want.unresolved {
			t.Errorf("%s: got %+v and %+v, want %+v", got.entries[i].Subject.Source, l, got.entries[i].Edits, want)
		}
	}
}

// A URI that is too long for an expression stays as it is written.
func TestLongForExpression(t *testing.T) {
	lay(t, "p.html: <a href='http://a.test/1'><a href='http://a.test/11'>")
	got, err := rewrite(t, "-o out --map-regex /1=/2 p.html",
		func(o *write.Options) { o.Move.MaxMatched = len("http://a.test/1") })
	if err != nil {
		t.Fatal(err)
	}
	const want = "p.html: <a href='http://a.test/2'><a href='http://a.test/11'>"
	if files := tree(t, "out"); len(files) != 1 || files[0] != want {
		t.Errorf("the files are %q, want %q", files, want)
	}
	wantSaid(t, got.err, []string{"p.html:1:", "a URI of 16 bytes is too long for --map-regex, which accepts 15"})
}

// A form of links is refused if it needs a flag that is missing.
func TestFormsRefused(t *testing.T) {
	for line, want := range map[string]string{
		"--to as-written": "changes only links that a rule moves: add --map OLD=NEW",
		"--to as-written --keep canonical --map RULE": "with as-written each link keeps its form",
		"--keep canonical":                            "without --to all links are absolute",
		"--any-depth 404.html":                        "without --to all links are absolute",
		"--to relative":                               "needs --root or --map",
		"--to disk":                                   "needs --root DIR=URI",
		"--to relative --map RULE --base-element absolutize": "drops BASE; leave --base-element out",
		"--base-element drop --element a":                    "rewrites all links that use the BASE",
		"--to as-written --map RULE":                         "",
		"--to relative --map RULE":                           "",
	} {
		lay(t, "p.html: <p>")
		_, err := rewrite(t, "-o out "+strings.ReplaceAll(line, "RULE", "http://a.test/=http://b.test/")+" p.html")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", line, err, want)
		}
	}
}
