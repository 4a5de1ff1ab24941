package sealed

import (
	"bytes"
	"strings"

	"absolink/resolve/ascii"
)

// startBlock starts a block if line, which follows ordinary text, is the first line of a block. It
// returns false for any other line. following is the next line.
func (s *stream) startBlock(line, following []byte) bool {
	switch {
	case bytes.HasPrefix(line, []byte("=ybegin ")):
		s.setBlock("=yend ", Encoded)
	case bytes.HasPrefix(line, []byte("begin-base64 ")):
		s.setBlock("====", Encoded)
	case isUUBegin(line) && isUULine(following):
		s.inside = inUU
		s.reason = Encoded
	default:
		return s.startArmor(line)
	}
	return true
}

// setBlock starts a block for the reason r. Its last line starts with end.
func (s *stream) setBlock(end string, r Reason) {
	s.inside = inBlock
	s.lastLine = end
	s.reason = r
}

// startArmor starts a block if line is the first line of armor (RFC 9580 Section 6.2, RFC 7468). It
// returns false for any other line, such as "-----BEGIN FORWARDED MESSAGE-----".
func (s *stream) startArmor(line []byte) bool {
	label, ok := bytes.CutPrefix(bytes.TrimRight(line, " \t"), []byte("-----BEGIN "))
	label, closed := bytes.CutSuffix(label, []byte("-----"))
	if !ok || !closed {
		return false
	}
	switch name := string(label); {
	case strings.HasPrefix(name, "PGP MESSAGE"), name == "PKCS7", name == "CMS":
		s.setBlock("-----END ", Encrypted)
	case name == "PGP SIGNED MESSAGE":
		return false // the signed text is ordinary; its signature is a block
	case strings.HasPrefix(name, "PGP "), strings.HasSuffix(name, " KEY"),
		strings.Contains(name, "CERTIFICATE"), strings.HasSuffix(name, "SIGNATURE"), name == "X509 CRL":
		s.setBlock("-----END ", Encoded)
	default:
		return false
	}
	return true
}

// isUUBegin reports whether line may begin a block of uuencode: "begin", the mode of the file as
// three or four digits, and the name of the file.
func isUUBegin(line []byte) bool {
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

// isUULine reports whether line may be a line of uuencode. Its first character gives the number of
// bytes, up to 45, and four characters encode three bytes. A line may be shorter, because blanks at
// its end may be lost. It may have two characters more, because some programs add characters.
func isUULine(line []byte) bool {
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
