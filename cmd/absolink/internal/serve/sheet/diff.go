package sheet

import (
	"strings"
	"unicode/utf8"
)

// diffLine is a line of a diff. A changed line is cut into three parts: Changed differs from the
// other version of the line, Before and After do not.
type diffLine struct{ Class, Before, Changed, After string }

// MaxDiff is the largest size in bytes of a diff on a page.
const MaxDiff = 200 << 10

// SetDiff sets p.Diff to the lines of a unified diff.
func (p *Page) SetDiff(text string) {
	p.Diff = nil
	for line := range strings.Lines(text) {
		class := map[byte]string{'+': "new", '-': "old", '@': "place", 'd': "place", '\\': "place"}[line[0]]
		if strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "---") {
			class = "place"
		}
		p.Diff = append(p.Diff,
			diffLine{Class: class, Before: strings.ToValidUTF8(strings.TrimRight(line, "\r\n"), "\ufffd")})
	}
	compare(p.Diff)
}

// compare cuts the changed lines of a diff. Old lines and the same number of new lines after them
// are versions of each other, in their order.
func compare(list []diffLine) {
	var old, new []*diffLine
	for i := range list {
		l := &list[i]
		switch {
		case l.Class == "old" && len(new) == 0:
			old = append(old, l)
		case l.Class == "new":
			new = append(new, l)
		case !strings.HasPrefix(l.Before, `\`): // a note about a missing newline belongs to the line before
			old, new = nil, nil
			if l.Class == "old" {
				old = append(old, l)
			}
		}
		if len(new) > 0 && len(new) == len(old) {
			for i := range old {
				split(old[i], new[i])
			}
			old, new = nil, nil
		}
	}
}

// split cuts a and b, the two versions of a line. Each begins with the sign of the diff.
func split(a, b *diffLine) {
	x, y := a.Before[1:], b.Before[1:]
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	for n > 0 && (n < len(x) && !utf8.RuneStart(x[n]) || n < len(y) && !utf8.RuneStart(y[n])) {
		n--
	}
	end := 0
	for end < len(x)-n && end < len(y)-n && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	for end > 0 && !utf8.RuneStart(x[len(x)-end]) {
		end--
	}
	cut := func(l *diffLine, s string) {
		l.Before, l.Changed, l.After = l.Before[:1+n], s[n:len(s)-end], s[len(s)-end:]
	}
	cut(a, x)
	cut(b, y)
}
