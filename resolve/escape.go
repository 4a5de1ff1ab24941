package resolve

import (
	"unicode/utf8"

	"absolink/resolve/ascii"
	"absolink/resolve/internal/component"
)

// The sets of bytes are written as lists of characters, as in the RFCs and the URL Standard. They
// become bits of the table class when the program starts.

const (
	inScheme uint16 = 1 << iota // alpha, digit, "+", "-", "." (RFC 2396 3.1)
	excluded                    // RFC 2396 2.4.3 without "#", "%", "[" and "]"
	encC0                       // this and the next five are percent-encode sets of the URL Standard
	encFragment
	encQuery
	encSpecialQuery
	encPath
	encUserinfo
	badHost      // forbidden host code points of the URL Standard
	badDomain    // forbidden domain code points of the URL Standard
	percent      // "%"
	period       // "."
	delim1808    // ";", "?", "#": RFC 1808 drops them if the component after them is empty
	plainHost    // lower case letter, digit, "-", "_": domains keep them unchanged
	changedByWeb // bytes that the URL Standard may change in a path, a query or a fragment
)

// class has, for each byte, the sets that contain the byte. The set excluded and all percent-encode
// sets contain the bytes of encC0: C0 controls and all bytes above "~".
var class = func() (t [256]uint16) {
	mark := func(set uint16, chars string) {
		for i := 0; i < len(chars); i++ {
			t[chars[i]] |= set
		}
	}
	for c := range t {
		if c < 0x20 || c > 0x7e {
			t[c] |= excluded | encC0 | encFragment | encQuery | encSpecialQuery | encPath | encUserinfo
		}
		if c < 0x20 || c == 0x7f {
			t[c] |= badDomain
		}
	}
	mark(inScheme, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.")
	mark(plainHost, "abcdefghijklmnopqrstuvwxyz0123456789-_")
	mark(excluded, " <>\"{}|\\^`")
	mark(encFragment, " \"<>`")
	mark(encQuery|encSpecialQuery|encPath|encUserinfo, " \"#<>")
	mark(encSpecialQuery, "'")
	mark(encPath|encUserinfo, "?^`{}")
	mark(encUserinfo, "/:;=@[\\]|")
	mark(badHost|badDomain, "\x00\t\n\r #/:<>?@[\\]^|")
	mark(badDomain|percent, "%")
	mark(period, ".")
	mark(delim1808, ";?#")
	for c := range t {
		if t[c]&(encPath|encSpecialQuery|encFragment) != 0 && c != '?' && c != '#' || c == '\\' {
			t[c] |= changedByWeb
		}
	}
	// "[" and "|" do not change. But they may begin the mark of a template, and package extract
	// looks for such marks only in references that are not plain.
	mark(changedByWeb, "[|")
	return t
}()

// nextClass returns the offset of the first byte in s[i:] that is in one of the sets, or the length
// of s.
func nextClass(s string, i int, set uint16) int {
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		if (class[b[0]]|class[b[1]]|class[b[2]]|class[b[3]]|class[b[4]]|class[b[5]]|class[b[6]]|class[b[7]])&set != 0 {
			break
		}
	}
	for i < len(s) && class[s[i]]&set == 0 {
		i++
	}
	return i
}

// hasClass reports whether a byte of s is in one of the sets.
func hasClass(s string, set uint16) bool { return nextClass(s, 0, set) < len(s) }

// appendEncoded appends s with the bytes in set percent-encoded, as UTF-8. Bytes that are not UTF-8
// count as U+FFFD (URL Standard, UTF-8 percent-encode).
func appendEncoded(dst []byte, s string, set uint16) []byte {
	for {
		i := nextClass(s, 0, set)
		dst = append(dst, s[:i]...)
		if i == len(s) {
			return dst
		}
		var n int
		dst, n = appendRune(dst, s[i:])
		s = s[i+n:]
	}
}

// appendRune appends the first character of s percent-encoded. It also returns the length of the
// character in s.
func appendRune(dst []byte, s string) ([]byte, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return append(dst, "%EF%BF%BD"...), 1
	}
	for i := 0; i < n; i++ {
		dst = ascii.AppendPercent(dst, s[i])
	}
	return dst, n
}

// appendExcluded appends s with excluded characters percent-encoded once (RFC 2396 2.4.3). Existing
// escapes stay, and a "%" that does not begin an escape becomes "%25".
func appendExcluded(dst []byte, s string) []byte {
	done := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if class[c]&excluded == 0 && (c != '%' || component.IsEscape(s[i:])) {
			continue
		}
		dst = append(dst, s[done:i]...)
		dst = ascii.AppendPercent(dst, c)
		done = i + 1
	}
	return append(dst, s[done:]...)
}

// Unescape decodes the escapes of a component one time, so %2541 becomes %41 (RFC 3986 2.4). Split
// the URI into components first, since an escaped delimiter is data. Unescape never fails: a "%"
// that does not begin an escape stays.
func Unescape(component string) string { return string(appendUnescaped(nil, component)) }

// appendUnescaped appends s with its escapes decoded one time.
func appendUnescaped(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if !component.IsEscape(s[i:]) {
			dst = append(dst, s[i])
			continue
		}
		dst = append(dst, byte(ascii.Hex(s[i+1])<<4|ascii.Hex(s[i+2])))
		i += 2
	}
	return dst
}

func appendLower(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		dst = append(dst, component.Lower(s[i]))
	}
	return dst
}
