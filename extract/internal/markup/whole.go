package markup

import "sync"

// The elements around the outermost svg or math decide the effect of a few broken tags:
// "<div><svg><g></div>" ends the svg, but without the div it does not. The scanner keeps no stack
// there, since nearly no document needs it. If a document does, the scanner reads the part before
// the tag a second time, with all elements on the stack. From there on it keeps the whole stack.

// settle finds the open elements around the stack, if the tag that was just read depends on them.
func (s *Scanner) settle() {
	if len(s.stack) == 0 && !s.whole {
		s.formatting = s.formatting[:0]
	}
	if !s.unsure {
		return
	}
	other := s.other()
	other.Filter = namesOnly()
	other.Only = Set(StartTag, EndTag)
	other.Reset(s.data[:s.pos])
	other.whole = true
	for other.Next() != EOF {
	}
	s.whole, s.unsure = true, false
	s.stack, s.formatting = append(s.stack[:0], other.stack...), append(s.formatting[:0], other.formatting...)
	s.deeper, s.form, s.body = other.deeper, other.form, other.body
	other.Filter, other.Only = nil, 0
}

// begin must be called before each start tag, and before text. name is the name of the tag, or ""
// for text. It notes the end of the head if this content cannot be in the head. It also ends a
// noscript in the head if the noscript cannot hold the content (13.2.6.4.5).
func (s *Scanner) begin(name string) {
	if s.body || s.templates > 0 {
		return
	}
	s.body = !inHead(name)
	switch name {
	case "basefont", "bgsound", "head", "html", "link", "meta", "noframes", "noscript", "style":
	default:
		if len(s.stack) > 0 && s.stack[0].is([]byte("noscript")) {
			s.cut(0)
		}
	}
}

// namesOnly wants every start tag and no attribute.
var namesOnly = sync.OnceValue(func() *Filter {
	f := NewFilter()
	f.Tags()
	return f
})
