package markup

import "bytes"

// The scanner moves from '<' to '<'. The bytes after a '<' alone decide the kind of token. The
// state between tokens is small: the raw text element that was just opened, and the number of open
// templates and noscripts. Inside svg and math it also has a stack of open elements (foreign.go).
// Each byte is read a constant number of times, whatever the input.

// Set returns the set of the given kinds.
func Set(kinds ...Kind) Kinds {
	var set Kinds
	for _, k := range kinds {
		set |= 1 << k
	}
	return set
}

// has reports whether tokens of a kind are returned.
func (k Kinds) has(kind Kind) bool { return k == 0 || k&(1<<kind) != 0 }

// Reset makes s scan data from its first byte. Filter and Only are kept. The scanner keeps data
// until the next Reset and never writes to it.
func (s *Scanner) Reset(data []byte) {
	*s = Scanner{
		Filter: s.Filter, Only: s.Only,
		Token: Token{Attrs: s.Attrs[:0]},
		data:  data, seen: s.seen,
		tree:   tree{stack: s.stack[:0], formatting: s.formatting[:0]},
		second: s.second,
	}
}

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

// nextTag returns the offset of the next '<' that is not the last byte, or -1.
func nextTag(data []byte, i int) int {
	if i+1 < len(data) && data[i] == '<' { // the next tag follows directly
		return i
	}
	n := bytes.IndexByte(data[i:], '<')
	if n < 0 || i+n+1 >= len(data) {
		return -1
	}
	return i + n
}

// skipped is the kind of a token that is not returned.
const skipped Kind = 255

// eof ends the scan. rest is the offset of an unfinished tag, or the end of the input.
func (s *Scanner) eof(rest int) Kind {
	s.pos = len(s.data)
	s.Start, s.End = rest, s.pos
	s.Template, s.NoScript, s.Frameset = s.templates, s.noscripts, s.frameset
	s.Attrs = s.Attrs[:0]
	return EOF
}

// emit sets the span of the token that was just read. It returns its kind, or skipped if the caller
// does not want the kind.
func (s *Scanner) emit(kind Kind, start, end int) Kind {
	if !s.Only.has(kind) {
		return skipped
	}
	s.Start, s.End = start, end
	s.Template, s.NoScript, s.Frameset = s.templates, s.noscripts, s.frameset
	return kind
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
