package sealed

import (
	"bytes"
	"strings"

	"absolink/resolve/ascii"
)

// beginsBlock reads a line of ordinary text that may begin a block. It sets s.block. following is
// the line after it.
func (s *stream) beginsBlock(line, following []byte) bool {
	switch {
	case bytes.HasPrefix(line, []byte("=ybegin ")):
		s.until("=yend ", Encoded)
	case bytes.HasPrefix(line, []byte("begin-base64 ")):
		s.until("====", Encoded)
	case isBegin(line) && isUU(following):
		s.inside = inUU
		s.block = Encoded
	default:
		return s.beginsArmor(line)
	}
	return true
}

// until begins a block that ends with a line that starts with end.
func (s *stream) until(end string, r Reason) {
	s.inside = inBlock
	s.end = end
	s.block = r
}

// beginsArmor reads a line that may be the first line of armor (RFC 9580 Section 6.2, RFC 7468).
// Other lines with the same dashes are text, such as BEGIN FORWARDED MESSAGE.
func (s *stream) beginsArmor(line []byte) bool {
	label, ok := bytes.CutPrefix(bytes.TrimRight(line, " \t"), []byte("-----BEGIN "))
	label, closed := bytes.CutSuffix(label, []byte("-----"))
	if !ok || !closed {
		return false
	}
	switch name := string(label); {
	case strings.HasPrefix(name, "PGP MESSAGE"), name == "PKCS7", name == "CMS":
		s.until("-----END ", Encrypted)
	case strings.HasPrefix(name, "PGP "), strings.HasSuffix(name, " KEY"),
		strings.Contains(name, "CERTIFICATE"), strings.HasSuffix(name, "SIGNATURE"), name == "X509 CRL":
		s.until("-----END ", Encoded)
	default:
		return false
	}
	return true
}

// isBegin reports whether line may begin a block of uuencode: begin, the mode of the file as three
// or four octal digits, and its name.
func isBegin(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("begin "))
	mode, name, named := bytes.Cut(rest, []byte{' '})
	if !ok || !named || len(name) == 0 || len(mode) < 3 || len(mode) > 4 {
		return false
	}
	for _, c := range mode {
		if !ascii.Digit.Has(c) {
			return false
		}
	}
	return true
}

// isUU reports whether line may be a line of uuencode. Its first character gives the number of
// bytes, up to 45, and four characters hold three bytes. Blanks at its end may be lost, and some
// programs add a character.
func isUU(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	for _, c := range line {
		if c < ' ' || c > '`' {
			return false
		}
	}
	n := int(line[0]-' ') & 63
	return n <= 45 && len(line) <= 1+(n+2)/3*4+2
}
