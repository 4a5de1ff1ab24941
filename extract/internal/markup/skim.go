package markup

import (
	"slices"
)

// Nearly all tags of real pages are end tags and start tags of ordinary HTML
// elements, and most of these hold nothing that a finder of references wants. While
// no svg or math is open they mean nothing to the scan, so that skim passes over them
// in one loop: an end tag is no more than its name, and of a start tag the first
// letter and the length of its name tell which attributes are to be kept. Whatever is
// not as simple as that is left to the rules that know everything. Names are measured
// byte by byte: most are short, and a word at a time takes longer; where the processor
// can do better, see vector.go.

// skim goes from '<' to '<' up to a start tag that is wanted, and reports that it
// found and read one; else it returns the offset of a '<' that begins something else,
// or -1 where none is left.
func (s *Scanner) skim() (i int, found bool) {
	data := s.data
	if len(s.stack) > 0 || s.whole || s.Filter == nil || s.Only.has(EndTag) || !s.Only.has(StartTag) {
		return nextTag(data, s.pos), false
	}
	var idle uint64 // all ones if end tags, and comments that begin like them, mean nothing
	if s.templates|s.noscripts == 0 && !s.Only.has(Comment) {
		idle = ^idle
	}
	for i = s.pos; ; {
		if limit := len(data) - vectorMargin; hasVector && i <= limit {
			at, n := skimVector(&data[0], i, limit, s.Filter, &s.Filter.list[0], &s.vector, idle)
			if n >= 0 {
				if t := &s.vector; s.passed(t, at, n) {
					s.pos = t.End
					i = t.End
					continue
				}
				s.take()
				return at, true
			}
			i = at
		}
		if i = nextTag(data, i); i < 0 {
			return -1, false
		}
		c := data[i+1]
		if c == '/' {
			end := plainEndTag(data, i+2)
			if end < 0 {
				return i, false
			}
			i = end
			continue
		}
		if class[c]&letter == 0 {
			return i, false
		}
		name := tagNameEnd(data, i+1)
		w := s.Filter.wish(data, i+1, name)
		if w.role {
			return i, false
		}
		end := s.attributes(name, &w.attrs)
		if end < 0 {
			return i, false
		}
		if len(s.Attrs) > 0 || w.tag {
			s.NameStart, s.NameEnd, s.Space, s.pos = i+1, name, HTML, end
			s.emit(StartTag, i, end)
			return i, true
		}
		i = end
	}
}

// passed shows the tag at i, which skimVector has read, to s.Passer.
func (s *Scanner) passed(t *SimpleTag, i, names int) bool {
	t.NameStart, t.n = i+1, names
	return s.Passer != nil && s.Passer.Pass(t)
}

// take makes the tag that skimVector has read the one that was read last.
func (s *Scanner) take() {
	t := &s.vector
	s.Attrs = slices.Grow(s.Attrs[:0], t.n)
	for k := range t.Attrs() {
		s.fill(&t.names[k])
	}
	s.SelfClosing = s.data[t.End-len("/>")] == '/'
	s.NameStart, s.NameEnd, s.Space, s.pos = t.NameStart, t.NameEnd, HTML, t.End
	s.emit(StartTag, t.NameStart-1, t.End)
}

// fill adds an attribute that skimVector has read, for which there is room. It is made
// where it stays: the processor is slow to copy what was just written in pieces.
func (s *Scanner) fill(name *SimpleAttr) {
	n := len(s.Attrs)
	a := &s.Attrs[:n+1][n]
	a.NameStart, a.NameEnd, a.Start, a.End = name.NameStart, name.NameEnd, name.NameEnd, name.NameEnd
	a.Quote, a.HasValue = 0, s.data[name.NameEnd] == '='
	if a.HasValue {
		a.Start, a.End, a.Quote = name.NameEnd+len(`="`), name.quote, '"'
	}
	if n == 0 || !s.duplicate(*a) {
		s.Attrs = s.Attrs[:n+1]
	}
}

// longestPlain is less than the length of any name whose end tag means something to
// the scan of ordinary elements.
const longestPlain = 7

// plainEndTag returns the offset after the end tag whose name begins at i, or -1
// where it is none, holds more than a name, or may mean something.
func plainEndTag(data []byte, i int) int {
	start := i
	for i < len(data) && class[data[i]]&alnum != 0 {
		i++
	}
	if i == len(data) || data[i] != '>' || i-start > longestPlain || class[data[start]]&letter == 0 {
		return -1
	}
	return i + 1
}

// tagNameEnd returns the offset after the tag name that begins at i.
func tagNameEnd(data []byte, i int) int {
	for i++; i < len(data) && class[data[i]]&nameEnd == 0; i++ {
	}
	return i
}

// attrNameEnd returns the offset after the attribute name that goes on at i.
func attrNameEnd(data []byte, i int) int {
	for i < len(data) && class[data[i]]&attrEnd == 0 {
		i++
	}
	return i
}
