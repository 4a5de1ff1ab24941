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
		{"an id", "# A {#Own}\n# B {.c #d-e_f key=\"v\"}\n# C {: #g }\n# D {:.x #h}\nE {#i}\n===\n# F {#j} #\n",
			"a-own Own b-c-d-e_f-keyv d-e_f c--g- g d-x-h h e-i i f-j j"},
		{"no id", "# A {#b} c\n# {#}\n# {b#c}\n# #d\n# `{#e}` f\n<h1>g {#h}</h1>\n", "a-b-c  bc d e-f g-h"},
		{"html", "# a\n\n<h2 id=x>b <i>c</i></h2>\n\n# d\n\n<a name=y></a>\n", "a b-c d x y"},
		{"html over lines", "<h1 align=center>\n  a\n</h1>\n", "--a a"},
		{"blanks at the ends", "# &#x20;a\n# a&#x20;\n# ![b](c) d ![e](f)\n", "-a a- -d-"},
		{"an emoji at the end", "# a \U0001F680\n", "a-"},
		{"line ends", "a\nb\n===\n", "ab"},
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

// These are headings and anchors that github.com has shown. Source: the fixtures of github-slugger
// 2.0.0 (ISC licence).
func TestAnchorsOfGitHub(t *testing.T) {
	source, want := "", ""
	for _, tt := range [][2]string{
		{"alpha", "alpha"}, {"alpha", "alpha-1"}, {"bravoCharlieDelta", "bravocharliedelta"},
		{"echo", "echo"}, {"echo", "echo-1"}, {"echo 1", "echo-1-1"}, {"echo-1", "echo-1-2"}, {"echo", "echo-2"},
		{"foxtrot-1", "foxtrot-1"}, {"foxtrot", "foxtrot"}, {"foxtrot", "foxtrot-2"},
		{"heading with a - dash", "heading-with-a---dash"},
		{"heading with an _ underscore", "heading-with-an-_-underscore"},
		{"exchange.bind_headers(exchange, routing [, bindCallback])",
			"exchangebind_headersexchange-routing--bindcallback"},
		{"&#x20;", "-"}, {"&#x20;a", "-a"}, {"a&#x20;", "a-"}, {"&#x20;a&#x20;", "-a-"}, {"-a-", "-a--1"},
		{"apostrophe\u2019s should be trimmed", "apostrophes-should-be-trimmed"},
		{"I \u2665 unicode", "i--unicode"}, {"en\u2013dash", "endash"},
		{"\U0001F604-\U0001F604 unicode emoji", "--unicode-emoji"},
		{"\U0001F604 - an emoji", "---an-emoji"}, {":smile: - a gemoji", "smile---a-gemoji"},
		{":ok_hand::hatched_chick: Two", "ok_handhatched_chick-two"},
		{"a\u2028b", "ab"}, {"a\u00b2 \u00b9 \u00bd", "a--"}, {"\u24ba \u24e3", "\u24d4-\u24e3"},
		{"b\u0662 \u2167", "b\u0662-\u2177"}, {"\u0130", "i\u0307"}, {"c\u203f \uff3f", "c\u203f-\uff3f"},
		{"d\u0308 \u20dd", "d\u0308-\u20dd"}, {"e$ \u20ac", "e-"}, {"f\u200b", "f"},
	} {
		source += "# " + tt[0] + "\n"
		want += tt[1] + "\n"
	}
	got := ""
	for name := range read(source).Anchors() {
		got += string(name) + "\n"
	}
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
