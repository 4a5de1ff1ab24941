package prose

import (
	"strings"
	"unsafe"

	"absolink/resolve/ascii"
)

// finder is the state of one walk over a text.
type finder struct {
	text        []byte
	abbreviated bool
	fields      bool   // a comma ends a URI
	quoted      bool   // an apostrophe is directly before the current bare URI
	piped       bool   // < or | is directly before the current bare URI
	marks       []byte // quoting marks of the line of a delimiter, without blanks
	// The walk goes byte by byte up to the offset colon. In a walk that jumps, this is the current
	// colon, and -1 at first. In other walks it is the length of the text, or unused.
	colon int
	// open is the start of the last text between two delimiters that is no URI, because it has
	// white space, escapes or other quoting marks inside. It is -1 if there is none. A bare URI
	// that begins there may be cut off.
	open int
}

// inScheme are the characters of schemes (RFC 2396 Section 3.1). excluded are the characters that
// no URI contains unescaped (Section 2.4.3).
var inScheme, excluded = func() (scheme, never [256]bool) {
	for c := range scheme {
		b := byte(c)
		scheme[c] = ascii.Alnum.Has(b) || isOneOf(b, "+-.")
		never[c] = b <= ' ' || b > '~' || isOneOf(b, `<>"{}|\^`+"`")
	}
	return scheme, never
}()

// view returns s as a string that shares its memory.
func view(s []byte) string { return unsafe.String(unsafe.SliceData(s), len(s)) }

// blankLen returns the length of the white space character at the start of s, or 0. White space is
// blanks, line ends, and the no-break space, which some mail programs write instead of a blank.
func blankLen(s []byte) int {
	switch {
	case len(s) == 0:
		return 0
	case s[0] == ' ' || s[0] >= '\t' && s[0] <= '\r':
		return 1
	case len(s) > 1 && s[0] == 0xC2 && s[1] == 0xA0:
		return 2
	}
	return 0
}

// isASCII reports whether all bytes of s are below 0x80.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func isOneOf(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }
