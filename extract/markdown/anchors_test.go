package markdown_test

import (
	"strings"
	"testing"
)

// The anchors are those that GitHub shows.
func TestAnchors(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"lower case", "# One Two\n\nThree FOUR\n---\n", "one-two three-four"},
		{"punctuation", "# a.b, c! (d) e/f: g-h_i\n", "ab-c-d-ef-g-h_i"},
		{"blanks", "# a  b - c\n", "a--b---c"},
		{"letters", "# \u00c9t\u00e9 \u65e5\u672c \u0661\n", "\u00e9t\u00e9-\u65e5\u672c-\u0661"},
		{"an emoji", "# \U0001F680 a\n# :rocket: a\n", "-a rocket-a"},
		{"repeated", "# a\n# a\n# a-1\n# a\n", "a a-1 a-1-1 a-2"},
		{"markup", "# **a** `b_c` [d](e) ![f](g) ~~h~~ <b>i</b> *j*\n", "a-b_c-d--h-i-j"},
		{"references", "# [a][b] [c] [d][e]\n\n[b]: f\n[c]: g\n", "a-c-de"},
		{"escapes", "# \\# a &amp; b &copy; c\\_d\n", "-a--b--c_d"},
		{"references of references", "# \\&lt; &#38;lt; a\n", "lt-lt-a"},
		{"in containers", "> # a\n\n- # b\n", "a b"},
		{"not in code", "```\n# a\n```\n\n    # b\n", ""},
		{"closing marks", "# a #\n## b ##\n", "a b"},
		{"empty", "#\n", ""},
		{"html", "# a\n\n<h2 id=x>b <i>c</i></h2>\n\n# d\n\n<a name=y></a>\n", "a b-c d x y"},
		{"html over lines", "<h1 align=center>\n  a\n</h1>\n", "a"},
		{"too complex", strings.Repeat("> ", 300) + "\n# a\n", ""},
	} {
		var got []string
		for name := range read(tt.source).Anchors() {
			got = append(got, string(name))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %q has %q, want %q", tt.name, tt.source, s, tt.want)
		}
	}
}
