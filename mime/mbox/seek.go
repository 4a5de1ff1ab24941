package mbox

import "bytes"

// In mail most bytes are text, where "F" is rare and blanks are not, or base64, where
// it is the other way round. So "From " is looked for by one of them, and by the
// other as soon as that turns up often.

const (
	patternSize = 1 + len("From ") // of a line end and "From "
	often       = 16               // times in often*apart bytes
	apart       = 64
)

// seeker finds lines that begin with "From ".
type seeker struct {
	eol     byte
	byBlank bool // looks for the blank, else for the "F"
}

// index returns the index of the first line end that "From " follows, -1 if there is
// none in v.
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

// byLetter looks for such a line end from v[at] on by the letter that is rarer. It
// returns the index; or where to go on by the other letter, as this one is there often;
// or len(v).
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
