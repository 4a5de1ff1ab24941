package place

import (
	"strings"
	"testing"
)

// TestTableIsTidy: names are in lower case. If several rows have one place, all but the last have a
// condition, and they have the same elements and attributes.
func TestTableIsTidy(t *testing.T) {
	seen := map[string]Row{}
	for _, p := range htmlRows {
		if s := p.Elements + p.Attributes + p.If; s != strings.ToLower(s) {
			t.Errorf("upper case in %q", s)
		}
		for e := range strings.FieldsSeq(p.Elements) {
			for a := range strings.FieldsSeq(p.Attributes) {
				before, double := seen[e+" "+a]
				if double && (before.If == "" || p.If == "" ||
					before.Elements != p.Elements || before.Attributes != p.Attributes) {
					t.Errorf("two rows for %s %s", e, a)
				}
				seen[e+" "+a] = p
			}
		}
	}
}

// A heading is only listed.
func TestFieldsTable(t *testing.T) {
	for _, p := range Tables()[2].Rows {
		if p.Elements != "header" || p.Attributes == "" || p.Default == Rewrite ||
			p.Attributes != strings.ToLower(p.Attributes) {
			t.Errorf("row %+v: want element header, names in lower case, and no rewriting", p)
		}
	}
}
