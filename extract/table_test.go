package extract

import (
	"fmt"
	"strings"
	"testing"
)

// sampleValues are values of each type that hold two references, or one.
var sampleValues = map[ValueType]struct {
	value string
	want  []string
}{
	TypeURL:      {"x?a=1&amp;b", []string{"x?a=1&b"}},
	TypeBlanks:   {" x  y ", []string{"x", "y"}},
	TypeCommas:   {"x , y", []string{"x", "y"}},
	TypeSrcset:   {"x 1x, y 2x", []string{"x", "y"}},
	TypeRefresh:  {"1; url=x", []string{"x"}},
	TypeCSS:      {"a:url(x), url('y')", []string{"x", "y"}},
	TypeDocument: {"&lt;a href=x&gt;", []string{"x"}},
	TypeName:     {"x.class", []string{"x.class"}},
	TypeCURIE:    {"x", []string{"x"}},
	TypeNames:    {"x http://e.example/y urn:z", []string{"http://e.example/y", "urn:z"}},
}

// sampleElement returns a start tag before which the element of a row is in its
// namespace, and its name.
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

// TestEveryPlace writes each row of the table for each of its elements and
// attributes, and finds what it wrote, with its span.
func TestEveryPlace(t *testing.T) {
	n := 0
	for _, p := range Places() {
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

func checkPlace(t *testing.T, p Place, element, attr string) {
	t.Helper()
	before, name := sampleElement(element)
	sample := sampleValues[p.Type]
	data := fmt.Sprintf(`%s<%s http-equiv=refresh valuetype=ref %s="%s">`, before, name, strings.ToUpper(attr), sample.value)
	d := &Doc{Format: HTML, Data: []byte(data), Charset: "utf-8"}
	var got []string
	for r := range d.Refs() {
		got = append(got, string(r.Value))
		if r.Identifier != (p.Default == Never) && p.Kind != KindIdentifier || r.ListOnly != (p.Default != Rewrite) {
			t.Errorf("%q: identifier %t, list only %t", data, r.Identifier, r.ListOnly)
		}
		if p.Type != TypeDocument && (r.Attr != attr || r.Element != strings.ToLower(name) || r.Kind != p.Kind) {
			t.Errorf("%q: element %s, attribute %s, kind %s", data, r.Element, r.Attr, r.Kind)
		}
	}
	if strings.Join(got, " ") != strings.Join(sample.want, " ") {
		t.Errorf("Refs(%q) = %q, want %q", data, got, sample.want)
	}
}

// TestTableIsTidy: names are in lower case, and no two rows speak of the same place.
func TestTableIsTidy(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Places() {
		if s := p.Elements + p.Attributes; s != strings.ToLower(s) {
			t.Errorf("upper case in %q", s)
		}
		for e := range strings.FieldsSeq(p.Elements) {
			for a := range strings.FieldsSeq(p.Attributes) {
				if seen[e+" "+a] {
					t.Errorf("two rows for %s %s", e, a)
				}
				seen[e+" "+a] = true
			}
		}
	}
}
