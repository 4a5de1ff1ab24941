package css

import "bytes"

// The strings and urls of three at-rules have a meaning of their own. An @import counts only
// outside of blocks, and only if its URL directly follows its name (CSS Cascade Level 5 section 2).
// The content of other at-rules is read like any other text.

// atRule consumes the '@' at s.pos. It also reads the name after it, except in a declaration list.
func (s *Scanner) atRule() {
	s.pos++
	if s.decl {
		return
	}
	end := nameEnd(s.data, s.pos)
	name := s.data[s.pos:end]
	if bytes.IndexByte(name, '\\') >= 0 {
		name = s.name(s.pos, end)
	}
	s.at = URL
	switch {
	case is(name, "import"):
		if s.urlAt(end) && !s.nested() {
			s.at = Import
		}
	case is(name, "namespace"):
		s.at = Namespace
	case is(name, "document"), is(name, "-moz-document"):
		s.at = Document
	}
}

// urlAt reports whether a string, url() or src() follows at i, after white space and comments.
func (s *Scanner) urlAt(i int) bool {
	for i = skipSpace(s.data, i); i+1 < len(s.data) && s.data[i] == '/' && s.data[i+1] == '*'; {
		i = skipSpace(s.data, commentEnd(s.data, i))
	}
	if i < len(s.data) && classes[s.data[i]] == quote {
		return true
	}
	end := nameEnd(s.data, i)
	if end == len(s.data) || s.data[end] != '(' {
		return false
	}
	f := functionNamed(s.name(i, end))
	return f == urlFunc || f == stringFunc
}

// nested reports whether a block is open at s.pos. It reads each byte only once, however many
// at-rules ask.
func (s *Scanner) nested() bool {
	i := s.counted
	for i < s.pos {
		switch s.data[i] {
		case '"', '\'':
			i, _, _ = s.stringEnd(i)
		case '/':
			i = commentEnd(s.data, i)
		case '\\':
			var f function
			i, f = s.escapedNameEnd(i)
			if i < len(s.data) && s.data[i] == '(' {
				i = s.contentEnd(i, f)
			}
		case '(':
			i = s.contentEnd(i, s.wordBefore(i))
		case '{':
			s.braces++
			i++
		case '}':
			s.braces = max(s.braces-1, 0)
			i++
		default:
			i++
		}
	}
	s.counted = i
	return s.braces > 0
}

// contentEnd returns the offset after a url() without quotes, whose '(' is at i. f is the meaning
// of the name before it. For any other function contentEnd returns the offset after the '('.
func (s *Scanner) contentEnd(i int, f function) int {
	if f != urlFunc {
		return i + 1
	}
	i = skipSpace(s.data, i+1)
	if i < len(s.data) && classes[s.data[i]] == quote {
		return i
	}
	for i < len(s.data) && s.data[i] != ')' {
		if s.data[i] == '\\' {
			i++
		}
		i++
	}
	return min(i+1, len(s.data))
}
