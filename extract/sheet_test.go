package extract

import (
	"fmt"
	"strings"
	"testing"

	"absolink/base"
)

// listed returns "offset kind value" of each reference of a document that has no
// elements, after checking that it names none.
func listed(t *testing.T, d *Doc) (list []string) {
	t.Helper()
	for r := range d.Refs() {
		if r.Element != "" || r.Attr != "" {
			t.Errorf("Refs(%q): element %q, attribute %q, want none", d.Data, r.Element, r.Attr)
		}
		list = append(list, fmt.Sprintf("%d %s %s", r.Start, r.Kind, r.Value))
	}
	return list
}

func TestStyleSheet(t *testing.T) {
	tests := []struct{ name, charset, data, want string }{
		{"import", "", `@import "a.css"; @import url( b.css );`, "9 res a.css, 30 res b.css"},
		{"comment", "", `/* url(a) */ p{b:url(c)}`, "21 res c"},
		{"byte order mark", "", "\xef\xbb\xbf@import 'a';", "12 res a"},
		{"namespace", "", `@namespace url(http://www.w3.org/1999/xhtml);`,
			"15 identifier http://www.w3.org/1999/xhtml"},
		{"charset rule", "", `@charset "windows-1251"; a{b:url(` + "\xe0" + `)}`, "33 res \u0430"},
		{"charset rule of a wide one", "", `@charset "utf-16"; a{b:url(` + "\u0430" + `)}`, "27 res \u0430"},
		{"charset rule in other quotes", "", `@charset 'koi8-r'; a{b:url(` + "\u0430" + `)}`, "27 res \u0430"},
		{"transport over rule", "koi8-r", `@charset "utf-8"; a{b:url(` + "\xe0" + `)}`, "26 res \u042e"},
		{"no charset", "", "a{b:url(\xe0)}", "8 res \ufffd"},
		{"UTF-16", "", string(encode16("a{b:url(\u0430)}", true)), "18 res \u0430"},
		{"no references of HTML", "", "a{b:url(x&amp;y)}</style>", "8 res x&amp;y"},
		{"source map", "", "a{b:url(c)}\n/*# sourceMappingURL=a.css.map */\n", "8 res c, 33 service a.css.map"},
		{"old source map", "", "/*@ sourceMappingURL=a.map*/", "21 service a.map"},
		{"source map inside", "", "/*# sourceMappingURL=a.map */ a{}", ""},
		{"no source map", "", "/* sourceMappingURL=a.map */", ""},
		{"source map in a url", "", "a{b:url(/*#sourceMappingURL=x*/", "8 res /*#sourceMappingURL=x*/"},
	}
	for _, tt := range tests {
		d := &Doc{Format: CSS, Data: []byte(tt.data), Charset: tt.charset}
		if got := strings.Join(listed(t, d), ", "); got != tt.want {
			t.Errorf("%s: Refs(%q) = %s, want %s", tt.name, tt.data, got, tt.want)
		}
	}
}

func TestRewriteStyleSheet(t *testing.T) {
	const in = "@import 'a&b.css';p{q:url( c\\)d );r:image-set(\"e f\" 2x)}@namespace 'n';/*# sourceMappingURL=m */"
	const want = "@import 'http://e.example/s/a&b.css';p{q:url( http://e.example/s/c\\)d );r:image-set(\"http://" +
		"e.example/s/e%20f\" 2x)}@namespace 'n';/*# sourceMappingURL=m */"
	for _, encode := range []func(string) []byte{
		func(s string) []byte { return []byte(s) },
		func(s string) []byte { return encode16(s, false) },
	} {
		d := &Doc{Format: CSS, Data: encode(in),
			Layer: &base.Layer{Source: base.URL, Value: "http://e.example/s/x.css"}}
		if got := rewritten(d); string(got) != string(encode(want)) {
			t.Errorf("%q rewritten to %q, want %q", d.Data, got, encode(want))
		}
	}
}
