package mbox

import "bytes"

// Mail consists mostly of text and base64. In text "F" is rare and blanks are frequent; in base64
// it is the other way round. So the search for "From " looks for one of these bytes, and switches
// to the other byte when the first one is frequent.

const (
	patternSize = 1 + len("From ") // of a line end and "From "
	often       = 16               // a byte is frequent if it occurs so often
	apart       = 64               // within often*apart bytes
)

// seeker finds lines that begin with "From ".
type seeker struct {
	eol     byte
	byBlank bool // looks for the blank, and not for the "F"
}

// index returns the index of the first line end in v that is followed by "From ", or -1.
func (s *seeker) index(v []byte) int {
	for at := 0; at+patternSize <= len(v); {
		next, found := s.byRareByte(v, at)
		if found {
			return next
		}
		at = next
	}
	return -1
}

// byRareByte is index from v[at] on, by one of the two bytes. If it finds the line end, it returns
// its index and true. If the byte is frequent, byRareByte returns the index where the search must
// continue by the other byte. Otherwise it returns len(v).
func (s *seeker) byRareByte(v []byte, at int) (next int, found bool) {
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
