package extract

import (
	"encoding/json"
	"testing"

	"absolink/base"
)

func TestRewriteManifest(t *testing.T) {
	const in = `{ "start_url": "..\/?a=\"b\"" , "id":"x", "icons": [{"src":"<\/i>.png"}] }`
	const want = `{ "start_url": "http://e.example/?a=%22b%22" , "id":"x", "icons": [{"src":"http://e.example/app/%3C/i%3E.png"}] }`
	d := &Doc{Format: Manifest, Data: []byte(in),
		Layer: &base.Layer{Source: base.URL, Value: "http://e.example/app/m.webmanifest"}}
	if got := string(rewritten(d)); got != want {
		t.Errorf("%q rewritten to %q, want %q", in, got, want)
	}
}

// FuzzManifest: whatever is written, JSON stays JSON, and the reference is read back as it was
// written.
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
