// Package readingtest reads documents with one finder, for the tests of the packages with finders.
package readingtest

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"absolink/base"
	"absolink/extract/internal/charset"
	"absolink/extract/internal/escape"
	"absolink/extract/internal/page"
	"absolink/extract/internal/reading"
	"absolink/extract/internal/ref"
)

// Doc is a document and the finder that reads it. A Doc can be read again, with other fields. It
// keeps the memory of its finder like a reader of many documents.
type Doc struct {
	Find     func(f *page.Finder) // reads the text of f, which is the text of Data
	Data     []byte
	Charset  string              // by the transport, or ""
	Declared charset.Declaration // how Data may declare its charset
	Layer    *base.Layer         // around the document
	Part     string              // the section of the document in a message
	Options  reading.Options

	in     reading.Document
	finder page.Finder
}

// Read reads the document to its end and returns the result, which is valid until the next Read. ok
// is false if the charset cannot be read.
func (d *Doc) Read() (found *reading.Document, ok bool) {
	d.in.Options, d.in.Transport = d.Options, d.Charset
	ok = d.in.Reset(&d.finder.Text, d.Data, d.Declared, d.Layer, d.Part, &d.finder.Scan)
	d.finder.Reset()
	if ok {
		d.Find(&d.finder)
	}
	d.in.Finish()
	return &d.in, ok
}

// Refs reads the document and returns its references. Each is valid until the next one.
func (d *Doc) Refs() iter.Seq[ref.Ref] {
	return func(yield func(ref.Ref) bool) {
		in, _ := d.Read()
		for i := range in.Refs.Kept {
			k := &in.Refs.Kept[i]
			if !yield(ref.Ref{Span: k.Span, Value: in.Refs.Value(k), Shape: in.Refs.Shapes[k.Shape]}) {
				return
			}
		}
	}
}

// Text returns the text that was read last.
func (d *Doc) Text() *reading.Text { return &d.finder.Text }

// Problems reads the document and returns its defects, each as "offset kind".
func (d *Doc) Problems() (list []string) {
	in, _ := d.Read()
	for _, p := range in.Problems {
		list = append(list, fmt.Sprintf("%d %s", p.Offset, p.Kind))
	}
	return list
}

// Described reads the document and returns its references, as [Describe] does, and its problems.
// The last element is "open" if the document ends inside an element of XML.
func (d *Doc) Described() (list []string) {
	for r := range d.Refs() {
		list = append(list, Describe(r))
	}
	list = append(list, d.Problems()...)
	if d.in.Open {
		list = append(list, "open")
	}
	return list
}

// Check reads the document twice. It fails t if the result of [Doc.Described] is not want.
func (d *Doc) Check(t *testing.T, name string, want []string) {
	t.Helper()
	for range 2 {
		if got := d.Described(); !slices.Equal(got, want) {
			t.Errorf("%s: references of %q:\n  %s\nwant\n  %s", name, d.Data,
				strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}

// Describe returns a reference as text: the span, the place, the value, the layers, the names of
// its marks, and after a slash each context around it. It leaves out properties that most
// references of attributes share.
func Describe(r ref.Ref) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d-%d %s@%s %s %q", r.Start, r.End, r.Element, r.Attr, r.Kind, r.Value)
	if r.Rel != "" {
		fmt.Fprintf(&b, " rel=%q", r.Rel)
	}
	if r.LayerNumber < 0 {
		fmt.Fprintf(&b, " layer=%d", r.LayerNumber)
	}
	for l := r.Layer; l != nil; l = l.Outer {
		fmt.Fprintf(&b, " in %s %q", l.Source, l.Value)
	}
	marks := []struct {
		name string
		set  bool
	}{
		{"identifier", r.Identifier}, {"listed", r.ListOnly}, {"doubtful", r.Doubtful}, {"unsafe", r.Unsafe},
		{"form", r.Form}, {"broken", r.Broken}, {"absolute", !r.Relative}, {"hyphen", r.Hyphen},
		{"unclear", r.Unclear}, {"joined", r.Joined}, {"prefix", r.Prefix}, {"template", r.Template == ref.NearPiece},
		{"utf8", r.UTF8},
	}
	for _, m := range marks {
		if m.set {
			b.WriteString(" " + m.name)
		}
	}
	if r.Doubt != 0 {
		fmt.Fprintf(&b, " doubt=%d", r.Doubt)
	}
	for c := &r.Context; c != nil; c = c.Outer {
		if c != &r.Context {
			b.WriteString(" /")
		}
		describeContext(&b, c)
	}
	return b.String()
}

// describeContext appends the fields of a context that differ from the context of a value in double
// quotes.
func describeContext(b *strings.Builder, c *escape.Context) {
	if c.Quote != '"' {
		fmt.Fprintf(b, " quote=%q", c.Quote)
	}
	if c.Inner != 0 {
		fmt.Fprintf(b, " inner=%q", c.Inner)
	}
	numbers := []struct {
		name string
		n    int
	}{
		{"list", int(c.List)}, {"token", int(c.Token)}, {"bare", int(c.Bare)}, {"wide", int(c.Wide)},
		{"roman", int(c.Roman)}, {"open", int(c.Open)},
	}
	for _, n := range numbers {
		if n.n != 0 {
			fmt.Fprintf(b, " %s=%d", n.name, n.n)
		}
	}
	marks := []struct {
		name string
		set  bool
	}{
		{"sheet", c.Sheet}, {"xml", c.XML}, {"comment", c.Comment}, {"hyphens", c.Hyphens}, {"cdata", c.CDATA},
		{"literal", c.Literal},
		{"fixed", c.Fixed},
	}
	for _, m := range marks {
		if m.set {
			b.WriteString(" " + m.name)
		}
	}
}

// UTF16 returns s in UTF-16 with a byte order mark.
func UTF16(s string, big bool) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}
