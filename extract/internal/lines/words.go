package lines

import (
	"bytes"
	"encoding/base64"

	"absolink/extract/internal/charset"
	"absolink/resolve/ascii"
)

// Encoded words (RFC 2047) are meant for text, but mail programs also put the URIs of fields into
// them. A word is decoded as a whole, even next to brackets and commas. White space between two
// words is not text. A word that cannot be decoded stays as written.

// decodeWord decodes the encoded word at i, and returns the offset after it. ok is false if there
// is no encoded word at i, or if it cannot be decoded.
func decodeWord(data []byte, i int) (decoded []byte, next int, ok bool) {
	rest, ok := bytes.CutPrefix(data[i:], []byte("=?"))
	if !ok || i > 0 && !separatesWords(data[i-1]) {
		return nil, i, false
	}
	label, rest, ok := cutWord(rest)
	encoding, rest, more := cutWord(rest)
	if !ok || !more || len(encoding) != 1 {
		return nil, i, false
	}
	n := bytes.Index(rest, []byte("?="))
	if n < 0 || bytes.ContainsAny(rest[:n], " \t\r\n") {
		return nil, i, false
	}
	switch encoding[0] | 0x20 {
	case 'q':
		decoded = appendQ(nil, rest[:n])
	case 'b':
		decoded, ok = decodeB(rest[:n])
	default:
		return nil, i, false
	}
	if !ok {
		return nil, i, false
	}
	label, _, _ = bytes.Cut(label, []byte("*")) // a language (RFC 2231 Section 5)
	decoded, ok = charset.InUTF8(decoded, string(label))
	return decoded, len(data) - len(rest) + n + len("?="), ok
}

// separatesWords reports whether an encoded word may follow c. It may follow the end of another
// word, because some senders write no blank between two words.
func separatesWords(c byte) bool {
	return ascii.Space.Has(c) || bytes.IndexByte([]byte("<(,\"="), c) >= 0
}

// cutWord returns the parts before and after the next '?'. ok is false if white space precedes the
// '?', or if the part before it is empty.
func cutWord(b []byte) (before, after []byte, ok bool) {
	n := bytes.IndexAny(b, "? \t\r\n")
	if n <= 0 || b[n] != '?' {
		return nil, nil, false
	}
	return b[:n], b[n+1:], true
}

// appendQ appends the text of the encoding Q (RFC 2047 Section 4.2).
func appendQ(dst, b []byte) []byte {
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '_':
			dst = append(dst, ' ')
		case c == '=' && hexAt(b, i+1) >= 0 && hexAt(b, i+2) >= 0:
			dst = append(dst, byte(ascii.Hex(b[i+1])<<4|ascii.Hex(b[i+2])))
			i += 2
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// decodeB returns the text of the encoding B. The '=' at its end may be missing.
func decodeB(b []byte) ([]byte, bool) {
	out, err := base64.RawStdEncoding.DecodeString(string(bytes.TrimRight(b, "=")))
	return out, err == nil
}

// hexAt returns the value of the hexadecimal digit at i, or a negative number for any other byte.
func hexAt(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	return ascii.Hex(b[i])
}
