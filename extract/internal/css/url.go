package css

import "absolink/resolve/ascii"

// url consumes the content after "url(" or "src(" up to the end of the URL.
func (s *Scanner) url(f function) bool {
	ctx := s.at
	if s.at == Import {
		s.at = URL
	}
	s.nest()
	i := skipSpace(s.data, s.pos)
	if i < len(s.data) && (s.data[i] == '"' || s.data[i] == '\'') {
		s.pos = i
		return s.string(ctx)
	}
	if f == stringFunc {
		return false
	}
	if s.depth > 0 {
		s.depth--
	}
	return s.unquoted(i, ctx)
}

// nest counts the bracket of a url() inside a function that takes strings.
func (s *Scanner) nest() {
	if s.depth > 0 {
		s.depth++
		s.images &^= 1 << s.depth
	}
}

// string consumes the string at s.pos and reports whether it is a URL. A string that is cut off by
// a line end is not a URL.
func (s *Scanner) string(ctx Context) bool {
	end, escaped, good := s.stringEnd(s.pos)
	start, q := s.pos+1, s.data[s.pos]
	s.pos = end
	if !good || ctx == none {
		return false
	}
	if end > start && s.data[end-1] == q && s.closed(start, end) {
		end--
	}
	s.Start, s.End, s.Quote, s.Escaped, s.Context = start, end, q, escaped, ctx
	return true
}

// closed reports whether the string from start to end is closed by its quote. It is not closed if
// the input ends after an escaped quote.
func (s *Scanner) closed(start, end int) bool {
	n := 0
	for i := end - 2; i >= start && s.data[i] == '\\'; i-- {
		n++
	}
	return n%2 == 0
}

// unquoted consumes the url token whose content begins at i (4.3.6), with its ')', and reports
// whether it is valid.
func (s *Scanner) unquoted(i int, ctx Context) bool {
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
				return s.badURL(i)
			}
			return s.found(start, end, min(i+1, len(s.data)), escaped, ctx)
		}
		if c == '\\' && i+1 < len(s.data) && !isNewline(s.data[i+1]) {
			escaped = true
			i = escapeEnd(s.data, i) - 1
			continue
		}
		if c == '\\' && i+1 < len(s.data) || badInURL(c) {
			return s.badURL(i)
		}
		if c == '\\' || c == 0 {
			escaped = true
		}
	}
	return s.found(start, i, min(i+1, len(s.data)), escaped, ctx)
}

// found records an unquoted URL and moves on.
func (s *Scanner) found(start, end, pos int, escaped bool, ctx Context) bool {
	s.Start, s.End, s.Quote, s.Escaped, s.Context = start, end, 0, escaped, ctx
	s.pos = pos
	return true
}

// badURL consumes the remnants of a bad url (4.3.14).
func (s *Scanner) badURL(i int) bool {
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
