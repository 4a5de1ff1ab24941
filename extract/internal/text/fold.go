package text

import "bytes"

// IsFold reports whether name is word in any case. word is in lower case.
func IsFold(name []byte, word string) bool {
	if len(name) != len(word) {
		return false
	}
	for i, c := range name {
		if Lower[c] != word[i] {
			return false
		}
	}
	return true
}

// Lower maps each byte to itself, with ASCII letters in lower case.
var Lower = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()

// AppendLower appends name with its ASCII letters in lower case.
func AppendLower(dst, name []byte) []byte {
	for _, c := range name {
		dst = append(dst, Lower[c])
	}
	return dst
}

// HasPrefixFold reports whether v begins with prefix in any case. prefix is in lower case.
func HasPrefixFold(v []byte, prefix string) bool {
	return len(v) >= len(prefix) && IsFold(v[:len(prefix)], prefix)
}

// IndexFold returns the first index of word in b in any case, or -1. word is in lower case and not
// empty. The search is fast if word does not begin with a letter, as for the tag of an element.
func IndexFold(b []byte, word string) int {
	first := word[0]
	for i := 0; i+len(word) <= len(b); i++ {
		if first < 'a' || first > 'z' {
			next := bytes.IndexByte(b[i:], first)
			if next < 0 {
				return -1
			}
			i += next
		}
		if HasPrefixFold(b[i:], word) {
			return i
		}
	}
	return -1
}
