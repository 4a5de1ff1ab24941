package write_test

import (
	"fmt"
	"strings"
	"testing"
)

// A link of a message that has bytes which are invalid in its charset stays as written and is
// named. In a page it is written as browsers read it, and is named, too.
func TestInvalidBytes(t *testing.T) {
	const written = `<a href="http://h.example/%EF%BF%BD">`
	for _, c := range []struct {
		charset, link string
		invalid       bool
	}{
		{"utf-8", "\xe9", true}, {"utf-8", "\xff\xfe", true}, {"euc-kr", "\xff\xfe", true},
		{"iso-2022-jp", "\x83", true}, {"shift_jis", "\x81", true},
		{"utf-8", "\xc3\xa9", false}, {"iso-8859-1", "\xe9", false}, {"windows-1252", "\x81", false},
		{"utf-8", "%E9", false}, {"utf-8", "x", false},
	} {
		markup := fmt.Sprintf("<a href=%q>", "LINK")
		markup = strings.Replace(markup, "LINK", c.link, 1)
		message := "Content-Type: text/html; charset=" + c.charset + "\nContent-Base: http://h.example/\n\n" + markup
		lay(t, "m.eml: "+message, "p.html: <meta charset="+c.charset+"><base href=http://h.example/>"+markup)
		got, _ := rewrite(t, "m.eml")
		kept := strings.Contains(got.out, markup)
		if named := strings.Contains(got.err, "it stays as written"); kept != c.invalid || named != c.invalid {
			t.Errorf("message, %s, %q: kept %v, named %v, want %v: %q",
				c.charset, c.link, kept, named, c.invalid, got.err)
		}
		got, _ = rewrite(t, "p.html")
		if named := strings.Contains(got.err, "as browsers read it"); named != c.invalid ||
			c.invalid && c.link == "\xe9" && !strings.Contains(got.out, written) {
			t.Errorf("page, %s, %q: named %v, want %v: %q", c.charset, c.link, named, c.invalid, got.out)
		}
	}
}
