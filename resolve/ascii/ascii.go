// Package ascii has the characters that the RFCs name: classes of bytes, hexadecimal digits and
// percent-escapes (RFC 3986 Section 2.1).
package ascii

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// Class is a set of ASCII characters. Classes are joined by |, and the zero value is empty.
type Class uint8

// The basic classes. The others are unions of them. No character is in two basic classes.
const (
	Upper     Class = 1 << iota // A to Z
	Lower                       // a to z
	Digit                       // 0 to 9
	Blank                       // space and tab
	LineEnd                     // LF and CR
	FormFeed                    // FF
	TokenSign                   // ! # $ % & ' * + - . ^ _ ` | ~
	Brace                       // { and }
)

const (
	Letter = Upper | Lower
	Alnum  = Letter | Digit
	// Space is ASCII white space (Infra Standard 4.6).
	Space = Blank | LineEnd | FormFeed
	// Token is the characters of a token of HTTP (RFC 9110 Section 5.6.2).
	Token = Alnum | TokenSign
	// MIMEToken is the characters of a token of MIME (RFC 2045 Section 5.1).
	MIMEToken = Token | Brace
)

var classes = [256]Class{
	'\t': Blank, ' ': Blank,
	'\n': LineEnd, '\r': LineEnd,
	'\f': FormFeed,
	'0':  Digit, '1': Digit, '2': Digit, '3': Digit, '4': Digit,
	'5': Digit, '6': Digit, '7': Digit, '8': Digit, '9': Digit,
	'A': Upper, 'B': Upper, 'C': Upper, 'D': Upper, 'E': Upper, 'F': Upper, 'G': Upper,
	'H': Upper, 'I': Upper, 'J': Upper, 'K': Upper, 'L': Upper, 'M': Upper, 'N': Upper,
	'O': Upper, 'P': Upper, 'Q': Upper, 'R': Upper, 'S': Upper, 'T': Upper, 'U': Upper,
	'V': Upper, 'W': Upper, 'X': Upper, 'Y': Upper, 'Z': Upper,
	'a': Lower, 'b': Lower, 'c': Lower, 'd': Lower, 'e': Lower, 'f': Lower, 'g': Lower,
	'h': Lower, 'i': Lower, 'j': Lower, 'k': Lower, 'l': Lower, 'm': Lower, 'n': Lower,
	'o': Lower, 'p': Lower, 'q': Lower, 'r': Lower, 's': Lower, 't': Lower, 'u': Lower,
	'v': Lower, 'w': Lower, 'x': Lower, 'y': Lower, 'z': Lower,
	'!': TokenSign, '#': TokenSign, '$': TokenSign, '%': TokenSign, '&': TokenSign,
	'\'': TokenSign, '*': TokenSign, '+': TokenSign, '-': TokenSign, '.': TokenSign,
	'^': TokenSign, '_': TokenSign, '`': TokenSign, '|': TokenSign, '~': TokenSign,
	'{': Brace, '}': Brace,
}

// Has reports whether c is in the class.
func (class Class) Has(c byte) bool { return classes[c]&class != 0 }

// HasAll reports whether s is not empty and all its bytes are in the class.
func (class Class) HasAll(s string) bool {
	for i := range len(s) {
		if !class.Has(s[i]) {
			return false
		}
	}
	return s != ""
}

// Split yields the parts of s between characters of the class, without empty parts. With [Space] it
// splits as HTML splits the values of attributes such as rel and class (Infra Standard 4.6);
// [strings.Fields] also splits at other spaces of Unicode.
func (class Class) Split(s string) iter.Seq[string] {
	return strings.FieldsFuncSeq(s, func(r rune) bool { return r < utf8.RuneSelf && class.Has(byte(r)) })
}

// Hex returns the value of a hexadecimal digit in either case, or -1 for any other byte.
func Hex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// AppendPercent appends c percent-encoded (RFC 3986 Section 2.1), with hexadecimal digits in upper
// case. It allocates only to grow dst.
func AppendPercent(dst []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[c>>4], digits[c&15])
}
