package extract

import (
	"testing"

	"absolink/base"
	"absolink/extract/internal/readingtest"
)

func TestRewriteStyleSheet(t *testing.T) {
	const in = "@import 'a&b.css';p{q:url( c\\)d );r:image-set(\"e f\" 2x)}@namespace 'n';/*# sourceMappingURL=m */"
	const want = "@import 'http://e.example/s/a&b.css';p{q:url( http://e.example/s/c\\)d );r:image-set(\"http://" +
		"e.example/s/e%20f\" 2x)}@namespace 'n';/*# sourceMappingURL=m */"
	for _, encode := range []func(string) []byte{
		func(s string) []byte { return []byte(s) },
		func(s string) []byte { return readingtest.UTF16(s, false) },
	} {
		d := &Doc{Format: CSS, Data: encode(in),
			Layer: &base.Layer{Source: base.URL, Value: "http://e.example/s/x.css"}}
		if got := rewritten(d); string(got) != string(encode(want)) {
			t.Errorf("%q rewritten to %q, want %q", d.Data, got, encode(want))
		}
	}
}
