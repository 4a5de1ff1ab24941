package record

import (
	"fmt"
	"math/bits"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/hidden"
)

// Object is the beginning of a JSON object, from '{' on. Each method appends a member and returns
// the result. Some methods append nothing for an empty value.
type Object []byte

// key appends the key of a member. k must not need escapes.
func (o Object) key(k string) Object {
	if n := len(o); o[n-1] != '{' && o[n-1] != '[' {
		o = append(o, ',')
	}
	o = append(append(o, '"'), k...)
	return append(o, '"', ':')
}

// String appends a member unless v is empty.
func (o Object) String(k, v string) Object {
	if v == "" {
		return o
	}
	return AppendString(o.key(k), v)
}

// Bytes appends a member unless v is nil, which means unknown.
func (o Object) Bytes(k string, v []byte) Object {
	if v == nil {
		return o
	}
	return AppendString(o.key(k), v)
}

// Int appends a member, even if v is 0.
func (o Object) Int(k string, v int64) Object {
	return strconv.AppendInt(o.key(k), v, 10)
}

// Raw appends a member with the value v, which must be JSON.
func (o Object) Raw(k string, v []byte) Object { return append(o.key(k), v...) }

// Strings appends a member with a list, unless the list is empty.
func (o Object) Strings(k string, v []string) Object {
	if len(v) == 0 {
		return o
	}
	return appendStrings(o.key(k), v)
}

// appendStrings appends a JSON array of strings.
func appendStrings[D ~[]byte](dst D, v []string) D {
	dst = append(dst, '[')
	for i, s := range v {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, s)
	}
	return append(dst, ']')
}

// AppendString appends s as a JSON string. Invalid UTF-8 becomes U+FFFD. It escapes characters that
// a terminal obeys or hides.
func AppendString[D ~[]byte, S string | []byte](dst D, s S) D {
	dst = append(dst, '"')
	for {
		n := plainPrefix(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return append(dst, '"')
		}
		s = s[n:]
		if s[0] < utf8.RuneSelf {
			dst, s = appendEscape(dst, s[0]), s[1:]
			continue
		}
		n = widePrefix(s)
		dst = append(dst, s[:n]...)
		if n == 0 {
			dst, n = appendWideEscape(dst, string(s[:min(len(s), utf8.UTFMax)]))
		}
		s = s[n:]
	}
}

// appendWideEscape appends the escape of the character at the beginning of s, which is invalid
// UTF-8 or hidden. It returns the length of the character.
func appendWideEscape[D ~[]byte](dst D, s string) (D, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return append(dst, "\uFFFD"...), 1
	}
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return D(fmt.Appendf(dst, `\u%04x\u%04x`, high, low)), n
	}
	return D(fmt.Appendf(dst, `\u%04x`, r)), n
}

// plainPrefix returns the number of bytes at the beginning of s that are ASCII and need no escape
// in a JSON string. It examines eight bytes at once. The lowest of the marks is at the first byte
// that needs an escape. The other marks may be wrong.
func plainPrefix[S string | []byte](s S) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		quote, slash := w^ones*'"', w^ones*'\\'
		del := w ^ ones*0x7f
		marks := w | (w-ones*' ')&^w | (quote-ones)&^quote | (slash-ones)&^slash | (del-ones)&^del
		marks &= tops
		if marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' && s[i] != '\\' {
		i++
	}
	return i
}

// widePrefix returns the number of bytes at the beginning of s that are valid UTF-8 of visible
// characters outside ASCII.
func widePrefix[S string | []byte](s S) int {
	i := 0
	for i < len(s) && s[i] >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		if r == utf8.RuneError && n == 1 || hidden.Rune(r) {
			break
		}
		i += n
	}
	return i
}

// appendEscape appends the escape of an ASCII character.
func appendEscape[D ~[]byte](dst D, c byte) D {
	const hex = "0123456789abcdef"
	switch c {
	case '\n':
		return append(dst, '\\', 'n')
	case '\t':
		return append(dst, '\\', 't')
	case '\r':
		return append(dst, '\\', 'r')
	case '"', '\\':
		return append(dst, '\\', c)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
