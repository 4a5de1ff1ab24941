package prose

import (
	"strings"
	"unicode/utf8"
)

// Quotation marks outside of ASCII are not delimiters of RFC 2396 Appendix E. A URI after such a
// mark is bare, and ends at white space. If the closing mark comes later, the white space may
// belong to the URI.

// closings are the marks that may close a quotation mark. Languages differ: »a« and «a», „a“ and
// „a”, ”a”.
var closings = map[rune]string{
	'«': "»", '»': "«", '‹': "›", '›': "‹", '“': "”", '”': "”", '„': "“”‟", '‟': "”", '‘': "’", '‚': "‘’",
	'「': "」", '『': "』", '｢': "｣", '《': "》", '〈': "〉", '〝': "〞〟", '﹁': "﹂", '﹃': "﹄",
}

// cutInMarks reports whether the URI between two offsets directly follows a quotation mark outside
// of ASCII, and ends at white space before the closing mark. The search for the closing mark ends
// at the next opening mark and at an empty line.
func (f *finder) cutInMarks(start, end int) bool {
	if start < len("«") {
		return false
	}
	before := strings.TrimRight(view(f.text[max(0, start-8):start]), " \t\u00A0\u202F")
	opening, n := utf8.DecodeLastRuneInString(before)
	closing := closings[opening]
	if n == 1 || closing == "" || f.text[start-1] < utf8.RuneSelf && opening != '«' && opening != '‹' {
		return false // only French has blanks inside of its marks
	}
	rest := view(f.text[end:])
	rest = rest[len(rest)-len(strings.TrimLeft(rest, ".,;:!?'")):]
	if blankLen([]byte(rest[:min(len(rest), 2)])) == 0 {
		return false
	}
	words := false
	line := false // only blanks since the last line end
	for _, r := range rest {
		switch {
		case strings.ContainsRune(closing, r):
			return words
		case closings[r] != "":
			return false
		case r == '\n' && line:
			return false
		case r == '\n':
			line = true
		case r != ' ' && r != '\t' && r != '\r' && r != '\u00A0' && r != '\u202F':
			words = true
			line = false
		}
	}
	return false
}
