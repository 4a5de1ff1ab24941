package escape

import "testing"

// What is written at a place is not looked at where all of it is tame: nothing that a list
// or a token does changes it.
func TestInList(t *testing.T) {
	for c := range 256 {
		uri := []byte{byte(c), byte(c), byte(c)}
		if !inList(uri) {
			continue
		}
		for form := Blanks; form <= Prose; form++ {
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
	if uri := "https://www.example.test/a-b_c/d.e~f?g=h&i=j+k:@!$*#l"; !inList([]byte(uri)) {
		t.Errorf("%q is not tame", uri)
	}
}

// What stands behind a character reference without its semicolon must not go on with it.
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
