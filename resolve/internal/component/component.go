// Package component has helpers for the text of a URI component. Functions that ignore or change
// case do so only for ASCII letters.
package component

import (
	"strings"

	"absolink/resolve/ascii"
)

// IsEscape reports whether s starts with "%" and two hexadecimal digits (RFC 3986 Section 2.1).
func IsEscape(s string) bool {
	return len(s) >= 3 && s[0] == '%' && ascii.Hex(s[1]) >= 0 && ascii.Hex(s[2]) >= 0
}

// Lower returns a letter in lower case, and any other byte unchanged.
func Lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// EqualFold reports whether a and b are equal without regard to the case of ASCII letters.
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

// IndexAny returns the offset of the first byte of s that is one of chars, or the length of s.
func IndexAny(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}
