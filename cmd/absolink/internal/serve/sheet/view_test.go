package sheet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/cmd/absolink/internal/hypertext"
)

// The parts of a message come before its headings. A heading without links is only there if it is
// the current document. A long list is cut around the current document.
func TestParts(t *testing.T) {
	v := &View{Documents: []Document{{N: 0, Heading: true, Links: 1}, {N: 1, Part: "1"},
		{N: 2, Part: "2", Heading: true}, {N: 3, Part: "2", Links: 4}}}
	numbers := func() (list []int) {
		for _, d := range v.Parts() {
			list = append(list, d.N)
		}
		return list
	}
	for doc, want := range [][]int{{1, 3, 0}, {1, 3, 0}, {1, 3, 0, 2}, {1, 3, 0}} {
		v.Doc = doc
		if got := numbers(); !slices.Equal(got, want) {
			t.Errorf("Parts with document %d: got %v, want %v", doc, got, want)
		}
	}
	v.Documents = nil
	for n := range 100 {
		v.Documents = append(v.Documents, Document{N: n, Links: 1})
	}
	for _, tt := range []struct{ doc, first, last int }{{0, 0, 39}, {50, 30, 69}, {99, 60, 99}} {
		v.Doc = tt.doc
		if got := numbers(); len(got) != pageParts || got[0] != tt.first || got[pageParts-1] != tt.last {
			t.Errorf("Parts with document %d of 100: got %v, want %d to %d", tt.doc, got, tt.first, tt.last)
		}
	}
}

// A problem is a note if nothing was lost. Each list has at most 20.
func TestRemarks(t *testing.T) {
	var v View
	for i := range 25 {
		v.AddRemark("2", fmt.Sprint("lost ", i), false)
		v.AddRemark("", fmt.Sprint("kept ", i), true)
	}
	if len(v.Problems) != 20 || v.Problems[19] != "part 2: lost 19" || len(v.Notes) != 20 || v.Notes[19] != "kept 19" {
		t.Errorf("got the problems %q and the notes %q", v.Problems, v.Notes)
	}
}

// The line of the base names its layer. The figure has only boxes with layers.
func TestBaseLine(t *testing.T) {
	element := &base.Layer{Source: base.BaseElement, Value: "a/", Part: "2.1",
		Outer: &base.Layer{Source: base.Option, Value: "http://e/d/"}}
	document := &Document{Part: "2.1", Type: "text/html", Links: 1}
	for _, tt := range []struct {
		layers *base.Layer
		policy *base.Policy
		line   string
		boxes  []string // the outermost first
	}{
		{element, nil, "base: <code>http://e/<wbr>d/<wbr>a/<wbr></code> from the BASE element of part 2.1",
			[]string{"5.1.3", "5.1.1"}},
		{element.Outer, nil, "base: <code>http://e/<wbr>d/<wbr></code> from the option --base", []string{"5.1.3"}},
		{&base.Layer{Source: base.XMLBase, Value: "http://e/"}, nil, "base: <code>http://e/<wbr></code> from xml:base",
			[]string{"5.1.1"}},
		{&base.Layer{Source: base.ContentBase, Value: "mailto:x"}, nil, "base: none</summary>", []string{"5.1.2"}},
		{nil, nil, "base: none</summary>", nil},
	} {
		var v View
		v.draw([]base.Step{{Layer: element, URI: "http://old.example/", Used: true}}, document)
		v.BaseURI, _ = tt.layers.Base(tt.policy)
		v.draw(tt.layers.Explain(tt.policy), document)
		var boxes []string
		for b := v.Figure; b != nil; b = b.Inner {
			boxes = append(boxes, b.Section)
			if (b.Document == document) != (b.Inner == nil) {
				t.Errorf("%s: the document is not in the innermost box", tt.line)
			}
		}
		var out strings.Builder
		(&page{hypertext.NewWriter(&out)}).base(&Page{View: &v})
		if !slices.Equal(boxes, tt.boxes) || !strings.Contains(out.String(), tt.line) {
			t.Errorf("got the boxes %q and %s, want %q and %s", boxes, &out, tt.boxes, tt.line)
		}
	}
}

// Each sample is there, under its own name.
func TestSamples(t *testing.T) {
	for _, each := range samples {
		if s := SampleNamed(each.File); s == nil || s.File != each.File || len(s.Data()) < 500 {
			t.Errorf("SampleNamed(%s): got %v", each.File, s)
		}
	}
	if s := SampleNamed("../samples.go"); s != nil {
		t.Errorf("SampleNamed of another file: got %v, want nil", s)
	}
}
