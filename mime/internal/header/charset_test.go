package header

import (
	"strings"
	"testing"
)

func TestCharset(t *testing.T) {
	for _, c := range []struct{ name, field, want string }{
		{"token", `text/html; charset=cp932`, "cp932"},
		{"quoted", `text/html; charset="cp932"; format=flowed`, "cp932"},
		{"apostrophes", `text/html; charset='cp932'`, "'cp932'"},
		{"blanks", `text/html ; charset = cp932`, "cp932"},
		{"RFC 2231 section 3", `text/html; charset*0=cp; charset*1=932`, "cp932"},
		{"RFC 2231 section 4", `text/html; charset*=us-ascii'en'cp932`, "cp932"},
		{"RFC 2045 section 5.1: a comment behind the value", `text/plain; charset=us-ascii (Plain text)`, "us-ascii"},
		{"a comment at the value", `text/html; charset=cp932(Japanese)`, "cp932"},
		{"a comment before the value", `text/html; charset=(Japanese; charset=x) cp932`, "cp932"},
		{"comments everywhere", `(a) text/html (b); (c) charset (d (e)) = (f\)) "cp932" (g)`, "cp932"},
		{"a parenthesis in a quoted string", `text/html; name="a (b"; charset=cp932; x=")"`, "cp932"},
		{"a quote after a backslash", `text/html; name="a\"(b"; charset=cp932; x=")"`, "cp932"},
		{"a parenthesis that is not closed", `text/html; name=a(b; charset=cp932`, "cp932"},
		{"no semicolon", `text/html charset=cp932`, "cp932"},
		{"a comma", `text/html, charset=cp932, x=y`, "cp932"},
		{"a colon", `text/html; charset: cp932; x=y`, "cp932"},
		{"a colon and quotes", `text/html; Charset : "cp932"`, "cp932"},
		{"an empty one first", `text/html; charset=""; charset=cp932`, "cp932"},
		{"the first of two", `text/html; charset=a; charset=b`, "a"},
		{"no closing quote", `text/html; charset="cp932`, "cp932"},
		{"no closing quote before it", `text/html; name="a; charset=cp932`, "cp932"},
		{"in another value", `text/html; name="charset=x"`, ""},
		{"the word alone", `text/html; charset`, ""},
		{"the word before another", `text/html charsets; charset-x; charset=`, ""},
		{"encoded words", `text/html; charset="=?us-ascii?Q?cp932?="`, "cp932"},
		{"the name of the parameter again", `text/html; charset="Charset=cp932"`, "cp932"},
		{"the name of the parameter twice more", `text/html; charset=charset=charset=cp932`, "cp932"},
		{"the name of the parameter behind another name", `text/html; charset="x charset=cp932"`, "x charset=cp932"},
		{"none", `text/html`, ""},
		{"empty", ``, ""},
	} {
		if got := Charset(c.field); got != c.want {
			t.Errorf("%s: Charset(%q) = %q, want %q", c.name, c.field, got, c.want)
		}
	}
}

// A field of a megabyte takes only linear time.
func TestCharsetLinear(t *testing.T) {
	for _, piece := range []string{"(", "()", `"`, `\(`, "charset", "charset=", "=?"} {
		Charset("text/html; " + strings.Repeat(piece, 1<<20/len(piece)))
	}
}

// Comments nest, and a backslash quotes the next character in them and in quoted strings.
func TestWithoutComments(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a": "a", "()": " ", "a(b)c": "a c", "a (b (c) d) e": "a   e", `(a\)b)c`: " c", `a\(b)`: `a\ `,
		`"(a)" (b)`: `"(a)"  `, `"a\"(b" (c)`: `"a\"(b"  `, `a("b)c`: "a c",
		"a(b": "a(b", "(a(b)c": "(a(b)c", `(a)(\`: ` (\`, "a)b(c)": "a)b ",
	} {
		if got := withoutComments(in); got != want {
			t.Errorf("withoutComments(%q) = %q, want %q", in, got, want)
		}
	}
}
