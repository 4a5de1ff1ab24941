package css

import "absolink/resolve/ascii"

// readURL consumes the content after "url(" or "src(", up to the end of the URL. It returns true if
// the content is a URL.
func (s *Scanner) readURL(f function) bool {
	ctx := s.rule
	if s.rule == Import {
		s.rule = URL
	}
	s.countBracket()
	i := skipSpace(s.data, s.pos)
	if i < len(s.data) && (s.data[i] == '"' || s.data[i] == '\'') {
		s.pos = i
		return s.readString(ctx)
	}
	if f == stringFunc {
		return false
	}
	if s.depth > 0 {
		s.depth--
	}
	return s.readUnquoted(i, ctx)
}

// countBracket counts the bracket of a url() inside a function that takes strings.
func (s *Scanner) countBracket() {
	if s.depth > 0 {
		s.depth++
		s.imageBits &^= 1 << s.depth
	}
}

// readString consumes the string at s.pos, whose context is ctx. It returns true if the string is a
// URL. A string that a line end cuts off is not a URL.
func (s *Scanner) readString(ctx Context) bool {
	end, escaped, good := s.stringEnd(s.pos)
	start, q := s.pos+1, s.data[s.pos]
	s.pos = end
	if !good || ctx == none {
		return false
	}
	if end > start && s.data[end-1] == q && s.isClosed(start, end) {
		end--
	}
	s.Start, s.End, s.Quote, s.Escaped, s.Context = start, end, q, escaped, ctx
	return true
}

// isClosed reports whether the quote before end closes the string whose content begins at start. An
// escaped quote at the end of the input does not.
func (s *Scanner) isClosed(start, end int) bool {
	n := 0
	for i := end - 2; i >= start && s.data[i] == '\\'; i-- {
		n++
	}
	return n%2 == 0
}

// readUnquoted consumes the url token whose content begins at i (4.3.6), with its ')'. It returns
// true if the token is valid.
func (s *Scanner) readUnquoted(i int, ctx Context) bool {
	start, escaped := i, false
	for i = unquoted.Index(s.data, i); i < len(s.data); i = unquoted.Index(s.data, i+1) {
		c := s.data[i]
		if c == ')' {
			break
		}
		if ascii.Space.Has(c) {
			end := i
			i = skipSpace(s.data, i)
			if i < len(s.data) && s.data[i] != ')' {
				return s.skipBadURL(i)
			}
			return s.setURL(start, end, min(i+1, len(s.data)), escaped, ctx)
		}
		if c == '\\' && i+1 < len(s.data) && !isNewline(s.data[i+1]) {
			escaped = true
			i = escapeEnd(s.data, i) - 1
			continue
		}
		if c == '\\' && i+1 < len(s.data) || badInURL(c) {
			return s.skipBadURL(i)
		}
		if c == '\\' || c == 0 {
			escaped = true
		}
	}
	return s.setURL(start, i, min(i+1, len(s.data)), escaped, ctx)
}

// setURL records an unquoted URL, and moves to pos. It returns true.
func (s *Scanner) setURL(start, end, pos int, escaped bool, ctx Context) bool {
	s.Start, s.End, s.Quote, s.Escaped, s.Context = start, end, 0, escaped, ctx
	s.pos = pos
	return true
}

// skipBadURL consumes the remnants of a bad url (4.3.14). It returns false.
func (s *Scanner) skipBadURL(i int) bool {
	for i < len(s.data) && s.data[i] != ')' {
		if s.data[i] == '\\' && i+1 < len(s.data) && !isNewline(s.data[i+1]) {
			i = escapeEnd(s.data, i)
			continue
		}
		i++
	}
	s.pos = min(i+1, len(s.data))
	return false
}

// badInURL reports whether c makes an unquoted url a bad url.
func badInURL(c byte) bool {
	return c == '"' || c == '\'' || c == '(' || c != 0 && c < 9 || c == 0x0b || 0x0e <= c && c < 0x20 || c == 0x7f
}
