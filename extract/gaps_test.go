package extract

import "testing"

func TestGapsOfFormats(t *testing.T) {
	const tag = `<a b="c" d="e">`
	for _, c := range []struct {
		format Format
		data   string
		want   int
	}{
		{HTML, "<!-- x -->" + tag, 2}, {XHTML, tag, 2}, {SVG, tag, 2}, {XML, tag, 2}, {Feed, tag, 2}, {OPML, tag, 2},
		{XML, "<!-->\n" + tag, 0}, {XHTML, "<![CDATA[ >\n" + tag, 0}, {CSS, tag, 0}, {Plain, tag, 0}, {Unknown, tag, 0},
		{HTML, "\x1b$B" + tag + "\x1b(B", 0}, {HTML, "~{" + tag + "~}", 0},
	} {
		if got := (&Doc{Format: c.format, Data: []byte(c.data)}).Gaps(); len(got) != c.want {
			t.Errorf("%v: Gaps of %q = %v, want %d of them", c.format, c.data, got, c.want)
		}
	}
}

// A document that may switch character sets has no gaps, wherever the switch is.
func TestGapsWithShifts(t *testing.T) {
	const page = `<a b="c" d="e">text`
	for _, shift := range []string{"\x1b", "\x00", "~{"} {
		for i := range len(page) + 1 {
			text := page[:i] + shift + page[i:]
			if got := (&Doc{Format: HTML, Data: []byte(text)}).Gaps(); got != nil {
				t.Errorf("Gaps of %q = %v, want none", text, got)
			}
		}
	}
}
