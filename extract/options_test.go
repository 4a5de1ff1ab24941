package extract

import (
	"fmt"
	"strings"
	"testing"
)

// optional returns "element attribute kind value" of each reference of a document that is read with
// options. References that are only listed begin with '-'.
func optional(d *Doc) (list []string) {
	for r := range d.Refs() {
		s := fmt.Sprintf("%s %s %s %s", r.Element, r.Attr, r.Kind, r.Value)
		if r.ListOnly {
			s = "-" + s
		}
		list = append(list, s)
	}
	return list
}

// In a message conditional comments are read, and other comments are not.
func TestConditionalInMessage(t *testing.T) {
	const data = `<!--[if gte mso 9]><xml><v:imagedata src="a"/></xml><base href=b><style>p{q:url(c)}</style><![endif]--><!-- <a href=d> --><a href=e>`
	got := optional(&Doc{Format: HTML, Data: []byte(data),
		Charset: "utf-8", Options: Options{ConditionalComments: true}})
	want := []string{"v:imagedata src res a", "-base href meta b", "style  res c", "a href nav e"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("Refs(%q):\n got %q\nwant %q", data, got, want)
	}
	d := &Doc{Format: HTML, Data: []byte(data), Options: Options{ConditionalComments: true}}
	if l := d.Base(); l != nil {
		t.Errorf("Base of %q: got %v, want none", data, l)
	}
}

// With Options.HTML5Objects a codebase is not a layer.
func TestHTML5Objects(t *testing.T) {
	for _, browsers := range []bool{false, true} {
		d := document([]byte(`<object codebase="c/" data=x>`), "utf-8", Options{HTML5Objects: browsers})
		var r Resolver
		got := ""
		for l := range r.Links(d) {
			got = string(l.URI)
		}
		if want := map[bool]string{false: "http://example.test/dir/c/x",
			true: "http://example.test/dir/x"}[browsers]; got != want {
			t.Errorf("HTML5Objects %t: got %q, want %q", browsers, got, want)
		}
	}
}
