package css

import "bytes"

// lastCandidate returns the offset of the last byte that a URL may stand behind:
// the '(' of a function that takes one, the '@' of a rule that does, a backslash
// in a name before a '('. It is -1 where there is none. What stands in comments
// and strings counts too.
func lastCandidate(data []byte) int {
	last := lastOf(data, '(', -1, func(i int) bool { return i > 0 && maybeFunction(data, i) })
	last = lastOf(data, '@', last, func(i int) bool { return maybeRule(data[i+1:]) })
	return lastEscaped(data, last)
}

// lastOf returns the last offset after last where c stands and ok holds, last if
// there is none.
func lastOf(data []byte, c byte, last int, ok func(i int) bool) int {
	for i := last + 1; ; i++ {
		n := bytes.IndexByte(data[i:], c)
		if n < 0 {
			return last
		}
		i += n
		if ok(i) {
			last = i
		}
	}
}

// maybeFunction reports whether the letters before data[i] end the name of a
// function that takes URLs.
func maybeFunction(data []byte, i int) bool {
	if !lastLetters[data[i-1]] {
		return false
	}
	tail := data[max(i-3, 0):i]
	return is(tail, "url") || is(tail, "src") || is(tail, "set") || is(tail, "age")
}

// maybeRule reports whether name may be that of @import, @namespace, @document,
// or one of these with a prefix or escapes.
func maybeRule(name []byte) bool {
	if len(name) == 0 {
		return false
	}
	switch name[0] | 0x20 {
	case 'i', 'n', 'd', '-' | 0x20, '\\' | 0x20:
		return true
	}
	return bytes.IndexByte(name[:min(len(name), longest)], '\\') >= 0
}

// lastEscaped returns the offset of the last backslash after last in a name that
// ends in a '(', last if there is none.
func lastEscaped(data []byte, last int) int {
	for i := last + 1; i < len(data); {
		n := bytes.IndexByte(data[i:], '\\')
		if n < 0 {
			return last
		}
		i += n
		end := i + 1
		if end == len(data) || !isNewline(data[end]) {
			end = nameEnd(data, i)
		}
		if end < len(data) && data[end] == '(' {
			last = i
		}
		i = end
	}
	return last
}
