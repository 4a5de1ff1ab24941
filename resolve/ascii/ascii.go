// Package ascii reads hexadecimal digits and writes percent-escapes (RFC 3986 Section 2.1).
package ascii

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

// AppendPercent appends c percent-encoded (RFC 3986 Section 2.1), with the hexadecimal
// digits in upper case. It allocates only to grow dst.
func AppendPercent(dst []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[c>>4], digits[c&15])
}
