package markup

// The scanner moves from '<' to '<'. The bytes after a '<' decide the kind of token; only CDATA
// sections also need foreign content. The state between tokens is small: the raw text element that
// was just opened, and the number of open templates and noscripts. Inside svg and math it also has
// a stack of open elements (tree.go). Each byte is read a constant number of times, whatever the
// input.

// Next finds the next token and returns its kind. It returns EOF at the end of the input and for
// every later call. A tag that is unfinished at the end of the input yields nothing.
func (s *Scanner) Next() Kind {
	if s.raw != plain && s.rawText() && s.Only.has(RawText) {
		return RawText
	}
	data := s.data
	for {
		i, found := s.skim()
		if found {
			return StartTag
		}
		if i < 0 {
			return s.eof(len(data))
		}
		if len(s.formatting) > 0 || s.whole {
			s.text(data[s.pos:i])
		}
		var kind Kind
		switch c := data[i+1]; {
		case class[c]&letter != 0:
			kind = s.startTag(i)
		case c == '/':
			kind = s.endTag(i)
		case c == '!':
			kind = s.declaration(i)
		case c == '?':
			kind = s.bogusComment(i, i+1)
		default:
			s.pos = i // the '<' is text
			s.pos++
			if len(s.formatting) > 0 || s.whole {
				s.text(data[i:s.pos])
			}
			continue
		}
		if kind != skipped {
			return kind
		}
		if s.raw != plain && s.rawText() && s.Only.has(RawText) {
			return RawText
		}
	}
}

// startTag reads the start tag at i and applies it.
func (s *Scanner) startTag(i int) Kind {
	end := s.tag(i + 1)
	if end < 0 {
		return s.eof(i)
	}
	s.pos = end
	name := s.data[s.NameStart:s.NameEnd]
	if len(s.stack) == 0 && !s.whole && !withRole.has(name, 0, len(name)) {
		s.Space = HTML
		if s.unwanted() {
			return skipped
		}
		return s.emit(StartTag, i, end)
	}
	t, n, f := s.templates, s.noscripts, s.frameset
	s.open(name)
	if s.unwanted() {
		return skipped
	}
	kind := s.emit(StartTag, i, end)
	s.Template, s.NoScript, s.Frameset = t, n, f
	return kind
}

// unwanted reports whether the caller wants neither the start tag that was just read nor its
// attributes.
func (s *Scanner) unwanted() bool {
	return len(s.Attrs) == 0 && s.Filter != nil && !s.Filter.wish(s.data, s.NameStart, s.NameEnd).tag
}

// endTag reads the token at "</".
func (s *Scanner) endTag(i int) Kind {
	data := s.data
	switch {
	case i+2 >= len(data):
		return s.eof(len(data))
	case class[data[i+2]]&letter == 0:
		return s.bogusComment(i, i+2)
	}
	end := s.closer(i + 2)
	if end < 0 {
		return s.eof(i)
	}
	s.pos = end
	if s.noscripts|s.templates|len(s.stack) != 0 || s.whole {
		s.close(data[s.NameStart:s.NameEnd])
	}
	return s.emit(EndTag, i, end)
}
