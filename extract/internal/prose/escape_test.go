package prose

import (
	"strings"
	"testing"
)

// The letters of escape sequences, and the bytes between two of them, are not letters of a URI.
func TestFindEscapes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"behind a sequence", "\x1B$B$3$l$O\x1B(Bhttp://h.example/a b", "http://h.example/a"},
		{"behind a sequence, without //", "\x1B$B$3\x1B(Bmailto:a@h.example", "mailto:a@h.example"},
		{"behind a sequence, unknown scheme", "\x1B$B$3\x1B(Jfoo://h.example/", "foo://h.example/"},
		{"before a sequence", "http://h.example/a\x1B$B$3$l\x1B(B x", "http://h.example/a unclear"},
		{"before a sequence of katakana", "http://h.example/a\x1B(I1\x1B(B x", "http://h.example/a unclear"},
		{"before a sequence back to ASCII", "http://h.example/a\x1B(B x", "http://h.example/a"},
		{"before a sequence, host", "http://h.example\x1B$@$3$l\x1B(J x", "http://h.example unclear"},
		{"between sequences", "\x1B$Ba://b/<a:b>\x1B(B x", ""},
		{"between sequences of Korean", "\x1B$(Ca://b/\x1B(B http://h.example/", "http://h.example/"},
		{"up to the line's end", "\x1B$B$3\nhttp://h.example/", "http://h.example/"},
		{"in delimiters", "<http://h.example/a\x1B$B>>\x1B(Bb>", "http://h.example/a unclear"},
		{"colours", "\x1B[31mhttp://h.example/a\x1B[0m \x1B[1;4mfoo://h.example/b\x1B[m",
			"http://h.example/a|foo://h.example/b"},
		{"at the end", "http://h.example/ \x1B", "http://h.example/"},
		{"cut", "http://h.example/ \x1B$", "http://h.example/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(found(c.text, false), "|"); got != c.want {
				t.Errorf("Find(%q)\ngot  %q\nwant %q", c.text, got, c.want)
			}
			walkAlike(t, c.text)
		})
	}
}
