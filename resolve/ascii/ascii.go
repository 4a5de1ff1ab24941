// Package ascii has the characters that the RFCs name: classes of bytes, hexadecimal digits and
// percent-escapes (RFC 3986 Section 2.1).
package ascii

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

var classes = func() (t [256]Class) {
	for c := range t {
		switch {
		case 'A' <= c && c <= 'Z':
			t[c] = Upper
		case 'a' <= c && c <= 'z':
			t[c] = Lower
		case '0' <= c && c <= '9':
			t[c] = Digit
		}
	}
	for class, chars := range map[Class]string{
		Blank: " \t", LineEnd: "\n\r", FormFeed: "\f", TokenSign: "!#$%&'*+-.^_`|~", Brace: "{}",
	} {
		for _, c := range []byte(chars) {
			t[c] = class
		}
	}
	return t
}()

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
