package css

import "bytes"

// Outside of functions that take strings and of the preludes of at-rules, a URL
// begins only at a candidate: the '(' of a function that takes one, the '@' of a rule
// that does, the backslash of a name before a '('. Candidates are far apart, and are
// found at the speed of memory. What stands before one may still hide it: a string,
// a comment or an escape that begins earlier; if there is one, it is read, and the
// search goes on behind it. The next offset of each of the bytes that matter is kept
// until it is passed, so that no byte is searched twice for the same.

// ahead are the offsets of what comes next after the place of the scanner, each one
// valid until it is passed; the length of the data stands for nothing.
type ahead struct {
	function int // the '(' of a function that takes URLs
	rule     int // the '@' of a rule that does
	escaped  int // the first backslash of a name before a '('

	// What may hide a candidate is searched for only up to the next one: each of
	// these may be an offset up to which there is none.

	double, single, star, escape int
}

// unknown says that nothing was searched for yet.
var unknown = ahead{function: -1, rule: -1, escaped: -1}

// jump goes to the next candidate, or to what begins before it and may hide it; to
// the end where there is no candidate.
func (s *Scanner) jump() {
	if s.function < s.pos {
		s.function = nextFunction(s.data, s.pos)
	}
	if s.rule < s.pos {
		s.rule = len(s.data)
		if !s.decl {
			s.rule = nextRule(s.data, s.pos)
		}
	}
	if s.escaped < s.pos {
		s.escaped = nextEscapedName(s.data, s.pos)
	}
	at := min(s.function, s.rule, s.escaped)
	if at < len(s.data) {
		at = s.nextOf('"', &s.double, at)
		at = s.nextOf('\'', &s.single, at)
		at = s.nextOf('\\', &s.escape, at)
		at = s.nextComment(at)
	}
	s.pos = at
}

// nextOf returns the offset of the first c from the place of the scanner up to limit,
// or limit. known is what of it is known, and updated.
func (s *Scanner) nextOf(c byte, known *int, limit int) int {
	at := max(*known, s.pos)
	if at >= limit {
		return limit
	}
	if s.data[at] != c {
		if n := bytes.IndexByte(s.data[at:limit], c); n >= 0 {
			at += n
		} else {
			at = limit
		}
	}
	*known = at
	return at
}

// nextComment is nextOf for the start of a comment. There are fewer '*' than '/' in
// style sheets.
func (s *Scanner) nextComment(limit int) int {
	at := max(s.star, s.pos+1)
	for at < limit {
		n := bytes.IndexByte(s.data[at:limit], '*')
		if n < 0 {
			s.star = limit
			return limit
		}
		if at += n; s.data[at-1] == '/' {
			s.star = at
			return at - 1
		}
		at++
	}
	s.star = at
	return limit
}

// nextFunction returns the offset of the first '(' from i on that may be that of a
// function with URLs.
func nextFunction(data []byte, i int) int {
	for {
		n := bytes.IndexByte(data[i:], '(')
		if n < 0 {
			return len(data)
		}
		if i += n; i > 0 && maybeFunction(data, i) {
			return i
		}
		i++
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

// nextRule returns the offset of the first '@' from i on that may be that of a rule
// with URLs.
func nextRule(data []byte, i int) int {
	for {
		n := bytes.IndexByte(data[i:], '@')
		if n < 0 {
			return len(data)
		}
		if i += n; maybeRule(data[i+1:]) {
			return i
		}
		i++
	}
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

// nextEscapedName returns the offset of the first backslash from i on in a name that
// ends in a '('.
func nextEscapedName(data []byte, i int) int {
	for i < len(data) {
		n := bytes.IndexByte(data[i:], '\\')
		if n < 0 {
			break
		}
		i += n
		end := i + 1
		if end == len(data) || !isNewline(data[end]) {
			end = nameEnd(data, i)
		}
		if end < len(data) && data[end] == '(' {
			return i
		}
		i = end
	}
	return len(data)
}
