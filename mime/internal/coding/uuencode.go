package coding

import (
	"bytes"

	"absolink/extract"
)

// Uuencode is older than MIME and is not a transfer encoding of RFC 2045. Old mail calls it
// x-uuencode. absolink reads it to find references, but never writes it: programs disagree about
// its blanks and its last lines, and it is too rare to be worth the work.

// Uuencode decodes the lines between "begin mode name" and "end". Each line begins with its number
// of decoded bytes. Then come groups of four characters for three bytes each. Blanks at the end of
// the last group of a line may be missing.
func Uuencode(t *extract.Text, raw []byte, eol byte) (problem string) {
	problem = "uuencode without its beginning"
	t.Grow(len(raw)/4*3+3, len(raw)/4+1)
	for pos := 0; pos < len(raw); {
		line, next := uuencodedLine(raw, pos, eol)
		switch {
		case problem == "uuencode without its beginning":
			if bytes.HasPrefix(line, []byte("begin ")) {
				problem = "uuencode without its end"
			}
		case string(bytes.TrimRight(line, " \t")) == "end":
			return ""
		case !appendUuencoded(t, pos, line):
			return "bytes that are not uuencode"
		}
		pos = next
	}
	return problem
}

// uuencodedLine returns the line at pos without its line end, and the start of the next line.
func uuencodedLine(raw []byte, pos int, eol byte) (line []byte, next int) {
	next = len(raw)
	if i := bytes.IndexByte(raw[pos:], eol); i >= 0 {
		next = pos + i + 1
	}
	return bytes.TrimRight(raw[pos:next], "\r\n"), next
}

// appendUuencoded decodes the line that begins at pos. It returns false if the line is not
// uuencode.
func appendUuencoded(t *extract.Text, pos int, line []byte) bool {
	if len(line) == 0 {
		return true
	}
	n, ok := uuencoded(line[0])
	for i := 1; ok && n > 0; i += 4 {
		var q [4]byte
		for k := range q {
			if i+k < len(line) && ok {
				q[k], ok = uuencoded(line[i+k])
			}
		}
		out := [3]byte{q[0]<<2 | q[1]>>4, q[1]<<4 | q[2]>>2, q[2]<<6 | q[3]}
		if i >= len(line) || !ok {
			return false
		}
		t.AppendToken(extract.Span{Start: pos + i, End: pos + min(i+4, len(line))}, out[:min(n, 3)])
		n -= min(n, 3)
	}
	return ok
}

// uuencoded returns the six bits of a character. A grave accent stands for a blank.
func uuencoded(c byte) (byte, bool) { return (c - ' ') & 63, ' ' <= c && c <= '`' }
