package write_test

import (
	"strings"
	"testing"
)

// A link of a message that would change, and has bytes that are invalid in its charset, stays as
// written and is named. In a page it is written as browsers read it. Other links of the attribute
// change in both.
func TestInvalidBytes(t *testing.T) {
	for _, c := range []struct {
		charset, link string
		invalid       bool
	}{
		{"utf-8", "\xe9", true}, {"utf-8", "\xff\xfe", true}, {"euc-kr", "\xff\xfe", true},
		{"iso-2022-jp", "\x83", true}, {"shift_jis", "\x81", true},
		{"utf-8", "\xc3\xa9", false}, {"iso-8859-1", "\xe9", false}, {"windows-1252", "\x81", false},
		{"utf-8", "%E9", false}, {"utf-8", "x", false}, {"utf-8", "&#65533;", false}, {"utf-8", "&#xd800;", false},
		{"utf-8", "\ufffd", false},
	} {
		for _, host := range []string{"", "http://h.example/"} {
			link := host + c.link
			srcset := "<img srcset=\"a.png 1x, " + link + " 2x\">"
			markup := "<a href=\"" + link + "\">" + srcset
			message := "Content-Type: text/html; charset=" + c.charset + "\n" +
				"Content-Base: http://h.example/\n\n" + markup
			page := "<meta charset=" + c.charset + "><base href=http://h.example/>" + markup
			lay(t, "m.eml: "+message, "p.html: "+page)
			const move = "--map http://h.example/=http://n.example/ "
			got, _ := rewrite(t, move+"m.eml")
			kept := strings.Count(got.out, "\""+link+"\"") + strings.Count(got.out, ", "+link+" 2x")
			named := strings.Count(got.err, "it stays as written")
			want := 0
			if c.invalid {
				want = 2
			}
			if kept != want || named != want || !strings.Contains(got.out, "http://n.example/a.png") {
				t.Errorf("message, %s, %q: kept %d, named %d, want %d: %s%s",
					c.charset, link, kept, named, want, got.out, got.err)
			}
			got, _ = rewrite(t, move+"p.html")
			if strings.Contains(got.err, "as written") || strings.Contains(got.out, "\""+link+"\"") {
				t.Errorf("page, %s, %q: stays as written: %s%s", c.charset, link, got.out, got.err)
			}
		}
	}
}
