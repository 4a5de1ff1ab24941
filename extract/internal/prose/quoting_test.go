package prose

import (
	"strings"
	"testing"
)

// A URI between delimiters continues after the quoting marks of the next line.
func TestFindQuoted(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"one mark", "> see <http://h.example/a\n> b> now", "http://h.example/ab"},
		{"two marks", ">> see <http://h.example/a\n>> b> now", "http://h.example/ab"},
		{"two marks with blanks", "> > <http://h.example/a\r\n> > b>", "http://h.example/ab"},
		{"two marks, other blanks", "> > <http://h.example/a\r\n>>b>", "http://h.example/ab"},
		{"three lines", ">>> <URL:http://h.example/a\n>>> b/\n>>> c>", "http://h.example/ab/c"},
		{"hyphen", "> <http://h.example/a-\n> b>", "http://h.example/a-b uncertain"},
		{"CR", "> <http://h.example/a\r> b>", "http://h.example/ab"},
		{"quotes", ">> \"http://h.example/a\n>> b\"", "http://h.example/ab"},
		{"bars", "| | <http://h.example/a\n| | b>", "http://h.example/ab"},
		{"initials", "JD> <http://h.example/a\nJD> b>", "http://h.example/ab"},
		{"initials of a writer who is quoted", "> JD> <http://h.example/a\n> JD> b>", "http://h.example/ab"},
		{"a blank behind", "> <http://h.example/a\n>  b >", "http://h.example/ab"},
		{"a line broken by the answer", "> <http://h.example/a\nb>", "http://h.example/ab"},
		{"a line broken by the answer, bar", "| <http://h.example/a\nb>", "http://h.example/ab"},
		{"opened in an unquoted line", "<http://h.example/a\n> b>", "http://h.example/a"},
		{"closed in a line of its own", "<http://h.example/a\n>", "http://h.example/a"},

		{"fewer marks", ">> <http://h.example/a\n> b>", "http://h.example/a unclear"},
		{"more marks", "> <http://h.example/a\n>> b>", "http://h.example/a unclear"},
		{"other marks", "| <http://h.example/a\n> b>", "http://h.example/a unclear"},
		{"other marks, quotes", "> \"http://h.example/a\n>> b\"", "http://h.example/a unclear"},
		{"an empty line", "> <http://h.example/a\n>\n> b>", "http://h.example/a unclear"},
		{"words", "> <http://h.example/a\n> and so on\n> x->y", "http://h.example/a unclear"},
		{"a blank before the line ends", "> <http://h.example/a b\n> c>", "http://h.example/a unclear"},
		{"a blank in one line", "> <http://h.example/a b>", "http://h.example/ab"},
		{"never closed", "> <http://h.example/a\n> b", "http://h.example/a"},
		{"two URIs", "> <http://h.example/a\n> b> and <http://h.example/c\n> d>",
			"http://h.example/ab|http://h.example/cd"},
		{"a mark before the scheme", "> <\n> http://h.example/a>", "http://h.example/a"},
		{"a mark of the line before", "> <http://h.example/a\n> b>\n<http://h.example/c\n> d>",
			"http://h.example/ab|http://h.example/c"},
		{"markup", "> <a href=\"http://h.example/a\">x</a>\n> <p>", "http://h.example/a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(found(c.text, false), "|"); got != c.want {
				t.Errorf("Find(%q)\ngot  %q\nwant %q", c.text, got, c.want)
			}
			walkAlike(t, c.text)
		})
	}
}

// A URI in angle brackets is complete at every depth of quoting, for every place of its line breaks
// and every line end.
func TestFindQuotedAtEveryDepth(t *testing.T) {
	const uri = "http://h.example/some/path?query=1#part"
	for depth := range 10 {
		for _, mark := range []string{">", "> ", " >", "|", "AB> "} {
			prefix := strings.Repeat(mark, depth)
			for _, eol := range []string{"\n", "\r\n"} {
				for at := len("http:"); at < len(uri); at++ {
					text := prefix + "see <" + uri[:at] + eol + prefix + uri[at:] + "> and" + eol
					f, n := Found{}, 0
					for u := range Find([]byte(text), false) {
						f = u
						n++
					}
					if n != 1 || f.URI != uri || f.UnclearEnd {
						t.Fatalf("Find(%q): %d URIs, %+v", text, n, f)
					}
					walkAlike(t, text)
				}
			}
		}
	}
}
