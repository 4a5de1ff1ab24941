package escape

import (
	"strings"
	"testing"
)

// If inList is true for a URI, no list and no token changes it.
func TestInList(t *testing.T) {
	for c := range 256 {
		uri := []byte{byte(c), byte(c), byte(c)}
		if !inList(uri) {
			continue
		}
		for form := Blanks; form <= Map; form++ {
			for _, inner := range []byte{0, '"', '\''} {
				if got := appendListed(nil, uri, form, inner); string(got) != string(uri) {
					t.Errorf("list form %d with quote %q: %q is tame, and written as %q", form, inner, uri, got)
				}
			}
		}
		for token := CSS; token <= Percent; token++ {
			for _, quote := range []byte{0, '"', '\''} {
				if got := token.append(uri, quote); string(got) != string(uri) {
					t.Errorf("token form %d with quote %q: %q is tame, and written as %q", token, quote, uri, got)
				}
			}
		}
	}
	if uri := "https://www.example.test/a-b_c/d.e~f?g=h&i=j+k:@!$#l"; !inList([]byte(uri)) {
		t.Errorf("%q is not tame", uri)
	}
}

// A place that needs a reference that looks like one holds nothing else.
func TestHolds(t *testing.T) {
	for _, tt := range []struct {
		p     Context
		uri   string
		holds bool
	}{
		{Context{}, "a b", true},
		{Context{List: Commas}, "a,b", false},
		{Context{List: Semicolons}, "a;b", false},
		{Context{List: Policy}, "a;b", false}, {Context{List: Policy},
			"a,b", false}, {Context{List: Policy}, "a&b", true},
		{Context{List: Refresh, Inner: '\''}, "a'b", false}, {Context{List: Refresh, Inner: '\''}, "url=\"a", true},
		{Context{List: Refresh}, "url=a", false}, {Context{List: Refresh}, "URL=",
			false}, {Context{List: Refresh}, "url", true}, {Context{List: Refresh}, "./url=a", true},
		{Context{List: Refresh}, "'a", false}, {Context{List: Refresh}, "\"a", false}, {Context{List: Refresh}, ";a",
			false}, {Context{List: Refresh}, ",a", false}, {Context{List: Refresh},
			"a'\";,", true}, {Context{List: Refresh}, "", true},
		{Context{List: Name}, "a", false}, {Context{List: Name}, "./a", true},
		{Context{List: Optional}, "none", false}, {Context{List: Optional}, "None", false},
		{Context{List: Optional}, "./none", true}, {Context{List: Optional}, "none.xml", true},
		{Context{List: Guess}, "a", false}, {Context{List: Guess}, "a.png",
			true}, {Context{List: Likely}, "a/b", false}, {Context{List: Likely}, "../a/b", true},
		{Context{List: Specifier}, "a.js", false}, {Context{List: Specifier}, "?a", false}, {Context{List: Specifier},
			"./a.js", true}, {Context{List: Specifier}, "http://a/", true}, {Context{List: Specifier},
			"node:fs", true}, {Context{List: Key}, "node:fs", false}, {Context{List: Key}, "../a", true},
		{Context{List: Map}, "a'b", false}, {Context{List: Map}, "a\"b", false}, {Context{List: Map}, "a*/b",
			false}, {Context{List: Map}, "a/*b", false}, {Context{List: Map}, "a*b",
			true}, {Context{List: Map}, strings.Repeat("a", 1100), false},
		{Context{Outer: &Context{Comment: true, Hyphens: true}}, "a--b",
			false}, {Context{Outer: &Context{Comment: true}}, "a--b",
			true}, {Context{Outer: &Context{Outer: &Context{Hyphens: true}}}, "a--b", false},
	} {
		if got := tt.p.Holds([]byte(tt.uri)); got != tt.holds {
			t.Errorf("list form %d: Holds(%.20q) = %v, want %v", tt.p.List, tt.uri, got, tt.holds)
		}
	}
}

// No URI ends the comment around it.
func TestAppendMap(t *testing.T) {
	p := Context{List: Map, Sheet: true}
	for uri, want := range map[string]string{"a*/b": "a%2A/b",
		"a/*b": "a/%2Ab", "a*b": "a*b", "a'\" b": "a%27%22%20b"} {
		if got := p.Append(nil, []byte(uri)); string(got) != want {
			t.Errorf("Append(%q) = %q, want %q", uri, got, want)
		}
	}
}

// The text after a character reference without a semicolon must not continue it.
func TestAppendOpen(t *testing.T) {
	p := Context{Quote: '"', Open: 1}
	for _, tt := range []struct{ uri, want string }{
		{"", ""}, {"a", "&#97;"}, {"=b", "&#61;b"}, {";", "&#59;"}, {"/a", "/a"}, {"?", "?"},
	} {
		if got := p.Append(nil, []byte(tt.uri)); string(got) != tt.want {
			t.Errorf("Append(%q) = %q, want %q", tt.uri, got, tt.want)
		}
	}
}
