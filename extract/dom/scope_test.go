package dom

import (
	"fmt"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"

	"absolink/extract"
)

func scope(t testing.TB, d *extract.Doc) *Scope {
	t.Helper()
	s := new(Scope)
	if err := s.Reset(d); err != nil {
		t.Fatalf("Reset(%q): %v", d.Data, err)
	}
	return s
}

func TestSelect(t *testing.T) {
	const page = `<nav><a href=1>one</a></nav><table><a href=2></a><tr><td><a href=3 class=x></a></table><main style="a:url(4)"><style>b{c:url(5)}</style>` +
		`<script type=importmap>{"imports":{"a":"./6"}}</script><iframe srcdoc="<a href=7>"></iframe><!--<a href=8>--><template><a href=9></a></template></main>` +
		`<td><a href=10></a></td><p><b><a href=11>x<p><img src=12></b></a><a href=13/absolink-ordinal=0>`
	for _, c := range []struct{ selector, want string }{
		{"nav", "1"},
		{"table a", "3"},
		{"a.x, nav", "1 3"},
		{"main", "4 5 ./6 7 8 9"},
		{"style", "5"},
		{"main *", "5 ./6 7 9"},
		{"[style]", "4 5 ./6 7 8 9"},
		{"[absolink-ordinal]", ""},
		{"a[href='11'] img", "12"},
		{"body > a", "2 10"},
		{"h1", ""},
		{"*", "1 2 3 4 5 ./6 7 8 9 10 11 12 13/absolink-ordinal=0"},
	} {
		d := &extract.Doc{Format: extract.HTML, Data: []byte(page),
			Charset: "utf-8", Options: extract.Options{Comments: true}}
		s := scope(t, d)
		sel, err := cascadia.Compile(c.selector)
		if err != nil {
			t.Fatal(err)
		}
		s.Select(sel)
		var got []string
		for r := range d.Refs() {
			if s.Selected(r) {
				got = append(got, string(r.Value))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("references in %s: got %q, want %q", c.selector, got, c.want)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ charset, page, want string }{
		{"iso-8859-1", "<a href=1>\n the <b>first\tlink</b></a>", "the first link"},
		{"iso-8859-1", `<a href=1><img alt="a picture"><script>no</script><br>text</a>`, "a picture text"},
		{"iso-8859-1", `<a href=1 title="a title"></a>`, "a title"},
		{"iso-8859-1", `<area href=1 alt=alt title=title>`, "alt"},
		{"iso-8859-1", `<table><a href=1>moved</a></table>`, "moved"},
		{"iso-8859-1", `<p style="a:url(1)">not this</p>`, ""},
		{"iso-8859-1", "<a href=1>caf\xe9</a>", "café"},
		{"iso-8859-15", "<a href=1>\x81\xa4</a>", "\u0081\u20ac"},
		{"gbk", "<a href=1>\xaa\xa1\x81\"</a>", "\ue000\ufffd\""},
	} {
		d := &extract.Doc{Format: extract.HTML, Data: []byte(c.page), Charset: c.charset}
		s := scope(t, d)
		for r := range d.Refs() {
			if got := s.Text(r); got != c.want {
				t.Errorf("text of %q: got %q, want %q", c.page, got, c.want)
			}
		}
	}
}

// In UTF-16 the offsets of tags are offsets of the raw bytes.
func TestScopeWide(t *testing.T) {
	var data []byte
	for _, c := range "<p><a href=1>é</a></p><a href=2>x</a>" {
		data = append(data, byte(c), byte(c>>8))
	}
	d := &extract.Doc{Format: extract.HTML, Data: data, Charset: "utf-16le"}
	s := scope(t, d)
	s.Select(cascadia.MustCompile("p a"))
	got := ""
	for r := range d.Refs() {
		got += fmt.Sprint(string(r.Value), s.Selected(r), s.Text(r), " ")
	}
	if want := "1 true é 2 false x "; strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(want), "") {
		t.Errorf("references: got %q, want %q", got, want)
	}
}

// FuzzScope: a selector of everything selects each reference of the tree, and the numbers do not
// change the tree.
func FuzzScope(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Add([]byte("\xfe\xff"))
	f.Add([]byte("<!-- a --><!--><!---><!--x--!><a/href=1><br/><svg/><a href=2>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &extract.Doc{Format: extract.HTML, Data: data, Charset: "utf-8"}
		var s Scope
		// a byte order mark takes precedence over the charset
		if err := s.Reset(d); err != nil || d.Encoding() != "utf-8" {
			return
		}
		doc, err := read(strings.NewReader(string(data)))
		if err != nil {
			return
		}
		a, b := doc.Nodes[0], s.doc.Nodes[0]
		for a != nil && b != nil {
			if a.Type != b.Type || a.Data != b.Data || len(a.Attr) != len(b.Attr) {
				t.Fatalf("%q: node %q %v became %q %v", data, a.Data, a.Attr, b.Data, b.Attr)
			}
			a, b = next(a, doc.Nodes[0], false), next(b, s.doc.Nodes[0], false)
		}
		if a != b {
			t.Fatalf("%q: the trees differ in length", data)
		}
	})
}
