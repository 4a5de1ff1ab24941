package json

import (
	"fmt"
	"testing"
)

// urls returns the strings of text that a role says are URLs.
func urls(text string, role func(s *Scanner, value []byte) Role) (list []string) {
	var s Scanner
	for s.Reset([]byte(text)); s.Next(); {
		if value := AppendUnescaped(nil, []byte(text[s.Start:s.End])); role(&s, value) == URL {
			list = append(list, string(value))
		}
	}
	return list
}

// HTML 8.1.6.2: addresses, the keys of scopes, and the keys of integrity are URLs.
func TestImportMap(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{`{"imports":{"/a":"./b","c":"d","e":"https://f/"}}`, []string{"./b", "https://f/"}},
		{`{"imports":{"a":{"/b":"/c"}},"imports2":{"a":"/d"}}`, nil},
		{`{"scopes":{"a":{"b":"../c","d":"e"},"/f":"/g"}}`, []string{"a", "../c", "/f"}},
		{`{"integrity":{"/a":"sha384-b","c":"/d"}}`, []string{"/a"}},
		{`"/a"`, nil},
	}
	for _, tt := range tests {
		if got := urls(tt.text, (*Scanner).ImportMap); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("ImportMap of %s: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

// A specifier is like a URL if it begins with a slash, with dots and a slash, or with a scheme.
func TestIsSpecifier(t *testing.T) {
	for v, want := range map[string]bool{
		"": false, "a": false, "a/b": false, ".": false, ".a": false, ":": false, ":a": false, "a b:c": false, "1:a": false, "@:a": false, "[:a": false, "`:a": false, "{:a": false,
		"/": true, "./": true, "../a": true, "a:": true, "z:b": true, "A:b": true, "Z:b": true, "a1:b": true, "a0.+-9zZ:b": true, "a\xc3\xa4:b": false, "a/:b": false, "a::": true,
	} {
		if got := isSpecifier([]byte(v)); got != want {
			t.Errorf("isSpecifier(%q): got %v, want %v", v, got, want)
		}
	}
}

// Escapes of JSON (RFC 8259 Section 7) and of ECMAScript (Section 12.9.4).
func TestAppendUnescaped(t *testing.T) {
	for in, want := range map[string]string{
		`\u0041`: "A", `\u00e9`: "é", `\ud83d\ude00`: "😀", `\ud83d`: "\ufffd", `\ud83dx`: "\ufffdx", `\ud83d\n`: "\ufffd\n", `\ud83d\u0041`: "\ufffdA",
		`\ud83d\ude0`: "\ufffdude0", `\ude00\ud83d`: "\ufffd\ufffd", `\u004`: "u004", `\u00g1`: "u00g1", `\u`: "u",
		`\ud83dxude00`: "\ufffdxude00", `\ud83d\xude00`: "\ufffdxude00",
		`\u{41}`: "A", `\u{10ffff}`: "\U0010ffff", `\u{110000}`: "u{110000}", `\u{}`: "u{}", `\u{41`: "u{41", `\u{4x}`: "u{4x}", `\u{0000041}`: "A", `\u{00000041}`: "u{00000041}",
		`\n\t\b\f\r\v`: "\n\t\b\f\r\v", `\/\q`: "/q", `a\`: `a\`,
	} {
		if got := string(AppendUnescaped(nil, []byte(in))); got != want {
			t.Errorf("AppendUnescaped(%s): got %q, want %q", in, got, want)
		}
	}
}
