package extract

import (
	"fmt"
	"testing"

	"absolink/testdata/corpus"
)

// Reading the text of pages changes no other reference: same places, values and layers, in the same
// order.
func TestVisibleTextOfCorpus(t *testing.T) {
	found := 0
	for _, page := range corpus.Documents(t, "pages", "html") {
		for bits := range uint8(16) {
			if bits != 0 && bits != 7 {
				continue
			}
			d := document(page.Data, "", optionsOf(bits))
			var want []string
			for r := range d.Refs() {
				want = append(want, describeRef(&r))
			}
			d = document(page.Data, "", optionsOf(bits|16))
			n, at := 0, 0
			for r := range d.Refs() {
				if r.Start < at {
					t.Errorf("%s: the reference at %d comes after %d", page.Name, r.Start, at)
				}
				if r.InText() {
					found++
					continue
				}
				if n == len(want) || describeRef(&r) != want[n] {
					t.Fatalf("%s: reference %d: got %s, want %q",
						page.Name, n, describeRef(&r), want[min(n, len(want)-1)])
				}
				n++
			}
			if n < len(want) {
				t.Errorf("%s: %d references, want %d", page.Name, n, len(want))
			}
		}
	}
	t.Logf("%d URLs in text", found)
	if least := corpus.Least(20, 1); found < least {
		t.Errorf("%d URLs in text, want at least %d", found, least)
	}
}

func describeRef(r *Ref) string {
	layers := ""
	for l := r.Layer; l != nil; l = l.Outer {
		layers += fmt.Sprintf(" %v %q", l.Source, l.Value)
	}
	return fmt.Sprintf("%d-%d %s %s %q %s %t", r.Start, r.End, r.Element, r.Attr, r.Value, layers, r.ListOnly)
}
