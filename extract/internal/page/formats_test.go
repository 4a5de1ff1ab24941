package page_test

import (
	"fmt"
	"strings"
	"testing"

	"absolink/extract/internal/readingtest"
)

// listed returns "offset kind value" of each reference of a document without elements. It checks
// that the references name no element.
func listed(t *testing.T, d *readingtest.Doc) (list []string) {
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
		{"UTF-16", "", string(readingtest.UTF16("a{b:url(\u0430)}", true)), "18 res \u0430"},
		{"no references of HTML", "", "a{b:url(x&amp;y)}</style>", "8 res x&amp;y"},
		{"source map", "", "a{b:url(c)}\n/*# sourceMappingURL=a.css.map */\n", "8 res c, 33 service a.css.map"},
		{"old source map", "", "/*@ sourceMappingURL=a.map*/", "21 service a.map"},
		{"source map inside", "", "/*# sourceMappingURL=a.map */ a{}", ""},
		{"no source map", "", "/* sourceMappingURL=a.map */", ""},
		{"source map in a url", "", "a{b:url(/*#sourceMappingURL=x*/", "8 res /*#sourceMappingURL=x*/"},
	}
	for _, tt := range tests {
		d := sheetDoc(tt.data)
		d.Charset = tt.charset
		if got := strings.Join(listed(t, d), ", "); got != tt.want {
			t.Errorf("%s: Refs(%q) = %s, want %s", tt.name, tt.data, got, tt.want)
		}
	}
}

func TestStyleOfSVG(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"ended by any tag", `<svg><style>a{b:url(c)} <x> @import "d";</style>`, []string{"style  res c"}},
		{"unfinished tag at the end", `<svg><style><url("a"`, nil},
		{"dropped end tag", `<svg><style>a{b:url(c</x>&amp;</y>d)}</style>`, []string{"style  res c&d"}},
		{"unfinished string around a dropped end tag", `<svg><style>url("</x>c`, []string{"style  res c"}},
		{"end tags without a name", `<svg><style></>url(a</>&amp;</x></>c)</></style>`, []string{"style  res a&c"}},
		{"end tag of svg", `<svg><style>url(c</svg>d)`, []string{"style  res c"}},
		{"text at the end", `<svg><style>a{b:url(c)}`, []string{"style  res c"}},
	} {
		if got := found(t, c.src); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: Refs(%q) = %q, want %q", c.name, c.src, got, c.want)
		}
	}
}

func TestManifest(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"outermost members",
			`{"name": "x", "start_url": "../?a", "scope": "/", "id": "app", "$schema": "https://s.example/m"}`,
			"28 nav ../?a, 46 nav /, 57 identifier app, 75 identifier https://s.example/m"},
		{"icons", `{"icons": [{"src": "a.png", "sizes": "any"}, {"src": "b.png"}]}`, "20 res a.png, 54 res b.png"},
		{"shortcuts", `{"shortcuts":[{"name":"n","url":"/s","icons":[{"src":"i"}]}]}`, "33 nav /s, 54 res i"},
		{"targets", `{"share_target":{"action":"/t","params":{"url":"u"}},"file_handlers":[{"action":"/f"}],"protocol_handlers":[{"protocol":"web+x","url":"/p?%s"}]}`,
			"27 form /t, 81 form /f, 135 nav /p?%s"},
		{"service worker", `{"serviceworker":{"src":"sw.js","scope":"/w"}}`, "25 script sw.js, 41 nav /w"},
		{"escapes", `{"start_\u0075rl":"\/a\u0026\"b"}`, `19 nav /a&"b`},
		{"byte order mark", "\xef\xbb\xbf{\"scope\":\"x\"}", "13 nav x"},
		{"not a member", `{"icons":["src","a"],"x":{"start_url":"y"},"src":"z"}`, ""},
		{"in an array", `{"icons":[{"src":["a"]}]}`, ""},
		{"damaged", `{"scope":"a","icons":[{"src":"b"`, "10 nav a, 30 res b"},
		{"cut off", `{"scope":"a`, ""},
		{"not JSON", `body{background:url(x)}`, ""},
	}
	for _, tt := range tests {
		d := manifestDoc(tt.data)
		if got := strings.Join(listed(t, d), ", "); got != tt.want {
			t.Errorf("%s: Refs(%q) = %s, want %s", tt.name, tt.data, got, tt.want)
		}
	}
}
