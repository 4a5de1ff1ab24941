package extract

import (
	"encoding/json"
	"strings"
	"testing"

	"absolink/base"
)

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
		d := &Doc{Format: Manifest, Data: []byte(tt.data)}
		if got := strings.Join(listed(t, d), ", "); got != tt.want {
			t.Errorf("%s: Refs(%q) = %s, want %s", tt.name, tt.data, got, tt.want)
		}
	}
}

func TestRewriteManifest(t *testing.T) {
	const in = `{ "start_url": "..\/?a=\"b\"" , "id":"x", "icons": [{"src":"<\/i>.png"}] }`
	const want = `{ "start_url": "http://e.example/?a=%22b%22" , "id":"x", "icons": [{"src":"http://e.example/app/%3C/i%3E.png"}] }`
	d := &Doc{Format: Manifest, Data: []byte(in),
		Layer: &base.Layer{Source: base.URL, Value: "http://e.example/app/m.webmanifest"}}
	if got := string(rewritten(d)); got != want {
		t.Errorf("%q rewritten to %q, want %q", in, got, want)
	}
}

// FuzzManifest: whatever is written, JSON stays JSON, and the reference reads as it
// was written.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"start_url":"x","icons":[{"src":"\u0061\/b"}],"shortcuts":[{"url":"","icons":[{"src":"y"}]}]}`),
		`"},{"<\`)
	f.Fuzz(func(t *testing.T, data []byte, uri string) {
		d := &Doc{Format: Manifest, Data: data, Charset: "utf-8"}
		var edits []Edit
		for r := range d.Refs() {
			edits = append(edits, r.Edit([]byte("http://e.example/"+uri)))
		}
		out := Apply(nil, data, edits)
		if json.Valid(data) && !json.Valid(out) {
			t.Errorf("%q became %q, which is no JSON", data, out)
		}
		n := 0
		for r := range (&Doc{Format: Manifest, Data: out, Charset: "utf-8"}).Refs() {
			if !readsAs(r.Value, "http://e.example/"+uri) {
				t.Errorf("%q became %q: reference %q, want %q", data, out, r.Value, "http://e.example/"+uri)
			}
			n++
		}
		if n != len(edits) {
			t.Errorf("%q became %q: %d references, want %d", data, out, n, len(edits))
		}
	})
}
