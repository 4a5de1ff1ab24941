package extract

import (
	"fmt"
	"strings"
	"testing"

	"absolink/extract/internal/place"
)

// sampleValues are values of each type with two references, or one.
var sampleValues = map[place.ValueType]struct {
	value string
	want  []string
}{
	place.TypeURL:      {"x?a=1&amp;b", []string{"x?a=1&b"}},
	place.TypeBlanks:   {" x  y ", []string{"x", "y"}},
	place.TypeCommas:   {"x , y", []string{"x", "y"}},
	place.TypeSrcset:   {"x 1x, y 2x", []string{"x", "y"}},
	place.TypeRefresh:  {"1; url=x", []string{"x"}},
	place.TypeCSS:      {"a:url(x), url('y')", []string{"x", "y"}},
	place.TypeDocument: {"&lt;a href=x&gt;", []string{"x"}},
	place.TypeName:     {"x.class", []string{"x.class"}},
	place.TypeCURIE:    {"x", []string{"x"}},
	place.TypeNames:    {"x http://e.example/y urn:z", []string{"http://e.example/y", "urn:z"}},

	place.TypeSemicolons: {"x ;y;; z", []string{"x", "y", "z"}},
	place.TypeAngles:     {"&lt;x&gt;; rel=&quot;a,b&quot;, &lt;y&gt;", []string{"x", "y"}},
	place.TypeQuoted:     {"(PICS-1.1 &quot;http://e.example/x&quot; r &quot;y&quot;)", []string{"http://e.example/x"}},
	place.TypeReports:    {"img-src http://e.example/; Report-URI x y, img-src z", []string{"x", "y"}},
	place.TypeURIs:       {"name=x;action-uri=y;polling-uri2= z", []string{"y", "z"}},
	place.TypeGuess:      {" ./x", []string{"./x"}},
	place.TypeOptional:   {" NONE/", []string{" NONE/"}},
	place.TypeNamed:      {" x y/", []string{" x y/"}},
	place.TypeScript:     {"f('/x', &quot;y&quot;, 'z.png')", []string{"/x", "z.png"}},
}

// sampleElement returns the name of the element of a row, and a start tag that puts it into its
// namespace.
func sampleElement(e string) (before, name string) {
	if name, ok := strings.CutPrefix(e, "svg:"); ok {
		return "<svg>", strings.Replace(name, "*", "g", 1)
	}
	if name, ok := strings.CutPrefix(e, "math:"); ok {
		return "<math>", strings.Replace(name, "*", "mi", 1)
	}
	switch e {
	case "*":
		return "", "p"
	case "-":
		return "", "x-y"
	}
	return "", e
}

// TestEveryPlace writes each row of the table for each of its elements and attributes, and finds
// the written references with their spans.
func TestEveryPlace(t *testing.T) {
	n := 0
	for _, p := range place.Tables()[0].Rows {
		for e := range strings.FieldsSeq(p.Elements) {
			for a := range strings.FieldsSeq(p.Attributes) {
				n++
				checkPlace(t, p, e, a)
			}
		}
	}
	if n < 200 {
		t.Errorf("%d places, want at least 200", n)
	}
}

// sampleCondition returns attributes that fulfil the condition of a row.
func sampleCondition(p *place.Row) string {
	attrs, values, _ := strings.Cut(p.If, "=")
	if p.If == "" {
		return ""
	}
	value := strings.ReplaceAll(strings.Fields(values)[0], "*", "o")
	return fmt.Sprintf(`%s=" %s "`, strings.Fields(attrs)[0], strings.ToUpper(value))
}

func checkPlace(t *testing.T, p place.Row, element, attr string) {
	t.Helper()
	before, name := sampleElement(element)
	sample := sampleValues[p.Type]
	attr = strings.ReplaceAll(attr, "*", "click")
	if p.Default == place.Bookmarks {
		before = "<!DOCTYPE NETSCAPE-Bookmark-file-1>" + before
	}
	data := fmt.Sprintf(`%s<%s %s %s="%s">`, before, name, sampleCondition(&p), strings.ToUpper(attr), sample.value)
	d := &Doc{Format: HTML, Data: []byte(data), Charset: "utf-8",
		Options: Options{Lazy: p.Default == place.Lazy, Scripts: p.Default == place.Scripts}}
	var got []string
	for r := range d.Refs() {
		if r.Attr != attr && p.Type != place.TypeDocument {
			continue // of the condition
		}
		got = append(got, string(r.Value))
		fixed := p.Default == place.ListOnly || p.Default == place.Never || p.Default == place.LazyRewrite
		if r.Identifier != (p.Default == place.Never) && p.Kind != place.KindIdentifier || r.ListOnly != fixed {
			t.Errorf("%q: identifier %t, list only %t", data, r.Identifier, r.ListOnly)
		}
		if p.Type != place.TypeDocument && (r.Element != strings.ToLower(name) ||
			r.Kind != Kind(p.Kind) && p.Type != place.TypeURIs) {
			t.Errorf("%q: element %s, attribute %s, kind %s", data, r.Element, r.Attr, r.Kind)
		}
	}
	if strings.Join(got, " ") != strings.Join(sample.want, " ") {
		t.Errorf("Refs(%q) = %q, want %q", data, got, sample.want)
	}
	checkOptional(t, p, data, attr)
}

// checkOptional: a place that needs an option or a format is not found without it.
func checkOptional(t *testing.T, p place.Row, data, attr string) {
	t.Helper()
	d := &Doc{Format: HTML, Data: []byte(data), Charset: "utf-8"}
	for r := range d.Refs() {
		if r.Attr == attr && (p.Default == place.Lazy || p.Default == place.Scripts) {
			t.Errorf("%q: found without the option", data)
		}
	}
	if p.Default != place.Bookmarks {
		return
	}
	_, tag, _ := strings.Cut(data, ">")
	for _, before := range []string{"", "<!doctype html>", "<p>", "<!-- <!DOCTYPE NETSCAPE-Bookmark-file-1> -->"} {
		d := &Doc{Format: HTML, Data: []byte(before + tag), Charset: "utf-8"}
		for r := range d.Refs() {
			t.Errorf("%q: found %s outside of bookmarks", d.Data, r.Attr)
		}
	}
	d = &Doc{Format: Bookmarks, Data: []byte(tag), Charset: "utf-8"}
	for range d.Refs() {
		return
	}
	t.Errorf("%q: not found in bookmarks", tag)
}
