package mime

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/extract"
)

const testMail = "../testdata/mail"

// mailFiles returns the project's own messages by name.
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
	if len(files) < 64 {
		t.Fatalf("%d messages in %s, want at least 64", len(files), testMail)
	}
	return files
}

// wantRows returns the rows of a table of tab-separated fields, by their first field.
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
	return strings.TrimRight(fmt.Sprintf("%s\t%s\t%v\t%s", r.part, lineEnds.Replace(r.value), r.status, r.uri), "\t")
}

var lineEnds = strings.NewReplacer("\r", `\r`, "\n", `\n`)

// listed returns the links of every leaf of a message that a rewriter reads.
func listed(t testing.TB, m *Message) (rows []row) {
	t.Helper()
	names := m.InMessage(nil, nil)
	for e := range m.Root.All() {
		if f := e.Format(); len(e.Parts) > 0 || f == extract.Unknown || f == extract.Plain || f == extract.Heading {
			continue
		}
		l, err := e.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		r, d := extract.Resolver{InMessage: names(e)}, l.Doc(nil)
		for link := range r.Links(d) {
			rows = append(rows, row{e.Section, string(link.Value), string(link.URI), link.Status, link.ListOnly ||
				d.ReadOnly()})
		}
	}
	return rows
}

// TestMailLinks compares the links of the messages with links.tsv. The messages follow the examples
// of RFC 2110 and RFC 2557 Section 9, or are further ones.
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

// TestMailProblems compares the defects of the messages, and the reasons why a leaf stays
// unchanged, with problems.tsv.
func TestMailProblems(t *testing.T) {
	want := wantRows(t, "problems.tsv")
	for name, msg := range mailFiles(t) {
		m := parse(t, string(msg))
		var got []string
		for _, d := range m.Defects {
			got = append(got, fmt.Sprintf("%s\t%d\t%s", d.Part, d.Offset, d.Text))
		}
		for e := range m.Root.All() {
			if l, err := e.Leaf(); err == nil {
				got = append(got, leafProblems(l)...)
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

// leafProblems returns the problems of a leaf: why it stays unchanged, and why its text cannot be
// read.
func leafProblems(l *Leaf) (rows []string) {
	if reason := strings.Trim(l.Protected()+", "+l.Problem, ", "); reason != "" {
		rows = append(rows, fmt.Sprintf("%s\t%d\t%s", l.Entity.Section, l.Entity.Body.Start, reason))
	}
	d := l.Doc(nil)
	if d.Format == extract.Unknown {
		return rows
	}
	for range d.Refs() {
	}
	for _, p := range d.Problems() {
		rows = append(rows,
			fmt.Sprintf("%s\t%d\t%s", d.Part, l.Source(extract.Span{Start: p.Offset, End: p.Offset}).Start, p.Kind))
	}
	return rows
}

// absolute rewrites a message as the command does. It returns the edits and the parts that stay
// unchanged.
func absolute(t testing.TB, name string, msg []byte) (edits []Edit, kept map[string]bool) {
	t.Helper()
	m := parse(t, string(msg))
	c, names := m.Change(), m.InMessage(nil, nil)
	kept = map[string]bool{}
	for e := range m.Root.All() {
		if f := e.Format(); len(e.Parts) > 0 || f == extract.Unknown || f == extract.Plain {
			continue
		}
		l, err := e.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		r := extract.Resolver{InMessage: names(e)}
		if err := c.Edit(l, r.Edits(nil, l.Doc(nil))); err != nil {
			kept[e.Section] = true
		}
	}
	edits, err := c.Edits()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return edits, kept
}

// TestMailRewrite rewrites each message. Links that were resolved and may be edited become
// absolute, all others keep their status, and a second rewriting changes nothing.
func TestMailRewrite(t *testing.T) {
	for name, msg := range mailFiles(t) {
		edits, kept := absolute(t, name, msg)
		out := applied(t, string(msg), edits)
		was, is := listed(t, parse(t, string(msg))), listed(t, parse(t, out))
		for i, r := range was {
			if r.status == extract.Resolved && !r.listOnly && !kept[r.part] {
				was[i].status, was[i].value = extract.AbsoluteRef, r.uri
			}
		}
		if !slices.Equal(was, is) {
			t.Errorf("%s: links after rewriting\n%v\nwant\n%v", name, is, was)
		}
		if again, _ := absolute(t, name, []byte(out)); len(again) > 0 {
			t.Errorf("%s: rewriting twice changes more: %v", name, again)
		}
	}
}

// TestMailEdits compares the edits of each message with edits.tsv. There must be no others.
func TestMailEdits(t *testing.T) {
	want := wantRows(t, "edits.tsv")
	for name, msg := range mailFiles(t) {
		edits, _ := absolute(t, name, msg)
		var got []string
		for _, e := range edits {
			got = append(got, fmt.Sprintf("%d\t%q\t%q", e.Start, msg[e.Start:e.End], e.New))
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want[name], "\n"); g != w {
			t.Errorf("%s: edits\n%s\nwant\n%s", name, g, w)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("edits.tsv has rows of %s, which is not there", name)
	}
}
