package mbox

import "bytes"

// Mail consists mostly of text and base64. In text "F" is rare and blanks are frequent; in base64
// it is the other way round. So the search for "From " looks for one of the two, and switches to
// the other if the first occurs often.

const (
	patternSize = 1 + len("From ") // of a line end and "From "
	often       = 16               // occurrences within often*apart bytes
	apart       = 64
)

// seeker finds lines that begin with "From ".
type seeker struct {
	eol     byte
	byBlank bool // looks for the blank instead of the "F"
}

// index returns the index of the first line end in v that is followed by "From ", or -1.
func (s *seeker) index(v []byte) int {
	for at := 0; at+patternSize <= len(v); {
		next, found := s.byLetter(v, at)
		if found {
			return next
		}
		at = next
	}
	return -1
}

// byLetter looks for such a line end from v[at] on, by the letter that is rarer. It returns the
// index of the line end. If the letter occurs often, it returns the offset where the search should
// continue by the other letter. Otherwise it returns len(v).
func (s *seeker) byLetter(v []byte, at int) (next int, found bool) {
	c, place := byte('F'), 1
	if s.byBlank {
		c = ' '
		place = patternSize - 1
	}
	last := len(v) - patternSize
	for n, start := 1, at; at <= last; n++ {
		i := bytes.IndexByte(v[at+place:last+place+1], c)
		if i < 0 {
			break
		}
		at += i
		if v[at] == s.eol && string(v[at+1:at+patternSize]) == "From " {
			return at, true
		}
		at++
		if n%often > 0 {
			continue
		}
		if at-start < often*apart {
			s.byBlank = !s.byBlank
			return at, false
		}
		start = at
	}
	return len(v), false
}
