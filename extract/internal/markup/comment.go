package markup

import "bytes"

// declaration reads the token that begins with "<!" (13.2.5.42).
func (s *Scanner) declaration(i int) Kind {
	rest := s.data[i+2:]
	switch {
	case bytes.HasPrefix(rest, []byte("--")):
		return s.comment(i)
	case len(rest) >= 7 && is(rest[:7], "doctype"):
		return s.doctype(i)
	case s.foreign() && bytes.HasPrefix(rest, []byte("[CDATA[")):
		return s.cdata(i)
	}
	return s.bogusComment(i, i+2)
}

// comment reads "<!--" up to "-->" or "--!>", or "<!-->" and "<!--->" (13.2.5.43–52). A comment
// without an end extends to the end of the input.
func (s *Scanner) comment(i int) Kind {
	data := s.data
	s.TextStart = i + 4
	rest := data[s.TextStart:]
	switch {
	case bytes.HasPrefix(rest, []byte(">")):
		return s.closeComment(i, s.TextStart, s.TextStart+1)
	case bytes.HasPrefix(rest, []byte("->")):
		return s.closeComment(i, s.TextStart, s.TextStart+2)
	}
	for j := s.TextStart; ; j++ {
		n := bytes.IndexByte(data[j:], '>')
		if n < 0 {
			return s.closeComment(i, s.openEnd(), len(data))
		}
		j += n
		switch text := data[s.TextStart:j]; {
		case bytes.HasSuffix(text, []byte("--")):
			return s.closeComment(i, j-2, j+1)
		case bytes.HasSuffix(text, []byte("--!")):
			return s.closeComment(i, j-3, j+1)
		}
	}
}

// openEnd returns the end of the text of a comment that is cut off by the end of the input. Dashes
// that might have begun its end are not part of the text.
func (s *Scanner) openEnd() int {
	text := s.data[s.TextStart:]
	for _, tail := range []string{"--!", "--", "-"} {
		if len(text) >= len(tail) && string(text[len(text)-len(tail):]) == tail {
			return len(s.data) - len(tail)
		}
	}
	return len(s.data)
}

func (s *Scanner) closeComment(start, textEnd, end int) Kind {
	s.TextEnd = textEnd
	s.pos = end
	return s.emit(Comment, start, end)
}

// bogusComment reads from text up to the next '>' (13.2.5.41). It skips "</>", which is not a
// token.
func (s *Scanner) bogusComment(start, text int) Kind {
	n := bytes.IndexByte(s.data[text:], '>')
	if n == 0 && text == start+2 && s.data[start+1] == '/' {
		s.pos = text + 1
		return skipped
	}
	s.TextStart = text
	if n < 0 {
		return s.closeComment(start, len(s.data), len(s.data))
	}
	return s.closeComment(start, text+n, text+n+1)
}

// doctype reads up to the next '>', even if it is in quotes (13.2.5.53–68).
func (s *Scanner) doctype(i int) Kind {
	s.TextStart = i + 2 + len("doctype")
	s.TextEnd = len(s.data)
	s.pos = len(s.data)
	if n := bytes.IndexByte(s.data[s.TextStart:], '>'); n >= 0 {
		s.TextEnd = s.TextStart + n
		s.pos = s.TextStart + n + 1
	}
	return s.emit(Doctype, i, s.pos)
}

// cdata reads up to "]]>" (13.2.5.69–71).
func (s *Scanner) cdata(i int) Kind {
	s.TextStart = i + len("<![CDATA[")
	s.TextEnd = len(s.data)
	s.pos = len(s.data)
	if n := bytes.Index(s.data[s.TextStart:], []byte("]]>")); n >= 0 {
		s.TextEnd = s.TextStart + n
		s.pos = s.TextStart + n + 3
	}
	return s.emit(CDATA, i, s.pos)
}
