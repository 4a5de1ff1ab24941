package value

import (
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// nextCandidate returns the URL of the next candidate of a srcset attribute, by the parser of the
// HTML Standard (4.8.4.2.2). It accepts invalid descriptors.
func nextCandidate(b []byte, i int) (s text.Span, next int) {
	for i < len(b) && (ascii.Space.Has(b[i]) || b[i] == ',') {
		i++
	}
	if i == len(b) {
		return s, -1
	}
	s.Start = i
	for i < len(b) && !ascii.Space.Has(b[i]) {
		i++
	}
	for s.End = i; s.End > s.Start && b[s.End-1] == ','; s.End-- {
	}
	if s.End == i {
		i = descriptorsEnd(b, i)
	}
	return s, i
}

// descriptorsEnd returns the offset after the descriptors at i and their comma. A comma in
// parentheses does not end them.
func descriptorsEnd(b []byte, i int) int {
	inside := false
	for ; i < len(b); i++ {
		switch b[i] {
		case '(':
			inside = true
		case ')':
			inside = false
		case ',':
			if !inside {
				return i + 1
			}
		}
	}
	return i
}
