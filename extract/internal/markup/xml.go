package markup

import "bytes"

// XML has simpler rules than HTML (XML 1.0, productions 10 to 44). It has no raw text, and CDATA
// sections and instructions may be anywhere. Comments end only at "-->", and names keep their case.
// Markup that is not well-formed is cut like HTML as far as possible: values without quotes,
// attributes without a value, a tag that is cut off by the end of the input.

// NextXML does the work of Next by the rules of XML. It puts all attributes into Attrs, including
// equal names, and returns all kinds of tokens; Filter and Only have no effect. Read a document
// with Next or with NextXML, not with both.
//
// For an Instruction, TextStart is the start of its target and TextEnd the "?>". For a Doctype, the
// text begins after "<!DOCTYPE", includes the internal subset, and extends to the '>' that ends it.
func (s *Scanner) NextXML() Kind {
	data := s.data
	for {
		i := nextTag(data, s.pos)
		if i < 0 {
			return s.eof(len(data))
		}
		kind := skipped
		switch c := data[i+1]; {
		case nameStart(c):
			kind = s.startXML(i)
		case c == '/':
			kind = s.endXML(i)
		case c == '!':
			kind = s.declarationXML(i)
		case c == '?':
			kind = s.until(Instruction, i, 2, "?>")
		default:
			s.pos = i + 1
		}
		if kind != skipped {
			return kind
		}
	}
}

// nameStart reports whether a name may begin with c (production 4). It accepts all characters
// beyond ASCII.
func nameStart(c byte) bool { return class[c]&letter != 0 || c == '_' || c == ':' || c >= 0x80 }

// startXML reads the start tag at i.
func (s *Scanner) startXML(i int) Kind {
	s.xml = true
	end := s.tag(i + 1)
	if end < 0 {
		return s.eof(i)
	}
	s.Start, s.End, s.pos = i, end, end
	return StartTag
}

// endXML reads the end tag at i. An end tag without a name is skipped.
func (s *Scanner) endXML(i int) Kind {
	if i+2 < len(s.data) && !nameStart(s.data[i+2]) {
		s.pos = i + 2
		return skipped
	}
	end := -1
	if i+2 < len(s.data) {
		end = s.closer(i + 2)
	}
	if end < 0 {
		return s.eof(i)
	}
	s.Start, s.End, s.pos = i, end, end
	return EndTag
}

// declarationXML reads the token at "<!".
func (s *Scanner) declarationXML(i int) Kind {
	rest := s.data[i+2:]
	switch {
	case bytes.HasPrefix(rest, []byte("--")):
		return s.until(Comment, i, 4, "-->")
	case bytes.HasPrefix(rest, []byte("[CDATA[")):
		return s.until(CDATA, i, len("<![CDATA["), "]]>")
	case len(rest) >= 7 && is(rest[:7], "doctype"):
		return s.doctypeXML(i)
	}
	return s.until(Comment, i, 2, ">")
}

// until reads a token up to its closing, or to the end of the input. opening is the length of its
// first part.
func (s *Scanner) until(kind Kind, i, opening int, closing string) Kind {
	s.TextStart = min(i+opening, len(s.data))
	s.TextEnd = len(s.data)
	s.pos = len(s.data)
	if n := bytes.Index(s.data[s.TextStart:], []byte(closing)); n >= 0 {
		s.TextEnd = s.TextStart + n
		s.pos = s.TextEnd + len(closing)
	}
	s.Start, s.End = i, s.pos
	s.Attrs = s.Attrs[:0]
	return kind
}

// doctypeXML reads the document type declaration at i. If it is not closed or not the first one, it
// ends at the first '>'.
func (s *Scanner) doctypeXML(i int) Kind {
	if !s.typed {
		s.typed = true
		if end := doctypeEnd(s.data, i+2+len("doctype")); end >= 0 {
			s.TextStart = i + 2 + len("doctype")
			s.TextEnd = end
			s.Start = i
			s.End = end + 1
			s.pos = end + 1
			s.Attrs = s.Attrs[:0]
			return Doctype
		}
	}
	return s.until(Doctype, i, 2+len("doctype"), ">")
}

// doctypeEnd returns the offset of the '>' that ends the document type declaration whose text
// begins at i, or -1.
func doctypeEnd(data []byte, i int) int {
	subset := false
	for i < len(data) {
		switch data[i] {
		case '"', '\'':
			i = skipQuoted(data, i)
			continue
		case '[':
			subset = true
		case ']':
			subset = false
		case '>':
			if !subset {
				return i
			}
		case '<':
			if subset {
				i = declarationEnd(data, i)
				continue
			}
			return -1
		}
		i++
	}
	return -1
}

// declarationEnd returns the offset after the comment, instruction or declaration at i in an
// internal subset.
func declarationEnd(data []byte, i int) int {
	rest := data[i:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		return after(data, i+4, "-->")
	case bytes.HasPrefix(rest, []byte("<?")):
		return after(data, i+2, "?>")
	}
	for i++; i < len(data); i++ {
		switch data[i] {
		case '"', '\'':
			i = skipQuoted(data, i) - 1
		case '>':
			return i + 1
		}
	}
	return i
}

// skipQuoted returns the offset after the literal whose quote is at i, or the end of data if the
// literal is not closed.
func skipQuoted(data []byte, i int) int { return after(data, i+1, string(data[i])) }

// after searches data for the text closing, from i on. It returns the offset behind it, or the end
// of data.
func after(data []byte, i int, closing string) int {
	if n := bytes.Index(data[min(i, len(data)):], []byte(closing)); n >= 0 {
		return min(i, len(data)) + n + len(closing)
	}
	return len(data)
}
