package resolve

import (
	"strings"

	"absolink/resolve/ascii"
)

// misleadingUser warns of a user that may be taken for the host (RFC 3986 7.6).
const misleadingUser = "misleading-user"

// looksLikeHost reports whether a user begins as a host does: with an IPv4 address, or
// with a name that has a dot and ends in letters, before a delimiter or the end. Escapes
// count as what they stand for.
func looksLikeHost(user string) bool {
	var name hostShape
	user = strings.TrimSuffix(user, ".")
	for i := 0; i < len(user); i++ {
		c := user[i]
		if ascii.IsEscape(user[i:]) {
			c = byte(ascii.Hex(user[i+1])<<4 | ascii.Hex(user[i+2]))
			i += 2
		}
		if strings.IndexByte(":/?#@&;=+$,!", c) >= 0 {
			break
		}
		if !name.add(c) {
			return false
		}
	}
	return name.dots > 0 && name.letters > 1 && name.letters == name.length || name.dots == 3 && name.digits && name.length > 0
}

// hostShape is what is known of a name that is read byte by byte.
type hostShape struct {
	dots            int
	length, letters int  // of the last label
	digits          bool // there are only digits and dots
}

// add adds a byte, and reports whether a host may hold it there.
func (h *hostShape) add(c byte) bool {
	h.digits = (h.digits || h.dots == 0 && h.length == 0) && (ascii.IsDigit(c) || c == '.')
	switch {
	case c == '.':
		h.dots++
		ok := h.length > 0
		h.length, h.letters = 0, 0
		return ok
	case ascii.IsAlpha(c) || c >= 0x80:
		h.letters++
	case !ascii.IsDigit(c) && c != '-':
		return false
	}
	h.length++
	return true
}
