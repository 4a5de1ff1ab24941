// Package ascii tells the characters of ASCII apart that the grammars of URIs, of mail
// and of HTML speak of, and reads and writes percent-escapes (RFC 3986 Section 2.1). Bytes
// from 0x80 on are in none of its sets.
package ascii

import "strings"

// IsAlpha reports whether c is a letter.
func IsAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsAlnum reports whether c is a letter or a decimal digit.
func IsAlnum(c byte) bool { return IsAlpha(c) || IsDigit(c) }

// Hex returns the value of a hexadecimal digit in either case, -1 for any other byte.
func Hex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// IsEscape reports whether s starts with "%" and two hexadecimal digits (RFC 3986 Section
// 2.1).
func IsEscape(s string) bool {
	return len(s) >= 3 && s[0] == '%' && Hex(s[1]) >= 0 && Hex(s[2]) >= 0
}

// AppendPercent appends c percent-encoded (RFC 3986 Section 2.1), with the hexadecimal
// digits in upper case. It allocates only to grow dst.
func AppendPercent(dst []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[c>>4], digits[c&15])
}

// Lower returns a letter in lower case, and any other byte as it is.
func Lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// EqualFold reports whether a and b are the same but for the case of their letters.
func EqualFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if Lower(a[i]) != Lower(b[i]) {
			return false
		}
	}
	return true
}

// IsASCII reports whether all bytes of s are below 0x80.
func IsASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// IndexAny returns the offset of the first byte of s that is one of chars, the length of
// s if there is none.
func IndexAny(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}
