package css

// Next finds the next URL and reports whether there is one.
func (s *Scanner) Next() bool {
	for {
		if s.at == URL && s.depth == 0 {
			s.pos = nextStart(s.data, s.pos)
		} else {
			s.walk()
		}
		if s.pos >= len(s.data) {
			return false
		}
		if s.step(classes[s.data[s.pos]]) {
			return true
		}
	}
}

// walk moves to the next byte that can begin a token.
func (s *Scanner) walk() {
	i, data := s.pos, s.data
	for i < len(data) && classes[data[i]] == plain {
		i++
	}
	s.pos = i
}

// step consumes the token at s.pos and reports whether it was a URL.
func (s *Scanner) step(c class) bool {
	switch c {
	case quote:
		ctx := s.stringContext()
		if ctx == Import {
			s.at = URL // only the first string is an import
		}
		return s.string(ctx)
	case slash:
		s.slash()
	case paren:
		return s.open(s.wordBefore(s.pos))
	case closing:
		s.pos++
		s.depth = max(s.depth-1, 0)
	case escape:
		return s.escapedName()
	case atSign:
		s.atRule()
	case ending:
		s.pos++
		s.at, s.depth = URL, 0
	default:
		s.pos++
	}
	return false
}

// stringContext returns the context of a string at s.pos.
func (s *Scanner) stringContext() Context {
	if s.depth > 0 {
		if s.images>>s.depth&1 == 1 {
			return Image
		}
		return none
	}
	if s.at == Import || s.at == Namespace {
		return s.at
	}
	return none
}

// slash consumes a comment, or only the '/'.
func (s *Scanner) slash() { s.pos = commentEnd(s.data, s.pos) }

// open consumes the '(' at s.pos after a name that means f. For url() and src() it also consumes
// the content. It reports whether a URL was found.
func (s *Scanner) open(f function) bool {
	s.pos++
	if f == urlFunc || f == stringFunc {
		return s.url(f)
	}
	if f == otherFunc && s.depth == 0 {
		return false
	}
	s.depth++
	s.images &^= 1 << s.depth
	if f == imageFunc {
		s.images |= 1 << s.depth
	}
	return false
}

// escapedName consumes a name that has an escape at s.pos. If the name is a function, it also
// consumes the content.
func (s *Scanner) escapedName() bool {
	end, f := s.escapedNameEnd(s.pos)
	s.pos = end
	return end < len(s.data) && s.data[end] == '(' && s.open(f)
}
