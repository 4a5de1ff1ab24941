package extract

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"absolink/extract/internal/place"
)

// The names of the references in constructs.html contain the expected result. The letter is the
// base, or the option that the reference needs, and the word is the kind.
var constructBases = map[string]string{
	"d": "http://d.example/d/", // around the document
	"b": "http://b.example/b/", // BASE
	"o": "http://o.example/o/", // the codebase
	"i": "http://i.example/i/", // the BASE of a srcdoc
	"j": "http://j.example/j/", // the @base of linked data
	"l": "http://b.example/b/", // with Options.Lazy
	"s": "http://b.example/b/", // with Options.Scripts
	"k": "http://b.example/b/", // with Options.Comments
	"m": "http://b.example/b/", // in bookmarks
	"a": "", "z": "",           // absolute or without a URI; a codebase that is a reference itself
}

// constructs returns constructs.html.
func constructs(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "torture", "constructs.html"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestConstructs(t *testing.T) {
	data := constructs(t)
	want := map[string]bool{}
	for _, m := range tortureName.FindAllStringSubmatch(string(data), -1) {
		want[m[0]] = true
	}
	for _, tt := range []struct {
		name    string
		format  Format
		o       Options
		letters string
	}{
		{"default", HTML, Options{}, "dboijaz"},
		{"message", HTML, Options{ConditionalComments: true}, "dboijaz"},
		{"lazy", HTML, Options{Lazy: true}, "dboijazl"},
		{"scripts", HTML, Options{Scripts: true}, "dboijazs"},
		{"all", HTML, Options{Lazy: true, Scripts: true, Comments: true}, "dboijazlsk"},
		{"bookmarks", Bookmarks, Options{}, "dboijazm"},
	} {
		d := tortureDoc(data)
		d.Format, d.Options = tt.format, tt.o
		found := map[string]*Link{}
		var r Resolver
		for l := range r.Links(d) {
			checkConstruct(t, tt.name, data, l, found)
		}
		for name := range want {
			if strings.Contains(tt.letters, name[:1]) && found[name] == nil {
				t.Errorf("%s: %s is not found", tt.name, name)
			} else if !strings.Contains(tt.letters, name[:1]) && found[name] != nil && !tt.o.ConditionalComments {
				t.Errorf("%s: %s is found", tt.name, name)
			}
		}
		constructsRewritten(t, tt.name, d, found)
	}
	if len(want) < 374 {
		t.Errorf("%d references in the document, want at least 374", len(want))
	}
}

// An attribute that is added to the table of HTML must be in the document, on one of the elements
// of its row.
func TestConstructsHaveEveryAttribute(t *testing.T) {
	d := tortureDoc(constructs(t))
	d.Format, d.Options = Bookmarks, Options{Lazy: true, Scripts: true}
	has := map[string]bool{}
	for r := range d.Refs() {
		attr := r.Attr
		if strings.HasPrefix(attr, "on") {
			attr = "on*"
		}
		if attr == "data-settings" {
			attr = "data-*"
		}
		has[r.Element+" "+attr], has["* "+attr] = true, true
		if strings.Contains(r.Element, "-") {
			has["- "+attr] = true
			if strings.HasPrefix(r.Element, "amp-") {
				has["amp-* "+attr] = true
			}
		}
	}
	for _, p := range place.Tables()[0].Rows {
		if p.Type == place.TypeDocument {
			continue // a reference in it has the attribute of the element inside
		}
		for attr := range strings.FieldsSeq(p.Attributes) {
			there := false
			for element := range strings.FieldsSeq(p.Elements) {
				element = strings.TrimPrefix(strings.TrimPrefix(element, "svg:"), "math:")
				there = there || has[element+" "+attr]
			}
			if !there {
				t.Errorf("testdata/torture/constructs.html: no %s on %.40s: add a value such as b-res-999, with a "+
					"number that the file does not have yet", attr, p.Elements)
			}
		}
	}
}

// checkConstruct compares a link with the result in its name.
func checkConstruct(t *testing.T, run string, data []byte, l Link, found map[string]*Link) {
	t.Helper()
	if bad := tortureNone.Find(l.Value); bad != nil && l.Status != AbsoluteRef {
		t.Errorf("%s: %s is found", run, bad)
	}
	m := tortureName.FindStringSubmatch(string(l.Value))
	if m == nil || isScript(l.Value) {
		return
	}
	if found[m[0]] != nil {
		t.Errorf("%s: %s is found twice", run, m[0])
	}
	l.URI = append([]byte(nil), l.URI...)
	found[m[0]] = &l
	if want := constructBases[m[1]]; want != "" && !strings.HasPrefix(string(l.URI), want+m[0]) {
		t.Errorf("%s: %s is %q, want base %s", run, m[0], l.URI, want)
	}
	if l.Kind.String() != m[2] {
		t.Errorf("%s: %s is of kind %s", run, m[0], l.Kind)
	}
	if raw := string(data[l.Start:l.End]); !strings.Contains(raw, m[3]) || strings.ContainsAny(raw, "<>") {
		t.Errorf("%s: %s at %q", run, m[0], raw)
	}
}

// constructsRewritten rewrites the document. Each reference is unchanged, and according to the tree
// nothing else has changed.
func constructsRewritten(t *testing.T, run string, d *Doc, found map[string]*Link) {
	t.Helper()
	var r Resolver
	data := d.Data
	out := Apply(nil, data, r.Edits(nil, d))
	j := judgeOf(d.Options)
	j.comments = j.comments || d.Options.ConditionalComments
	j.check(t, run, data, out)
	d.Data = out
	n := 0
	for l := range r.Links(d) {
		name := tortureName.FindString(string(l.Value))
		before := found[name]
		if before == nil || isScript(l.Value) {
			continue
		}
		n++
		want := before.Status
		if before.Change {
			want = AbsoluteRef
		}
		if l.Status != want || string(l.URI) != string(before.URI) || l.Change {
			t.Errorf("%s: rewritten, %s is %s %s, was %s %s", run, name, l.Status, l.URI, before.Status, before.URI)
		}
	}
	if n != len(found) {
		t.Errorf("%s: %d references of %d after rewriting", run, n, len(found))
	}
}
