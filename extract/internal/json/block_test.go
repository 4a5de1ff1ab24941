package json

import (
	"fmt"
	"testing"
)

// urls returns the strings of text whose role is a URL. Other roles than URL have a letter.
func urls(text string, role func(s *Scanner, value []byte) Role) (list []string) {
	var s Scanner
	for s.Reset([]byte(text)); s.Next(); {
		value := AppendUnescaped(nil, []byte(text[s.Start:s.End]))
		switch role(&s, value) {
		case URL:
			list = append(list, string(value))
		case Specifier:
			list = append(list, "S "+string(value))
		case Key:
			list = append(list, "K "+string(value))
		case Pattern:
			list = append(list, "P "+string(value))
		case Named:
			list = append(list, "N "+string(value))
		case Doubtful:
			list = append(list, "D "+string(value))
		}
	}
	return list
}

// HTML 8.1.6.2: the addresses, the keys of scopes and of integrity, and other keys that look like
// URLs are URLs.
func TestImportMap(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{`{"imports":{"/a":"./b","c":"d","e":"https://f/"}}`, []string{"K /a", "S ./b", "S https://f/"}},
		{`{"imports":{"./a/":"/b/","../c":null,"http://d/":"","node:fs":"./e","@f/g":"/h"}}`,
			[]string{"K ./a/", "S /b/", "K ../c", "K http://d/", "S ./e", "S /h"}},
		{`{"imports":{"a":{"/b":"/c"}},"imports2":{"a":"/d"}}`, nil},
		{`{"scopes":{"a":{"b":"../c","d":"e"},"/f":"/g"}}`, []string{"a", "S ../c", "/f"}},
		{`{"scopes":{"?a":{"/b":"/c","d/e":"f"}}}`, []string{"?a", "K /b", "S /c"}},
		{`{"integrity":{"/a":"sha384-b","c":"/d"}}`, []string{"S /a"}},
		{`"/a"`, nil},
	}
	for _, tt := range tests {
		if got := urls(tt.text, (*Scanner).ImportMap); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("ImportMap of %s: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

// HTML 7.6.1.2: href_matches may hold a pattern.
func TestSpeculation(t *testing.T) {
	const text = `{"prefetch":[{"urls":["a","/b*"],"where":{"and":[{"href_matches":"/c/*"},{"not":{"href_matches":["/d","e?f"]}}]}}],"url":"/g"}`
	want := []string{"a", "/b*", "P /c/*", "/d", "e?f"}
	if got := urls(text, (*Scanner).Speculation); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("Speculation of %s: got %q, want %q", text, got, want)
	}
}

// In a member of JSON-LD that takes a URL or a name, a word with a dot may be either.
func TestLinkedData(t *testing.T) {
	for text, want := range map[string][]string{
		`{"url":"a","@id":"_:b","sameAs":["/c","d e"]}`: {"a", "/c"},
		`{"image":"a","logo":"b.png","photo":"/c","license":"Apache-2.0","item":"J.R."}`: {"N b.png",
			"N /c", "D Apache-2.0", "D J.R."},
		`{"thumbnail":"a?b","target":"#b","hasMap":"A. B.","isBasedOn":"urn:c"}`: {"N a?b", "N #b", "N urn:c"},
		`{"urlTemplate":"/s/{q}","target":"http://a/{b}","image":"{c}.png"}`: {"P /s/{q}",
			"P http://a/{b}", "P {c}.png"},
	} {
		if got := urls(text, (*Scanner).LinkedData); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("LinkedData of %s: got %q, want %q", text, got, want)
		}
	}
}

// The part of a pattern that is a URL by itself ends with a slash.
func TestPatternPrefix(t *testing.T) {
	for pattern, want := range map[string]string{
		"": "", "/a": "/a", "/a?b=c#d": "/a?b=c#d", "a:8/b": "a:8/b", "http://a:80/b": "http://a:80/b",
		"/a/*": "/a/", "/a/b*": "/a/", "*": "", "a*": "", "a/:b": "a/", "/a/:b(\\d+)?": "/a/",
		"/a/{b/}?c": "/a/", `/a\?b=/c`: "/", "/a?b=*": "/", "/a?b=/*": "/a?b=/",
		"http://*.a/b": "", "http://a/*": "http://a/", "http://a:b/*": "", "//*/b": "", "//a/*": "//a/",
		"http://a*/b": "", "/x//*": "/x//", "/s?q={a}": "/", ":a/b": "", "a:/b/:c": "a:/b/",
	} {
		if got := pattern[:PatternPrefix([]byte(pattern))]; got != want {
			t.Errorf("PatternPrefix(%q): got %q, want %q", pattern, got, want)
		}
	}
}

// A specifier is URL-like if it begins with a slash, with dots and a slash, or with a scheme.
func TestIsSpecifier(t *testing.T) {
	for v, want := range map[string]bool{
		"": false, "a": false, "a/b": false, ".": false, ".a": false, ":": false, ":a": false,
		"a b:c": false, "1:a": false, "@:a": false, "[:a": false, "`:a": false, "{:a": false,
		"/": true, "./": true, "../a": true, "a:": true, "z:b": true, "A:b": true, "Z:b": true,
		"a1:b": true, "a0.+-9zZ:b": true, "a\xc3\xa4:b": false, "a/:b": false, "a::": true,
	} {
		if got := IsSpecifier([]byte(v)); got != want {
			t.Errorf("IsSpecifier(%q): got %v, want %v", v, got, want)
		}
	}
}

// Escapes of JSON (RFC 8259 Section 7) and of ECMAScript (Section 12.9.4).
func TestAppendUnescaped(t *testing.T) {
	for in, want := range map[string]string{
		`\u0041`: "A", `\u00e9`: "é", `\ud83d\ude00`: "😀", `\ud83d`: "\ufffd",
		`\ud83dx`: "\ufffdx", `\ud83d\n`: "\ufffd\n", `\ud83d\u0041`: "\ufffdA",
		`\ud83d\ude0`: "\ufffdude0", `\ude00\ud83d`: "\ufffd\ufffd", `\u004`: "u004", `\u00g1`: "u00g1", `\u`: "u",
		`\ud83dxude00`: "\ufffdxude00", `\ud83d\xude00`: "\ufffdxude00",
		`\u{41}`: "A", `\u{10ffff}`: "\U0010ffff", `\u{110000}`: "u{110000}", `\u{}`: "u{}",
		`\u{41`: "u{41", `\u{4x}`: "u{4x}", `\u{0000041}`: "A", `\u{00000041}`: "u{00000041}",
		`\n\t\b\f\r\v`: "\n\t\b\f\r\v", `\/\q`: "/q", `a\`: `a\`,
	} {
		if got := string(AppendUnescaped(nil, []byte(in))); got != want {
			t.Errorf("AppendUnescaped(%s): got %q, want %q", in, got, want)
		}
	}
}
