package markup

import (
	"bytes"
	"slices"
)

// tag reads the tag name at i and the attributes after it (13.2.5.8 and 13.2.5.32–40). It returns
// the offset after the '>', or -1 if the input ends first.
func (s *Scanner) tag(i int) int {
	s.NameStart = i
	s.NameEnd = tagNameEnd(s.data, i)
	var want *Names
	if s.Filter != nil && !s.xml {
		want = &s.Filter.all
	}
	return s.attributes(s.NameEnd, want)
}

// closer reads the end tag whose name begins at i. It skips attributes of end tags, as the standard
// does.
func (s *Scanner) closer(i int) int {
	s.NameStart = i
	s.NameEnd = tagNameEnd(s.data, i)
	return s.attributes(s.NameEnd, &nothing)
}

var nothing Names

// attributes reads attributes from i on, after the tag name, up to the '>'. It keeps the attributes
// in want, or all if want is nil. The start of the loop stands for three states of the standard:
// "before attribute name", "after attribute value (quoted)" and "self-closing start tag".
func (s *Scanner) attributes(i int, want *Names) int {
	data := s.data
	s.Attrs = s.Attrs[:0]
	slash := -1
	for i < len(data) {
		c := data[i]
		if c == ' ' && i+1 < len(data) { // the usual case
			i++
			c = data[i]
		}
		if class[c]&nameEnd != 0 {
			if c == '>' {
				s.SelfClosing = slash == i-1
				return i + 1
			}
			if c == '/' {
				slash = i
			}
			i++
			continue
		}
		name := i
		i = attrNameEnd(data, i+1) // the first byte may be anything
		wanted := want == nil || want.has(data, name, i)
		if i+1 < len(data) && data[i] == '=' && data[i+1] == '"' { // the usual case
			if !wanted {
				n := bytes.IndexByte(data[i+2:], '"')
				if n < 0 {
					return -1
				}
				i += n + 3
				continue
			}
			if end := doubleQuoted.Index(data, i+2); end < len(data) && data[end] == '"' {
				a := s.slot()
				a.NameStart = name
				a.NameEnd = i
				a.Start = i + 2
				a.End = end
				a.Quote, a.HasValue, a.Plain = '"', true, true
				s.keep(a)
				i = end + 1
				continue
			}
		}
		a := s.slot()
		a.NameStart, a.NameEnd, a.Quote, a.HasValue, a.Plain = name, i, 0, false, false
		i = s.value(a)
		if i < 0 {
			return -1
		}
		if wanted {
			s.keep(a)
		}
	}
	return -1
}

// slot returns the free entry behind the last one of s.Attrs. It may still hold an attribute of an
// earlier tag, so the caller must set all fields.
func (s *Scanner) slot() *Attr {
	n := len(s.Attrs)
	if n == cap(s.Attrs) {
		s.Attrs = slices.Grow(s.Attrs, 1)
	}
	return &s.Attrs[:n+1][n]
}

// keep adds the attribute a, which is in the entry of slot, to s.Attrs, unless it is a duplicate.
func (s *Scanner) keep(a *Attr) {
	if n := len(s.Attrs); n == 0 || s.xml || !s.duplicate(a) {
		s.Attrs = s.Attrs[:n+1]
	}
}

// value reads the part of an attribute after its name: white space, a '=' and the value. Without a
// '=' the span is empty and begins after the name. It returns the offset after this part, or -1 if
// the input ends first.
func (s *Scanner) value(a *Attr) int {
	data := s.data
	a.Start, a.End = a.NameEnd, a.NameEnd
	i := skipSpace(data, a.NameEnd)
	if i == len(data) || data[i] != '=' {
		return i
	}
	a.HasValue = true
	i = skipSpace(data, i+1)
	if i == len(data) {
		return -1
	}
	if q := data[i]; q == '"' || q == '\'' {
		n := bytes.IndexByte(data[i+1:], q)
		if n < 0 {
			return -1
		}
		end := i + 1 + n
		a.Start = i + 1
		a.End = end
		a.Quote = q
		return end + 1
	}
	a.Start = i
	for i < len(data) && class[data[i]]&valueEnd == 0 {
		i++
	}
	a.End = i
	return i
}

// attribute returns the value, as written, of the attribute with that name in the start tag that
// was just read. It also finds attributes that the caller does not want.
func (s *Scanner) attribute(name string) (value []byte, ok bool) {
	other := s.other()
	other.Reset(s.data[:s.pos])
	other.attributes(s.NameEnd, nil)
	for _, a := range other.Attrs {
		if is(s.data[a.NameStart:a.NameEnd], name) {
			return s.data[a.Start:a.End], true
		}
	}
	return nil, false
}

// EveryAttr returns all attributes of the start tag that was just read. It includes attributes that
// Attrs leaves out because of Filter or because their name occurred before in the tag. They are
// valid until the next call of s.
func (s *Scanner) EveryAttr() []Attr {
	other := s.other()
	other.Reset(s.data[:s.pos])
	other.xml = true
	other.attributes(s.NameEnd, nil)
	return other.Attrs
}

// tagNameEnd returns the offset after the tag name that begins at i.
func tagNameEnd(data []byte, i int) int {
	for i++; i < len(data) && class[data[i]]&nameEnd == 0; i++ {
	}
	return i
}

// attrNameEnd returns the offset after the attribute name that continues at i.
func attrNameEnd(data []byte, i int) int {
	for i < len(data) && class[data[i]]&attrEnd == 0 {
		i++
	}
	return i
}
