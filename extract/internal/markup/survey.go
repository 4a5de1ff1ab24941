package markup

// What is open around the outermost svg or math decides what a few broken end
// tags do: "<div><svg><g></div>" ends the svg, and without the div it does not.
// The scanner keeps no stack there, since nearly no document asks. For one that
// does, a second scanner follows behind and counts the elements that are open
// outside of foreign content, by a hash of their names. Each byte is read once
// more, at most.

// A survey counts open HTML elements up to some place in the input.
type survey struct {
	scan   Scanner
	counts [slots]int32 // open elements by hash of the name
	kind   Kind         // the token that scan holds and that is not counted yet
	begun  bool
}

// namesOnly wants every start tag and no attribute.
var namesOnly = func() *Filter {
	f := NewFilter()
	f.Tags()
	return f
}()

// openOutside reports whether an HTML element of that name is open around the
// outermost svg or math: more of them begin before it than end.
func (s *Scanner) openOutside(name []byte) bool {
	s.guessed = true
	v := s.surveyed
	if v == nil {
		v = s.surveyor()
		v.reach(s.outer)
	}
	return v.counts[slot(name)] > 0
}

// slots is such that no two elements of the standard share a slot.
const slots = 1940

func slot(name []byte) uint32 { return hash(name) % slots }

// surveyor returns the survey of the input of s.
func (s *Scanner) surveyor() *survey {
	if s.survey == nil {
		s.survey = new(survey)
	}
	if v := s.survey; !v.begun {
		v.begun = true
		v.scan.Filter, v.scan.Only = namesOnly, Set(StartTag, EndTag)
		v.scan.Reset(s.data)
		v.scan.surveyed = v
		clear(v.counts[:])
		v.kind = v.scan.Next()
	}
	return s.survey
}

// reach counts all tags before limit.
func (v *survey) reach(limit int) {
	for v.kind != EOF && v.scan.Start < limit {
		if len(v.scan.stack) == 0 {
			v.count(v.scan.data[v.scan.NameStart:v.scan.NameEnd])
		}
		v.kind = v.scan.Next()
	}
}

// count counts the tag that scan holds.
func (v *survey) count(name []byte) {
	var w word
	n := &v.counts[slot(name)]
	switch {
	case v.kind == EndTag && *n > 0:
		*n--
	case v.kind == StartTag && !isVoid(string(w.fold(name))):
		*n++
	}
}
