package css

import "bytes"

// The strings and urls of three at-rules have a meaning of their own. An @import counts only
// outside of blocks, and only if its URL directly follows its name (CSS Cascade Level 5 section 2).
// The content of other at-rules is read like any other text.

// readAtRule consumes the '@' at s.pos, and sets s.rule for the name after it. In a declaration
// list it ignores the name.
func (s *Scanner) readAtRule() {
	s.pos++
	if s.declarations {
		return
	}
	end := nameEnd(s.data, s.pos)
	name := s.data[s.pos:end]
	if bytes.IndexByte(name, '\\') >= 0 {
		name = s.unescapedName(s.pos, end)
	}
	s.rule = URL
	switch {
	case equalsFold(name, "import"):
		if s.isURLAt(end) && !s.inBlock() {
			s.rule = Import
		}
	case equalsFold(name, "namespace"):
		s.rule = Namespace
	case equalsFold(name, "document"), equalsFold(name, "-moz-document"):
		s.rule = Document
	}
}

// isURLAt reports whether a string, url() or src() follows at i, after white space and comments.
func (s *Scanner) isURLAt(i int) bool {
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
	f := functionNamed(s.unescapedName(i, end))
	return f == urlFunc || f == stringFunc
}

// inBlock returns true if a block is open at s.pos. It counts the blocks from the end of the last
// count on, so it reads each byte only once.
func (s *Scanner) inBlock() bool {
	i := s.bracesRead
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
			i = s.contentEnd(i, s.functionBefore(i))
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
	s.bracesRead = i
	return s.braces > 0
}

// contentEnd is for the function f whose '(' is at i. It returns the offset after a url() without
// quotes. For other functions, and for url() with quotes, it returns an offset in the brackets.
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
