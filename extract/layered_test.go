package extract_test

import (
	"testing"

	"absolink/base"
	"absolink/extract"
)

// Layered tells whether links have other layers than the document.
func TestLayered(t *testing.T) {
	for _, tt := range []struct {
		format extract.Format
		data   string
		want   bool
	}{
		{extract.HTML, `<a href=x><img src=y>`, false},
		{extract.HTML, `<a href=x><base href="/b/">`, true},
		{extract.HTML, `<object codebase="c/" data=x></object>`, true},
		{extract.XML, `<a xml:base="/b/" xlink:href="x" xmlns:xlink="http://www.w3.org/1999/xlink"/>`, true},
		{extract.CSS, `a{b:url(c)}`, false},
		{extract.HTML, ``, false},
	} {
		for _, layer := range []*base.Layer{nil, {Source: base.URL, Value: "http://a.test/"}} {
			d := &extract.Doc{Format: tt.format, Data: []byte(tt.data), Layer: layer}
			if got := d.Layered(); got != tt.want {
				t.Errorf("Layered of %s: got %v, want %v", tt.data, got, tt.want)
			}
			for range d.Refs() {
				if got := d.Layered(); got != tt.want {
					t.Errorf("Layered of %s while it is read: got %v, want %v", tt.data, got, tt.want)
				}
			}
		}
	}
}
