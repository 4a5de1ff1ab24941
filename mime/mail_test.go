package mime

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/extract"
)

const testMail = "../testdata/mail"

// mailFiles returns the messages of the project's own by name.
func mailFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, pattern := range []string{"*.eml", "*.mht"} {
		paths, err := filepath.Glob(filepath.Join(testMail, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			msg, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(path)] = msg
		}
	}
	if len(files) < 28 {
		t.Fatalf("%d messages in %s, want at least 28", len(files), testMail)
	}
	return files
}

// wantRows returns the rows of a table of tab-separated fields by their first.
func wantRows(t testing.TB, name string) map[string][]string {
	t.Helper()
	table, err := os.ReadFile(filepath.Join(testMail, name))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		file, rest, _ := strings.Cut(line, "\t")
		rows[file] = append(rows[file], rest)
	}
	return rows
}

// row is one link of a message.
type row struct {
	part, value, uri string
	status           extract.Status
	listOnly         bool
}

func (r row) String() string {
	return strings.TrimRight(fmt.Sprintf("%s\t%s\t%v\t%s", r.part, r.value, r.status, r.uri), "\t")
}

// listed returns the links of every HTML leaf of a message.
func listed(t testing.TB, m *Message) (rows []row) {
	t.Helper()
	names := m.Names(nil, nil)
	for e := range m.Root.All() {
		if !e.HTML() || len(e.Parts) > 0 {
			continue
		}
		l, err := e.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		r := extract.Resolver{InMessage: names.For(e)}
		for link := range r.Links(l.Doc(nil)) {
			rows = append(rows, row{e.Section, string(link.Value), string(link.URI), link.Status, link.ListOnly})
		}
	}
	return rows
}

// TestMailLinks holds the links of the messages after the examples of RFC 2110
// and RFC 2557, Section 9 each, and of others against links.tsv.
func TestMailLinks(t *testing.T) {
	want := wantRows(t, "links.tsv")
	for name, msg := range mailFiles(t) {
		var got []string
		for _, r := range listed(t, parse(t, string(msg))) {
			got = append(got, r.String())
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want[name], "\n"); g != w {
			t.Errorf("%s: links\n%s\nwant\n%s", name, g, w)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("links.tsv has rows of %s, which is not there", name)
	}
}

// TestMailProblems holds the defects of the messages, and the reasons why a leaf
// stays as it is, against problems.tsv.
func TestMailProblems(t *testing.T) {
	want := wantRows(t, "problems.tsv")
	for name, msg := range mailFiles(t) {
		m := parse(t, string(msg))
		var got []string
		for _, d := range m.Defects {
			got = append(got, fmt.Sprintf("%s\t%d\t%s", d.Part, d.Offset, d.Text))
		}
		for e := range m.Root.All() {
			if l, err := e.Leaf(); err == nil && l.Protected()+l.Problem != "" {
				got = append(got, fmt.Sprintf("%s\t%d\t%s", e.Section, e.Body.Start, l.Protected()+l.Problem))
			}
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want[name], "\n"); g != w {
			t.Errorf("%s: problems\n%s\nwant\n%s", name, g, w)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("problems.tsv has rows of %s, which is not there", name)
	}
}

// absolute rewrites a message as the command does, and returns the parts that
// stay as they are.
func absolute(t testing.TB, name string, msg []byte) (out []byte, kept map[string]bool) {
	t.Helper()
	m := parse(t, string(msg))
	c, names := m.Change(), m.Names(nil, nil)
	kept = map[string]bool{}
	for e := range m.Root.All() {
		if !e.HTML() {
			continue
		}
		l, err := e.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		r := extract.Resolver{InMessage: names.For(e)}
		if err := c.Edit(l, r.Edits(nil, l.Doc(nil))); err != nil {
			kept[e.Section] = true
		}
	}
	edits, err := c.Edits()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return []byte(applied(t, string(msg), edits)), kept
}

// TestMailRewrite rewrites each message: what was resolved and may be edited is
// absolute then, everything else keeps its status, and doing it again changes
// nothing.
func TestMailRewrite(t *testing.T) {
	allKept := map[string]string{"signed.eml": "1.1", "clearsigned.eml": "1", "truncated.eml": "1"}
	for name, msg := range mailFiles(t) {
		out, kept := absolute(t, name, msg)
		if part := allKept[name]; len(kept) > 1 || len(kept) == 1 && !kept[part] || len(kept) == 0 && part != "" {
			t.Errorf("%s: parts %v stay, want only %q", name, kept, part)
		}
		was, is := listed(t, parse(t, string(msg))), listed(t, parse(t, string(out)))
		for i, r := range was {
			if r.status == extract.Resolved && !r.listOnly && !kept[r.part] {
				was[i].status, was[i].value = extract.AbsoluteRef, r.uri
			}
		}
		if !slices.Equal(was, is) {
			t.Errorf("%s: links after rewriting\n%v\nwant\n%v", name, is, was)
		}
		if again, _ := absolute(t, name, out); !bytes.Equal(again, out) {
			t.Errorf("%s: rewriting twice changes more:\n%s", name, again)
		}
	}
}

// TestMailBytes has the rewritten bytes of a few messages written out.
func TestMailBytes(t *testing.T) {
	files := mailFiles(t)
	for _, c := range []struct {
		name     string
		old, new []string
	}{
		{"oddquoted.eml", []string{"<a href=3D\"ver=\ny/long/path.html\">"}, []string{"<a href=3D\"http://example.org/d/very/long/path.html\">"}},
		{"mixedends.eml", []string{`"x.html"`, `"y.html"`}, []string{`"http://example.org/d/x.html"`, `"http://example.org/d/y.html"`}},
		{"signed.eml", []string{`"footer.html"`}, []string{`"http://example.org/d/footer.html"`}},
		{"counts.eml", []string{`"x.html"`, `"y.html"`, "Content-Length: 46"}, []string{`"http://example.org/d/x.html"`, `"http://example.org/d/y.html"`, "Content-Length: 88"}},
		{"long.eml", []string{` class="c" href="x.html"`}, []string{` class="c"` + "\n" + ` href="http://example.org/d/x.html"`}},
		{"cr.eml", []string{`<a href=3D"x.html">x</a> `}, []string{`<a href=3D"http://example.org/d/x.html">x</a> `}},
		{"word.mht", nil, nil},
		{"truncated.eml", nil, nil},
		{"noboundary.eml", nil, nil},
		{"external.eml", nil, nil},
	} {
		want := string(files[c.name])
		for i := range c.old {
			if strings.Count(want, c.old[i]) != 1 {
				t.Errorf("%s holds %q %d times, want once", c.name, c.old[i], strings.Count(want, c.old[i]))
			}
			want = strings.Replace(want, c.old[i], c.new[i], 1)
		}
		if got, _ := absolute(t, c.name, files[c.name]); string(got) != want {
			t.Errorf("%s rewritten:\n%q\nwant\n%q", c.name, got, want)
		}
	}
}
