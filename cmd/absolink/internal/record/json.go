package record

import (
	"strconv"
	"unicode/utf8"
)

// Object is a JSON object that is being appended to, '{' included. Its methods
// append a member, or nothing if the value is empty, and return the result.
type Object []byte

func (o Object) key(k string) Object {
	if n := len(o); o[n-1] != '{' && o[n-1] != '[' {
		o = append(o, ',')
	}
	o = AppendString(o, k)
	return append(o, ':')
}

// String appends a member unless v is empty.
func (o Object) String(k, v string) Object {
	if v == "" {
		return o
	}
	return AppendString(o.key(k), v)
}

// Bytes appends a member, also if v is empty: only nil is unknown.
func (o Object) Bytes(k string, v []byte) Object {
	if v == nil {
		return o
	}
	return AppendString(o.key(k), v)
}

// Int appends a member, also if v is 0.
func (o Object) Int(k string, v int64) Object {
	return strconv.AppendInt(o.key(k), v, 10)
}

// Raw appends a member whose value v is JSON already.
func (o Object) Raw(k string, v []byte) Object { return append(o.key(k), v...) }

// Strings appends a list unless it is empty.
func (o Object) Strings(k string, v []string) Object {
	if len(v) == 0 {
		return o
	}
	o = append(o.key(k), '[')
	for i, s := range v {
		if i > 0 {
			o = append(o, ',')
		}
		o = AppendString(o, s)
	}
	return append(o, ']')
}

// AppendString appends s as a JSON string. What is no UTF-8 becomes U+FFFD.
func AppendString[D ~[]byte, S string | []byte](dst D, s S) D {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	plain := 0 // where what is not yet appended begins
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		n := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, n = utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)])); r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		dst = append(dst, s[plain:i]...)
		switch {
		case c >= utf8.RuneSelf:
			dst = append(dst, "\uFFFD"...)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, '\\', c)
		}
		i += n
		plain = i
	}
	dst = append(dst, s[plain:]...)
	return append(dst, '"')
}
