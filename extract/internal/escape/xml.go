package escape

import (
	"bytes"
	"unicode/utf8"

	"absolink/resolve/ascii"
)

func appendXMLEscaped(dst, text []byte, quote byte) []byte {
	for i := 0; i < len(text); {
		if sameBare[text[i]] {
			dst = append(dst, text[i])
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && n == 1 || !IsXML(r):
			for _, c := range text[i : i+n] {
				dst = ascii.AppendPercent(dst, c)
			}
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>': // otherwise "]]>" might result
			dst = append(dst, "&gt;"...)
		case r == '"' && quote != '\'':
			dst = append(dst, "&quot;"...)
		case r == '\'' && quote == '"', r == '"', r == ' ' &&
			quote != 0, r == '=' && quote != 0, r == '`' && quote != 0:
			dst = append(dst, byte(r))
		default:
			dst = appendDecimal(dst, r)
		}
		i += n
	}
	return dst
}

// appendCDATA appends text to a CDATA section. It writes no '>', since "]]>" would end the section.
// If the text ends in brackets, it begins another section.
func appendCDATA(dst, text []byte) []byte {
	for _, c := range text {
		switch {
		case c < ' ' && c != '\t' && c != '\n', c >= 0x7f, c == '>':
			dst = ascii.AppendPercent(dst, c)
		default:
			dst = append(dst, c)
		}
	}
	if string(text) == "]" || bytes.HasSuffix(text, []byte("]]")) {
		dst = append(dst, "]]><![CDATA["...)
	}
	return dst
}

// IsXML reports whether r is a character of XML (production 2).
func IsXML(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || ' ' <= r && r < 0xd800 ||
		0xe000 <= r && r < 0xfffe || 0x10000 <= r && r <= utf8.MaxRune
}
