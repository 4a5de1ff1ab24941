package pipe

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// A header is read as encoding/json reads it: the length, the id byte for byte, and each text.
func FuzzHeader(f *testing.F) {
	for _, line := range []string{`{"length":1}`, ` { "id" : [1, {"a":"}"}] , "length" : 0 } `, `[]`, `{}`,
		`{"length":1,"id":"\"\\","url":"\u0061"}`, `{"length":-1}`, `{"length":1e3}`, `{"a":{},"length":1}`,
		`{"length":1,"headers":[["a","b"]],"status":200}`, `{"length":2,"length":3}`, `{"name":"\ud800","length":1}`,
		`{"length":1,"id":null,"type":"text/html"}`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var h header
		err := h.parse(line)
		var want map[string]json.RawMessage
		object := json.Unmarshal(line, &want) == nil && want != nil
		if err == nil && !object {
			t.Fatalf("%q was read, and is no JSON object", line)
		}
		repeated := err != nil && strings.Contains(err.Error(), "twice") || strings.Contains(h.fault, "twice")
		if !object || repeated {
			return
		}
		var length int64
		known := json.Unmarshal(want["length"], &length) == nil && length >= 0 && string(want["length"]) != "null"
		if known != (err == nil) || known && h.length != length {
			t.Fatalf("%q: got the length %d and %v, want %s", line, h.length, err, want["length"])
		}
		if err == nil && !bytes.Equal(h.id, want["id"]) {
			t.Fatalf("%q: got the id %q, want %q", line, h.id, want["id"])
		}
		if err != nil || h.fault != "" {
			return
		}
		for key, got := range map[string]string{"url": h.given.URL, "charset": h.given.Charset, "name": h.given.Name} {
			text := ""
			if want[key] != nil && json.Unmarshal(want[key], &text) != nil || got != text {
				t.Fatalf("%q: got the %s %q, want %s", line, key, got, want[key])
			}
		}
	})
}
