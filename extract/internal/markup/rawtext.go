package markup

import "bytes"

// rawText reads the content of the raw text element that was just opened, up to its end tag or the
// end of the input. It reports whether there is any content.
func (s *Scanner) rawText() bool {
	end := len(s.data)
	name := s.data[s.NameStart:s.NameEnd]
	if s.raw != forever {
		end = s.rawEnd(s.pos, name)
	}
	s.raw = plain
	s.TextStart, s.TextEnd = s.pos, end
	s.pos = end
	s.Attrs = s.Attrs[:0]
	s.Start, s.End = s.TextStart, end
	s.Template, s.NoScript, s.Frameset = s.templates, s.noscripts, s.frameset
	return s.TextStart < end
}

// rawEnd returns the offset of the first end tag with that name at or after i, or the end of the
// input (13.2.5.9–14). A script has its own rules (13.2.5.15–31). After "<!--" its text is escaped.
// A "<script" in escaped text escapes it twice, and the next "</script" ends only the second
// escape. "-->" ends both.
func (s *Scanner) rawEnd(i int, name []byte) int {
	data := s.data
	for {
		n := bytes.IndexByte(data[i:], '<')
		if n < 0 {
			return len(data)
		}
		i += n
		if s.endTagAt(i, name) {
			return i
		}
		i++
		if s.raw == script && bytes.HasPrefix(data[i:], []byte("!--")) {
			end, done := s.escapedScript(i+1, name)
			if done {
				return end
			}
			i = end
		}
	}
}

// endTagAt reports whether "</name" is at i, followed by white space, '/' or '>'.
func (s *Scanner) endTagAt(i int, name []byte) bool {
	return i+1 < len(s.data) && s.data[i+1] == '/' && s.wordAt(i+2, name)
}

// wordAt reports whether the name is at i, followed by white space, '/' or '>'.
func (s *Scanner) wordAt(i int, name []byte) bool {
	end := i + len(name)
	return end < len(s.data) && class[s.data[end]]&nameEnd != 0 && same(s.data[i:end], name)
}

// escapedScript reads escaped script text from its "--" at i. If it finds the script's end tag or
// the end of the input, it returns that offset and true. If "-->" ends the escape first, it returns
// the offset after it and false.
func (s *Scanner) escapedScript(i int, name []byte) (end int, done bool) {
	twice := false
	for {
		n := bytes.IndexByte(s.data[i:], '<')
		if n < 0 {
			n = len(s.data) - i
		}
		if arrow := bytes.Index(s.data[i:i+n], []byte("-->")); arrow >= 0 {
			return i + arrow + len("-->"), false
		}
		i += n
		switch {
		case i == len(s.data):
			return i, true
		case !s.endTagAt(i, name):
			twice = twice || s.wordAt(i+1, name)
		case twice:
			twice = false
		default:
			return i, true
		}
		i++
	}
}
