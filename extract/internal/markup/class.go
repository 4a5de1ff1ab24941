package markup

import "bytes"

// Classes of bytes inside a tag.
const (
	letter    = 1 << iota // may begin a tag name
	space                 // tab, line feed, form feed, carriage return, blank
	nameEnd               // ends a tag name: white space, '/', '>'
	attrEnd               // ends an attribute name: white space, '/', '>', '='
	valueEnd              // ends an unquoted value: white space, '>'
	alnum                 // letters and digits
	uppercase             // A to Z
)

var class = classes()

func classes() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= letter | alnum
		t[c-'a'+'A'] |= letter | alnum | uppercase
	}
	for c := '0'; c <= '9'; c++ {
		t[c] |= alnum
	}
	for _, c := range " \t\n\f\r" {
		t[c] |= space | nameEnd | attrEnd | valueEnd
	}
	t['>'] |= nameEnd | attrEnd | valueEnd
	t['/'] |= nameEnd | attrEnd
	t['='] |= attrEnd
	return t
}

// skipSpace returns the offset after the white space at i.
func skipSpace(data []byte, i int) int {
	for i < len(data) && class[data[i]]&space != 0 {
		i++
	}
	return i
}

// blank reports whether text consists only of white space, NUL and "</>", which have no effect.
func blank(text []byte) bool {
	for len(text) > 0 {
		switch c := text[0]; {
		case class[c]&space != 0 || c == 0:
			text = text[1:]
		case bytes.HasPrefix(text, []byte("</>")):
			text = text[len("</>"):]
		default:
			return false
		}
	}
	return true
}
