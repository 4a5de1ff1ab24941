package css

// Next finds the next URL and reports whether there is one.
func (s *Scanner) Next() bool {
	for {
		if s.rule == URL && s.depth == 0 {
			s.pos = nextStart(s.data, s.pos)
		} else {
			s.skipPlain()
		}
		if s.pos >= len(s.data) {
			return false
		}
		if s.readToken(classes[s.data[s.pos]]) {
			return true
		}
	}
}

// skipPlain moves to the next byte that can begin a token.
func (s *Scanner) skipPlain() {
	i, data := s.pos, s.data
	for i < len(data) && classes[data[i]] == plain {
		i++
	}
	s.pos = i
}

// readToken consumes the token at s.pos, which begins with a byte of class c. It returns true if
// the token is a URL.
func (s *Scanner) readToken(c class) bool {
	switch c {
	case quote:
		ctx := s.stringContext()
		if ctx == Import {
			s.rule = URL // only the first string is an import
		}
		return s.readString(ctx)
	case slash:
		s.skipComment()
	case paren:
		return s.openBracket(s.functionBefore(s.pos))
	case closing:
		s.pos++
		s.depth = max(s.depth-1, 0)
	case escape:
		return s.readEscapedName()
	case atSign:
		s.readAtRule()
	case ending:
		s.pos++
		s.rule, s.depth = URL, 0
	default:
		s.pos++
	}
	return false
}

// stringContext returns the context of a string at s.pos, or none.
func (s *Scanner) stringContext() Context {
	if s.depth > 0 {
		if s.imageBits>>s.depth&1 == 1 {
			return Image
		}
		return none
	}
	if s.rule == Import || s.rule == Namespace {
		return s.rule
	}
	return none
}

// skipComment consumes the comment at s.pos, or only the '/'.
func (s *Scanner) skipComment() { s.pos = commentEnd(s.data, s.pos) }

// openBracket consumes the '(' at s.pos after the name of the function f. For url() and src() it
// also consumes the content. It returns true if it found a URL.
func (s *Scanner) openBracket(f function) bool {
	s.pos++
	if f == urlFunc || f == stringFunc {
		return s.readURL(f)
	}
	if f == otherFunc && s.depth == 0 {
		return false
	}
	s.depth++
	s.imageBits &^= 1 << s.depth
	if f == imageFunc {
		s.imageBits |= 1 << s.depth
	}
	return false
}

// readEscapedName consumes a name that has an escape at s.pos. If a '(' follows, readEscapedName
// calls openBracket. It returns true if it found a URL.
func (s *Scanner) readEscapedName() bool {
	end, f := s.escapedNameEnd(s.pos)
	s.pos = end
	return end < len(s.data) && s.data[end] == '(' && s.openBracket(f)
}
