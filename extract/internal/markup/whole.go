package markup

// What is open around the outermost svg or math decides what a few broken tags do:
// "<div><svg><g></div>" ends the svg, and without the div it does not. The scanner keeps
// no stack there, since nearly no document asks. For one that does, what stands before is
// read once more, with all elements on the stack; from there on they are kept.

// settle looks at what is open around the stack, if the tag just read asks for it.
func (s *Scanner) settle() {
	if len(s.stack) == 0 && !s.whole {
		s.formatting = s.formatting[:0]
	}
	if !s.unsure {
		return
	}
	other := s.other()
	other.Filter = namesOnly
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

// begin follows where the head ends, before the start tag of a name or before text, "". A
// noscript in the head ends with it, and before what it cannot hold there (13.2.6.4.5).
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
var namesOnly = func() *Filter {
	f := NewFilter()
	f.Tags()
	return f
}()
