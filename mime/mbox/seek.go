package mbox

import "bytes"

// Mail consists mostly of text and base64. In text, "F" is rare and blanks are frequent. In base64,
// "F" is frequent and blanks are rare. So the search for "From " looks for one of these two bytes,
// and switches to the other byte when the first one is frequent.

const (
	patternSize      = 1 + len("From ") // bytes of a line end and "From "
	frequentCount    = 16               // a byte is frequent if it occurs this number of times
	frequentDistance = 64               // within frequentCount*frequentDistance bytes
)

// seeker finds lines that begin with "From ".
type seeker struct {
	eol     byte
	byBlank bool // looks for the blank, and not for the "F"
}

// index returns the index of the first line end in v that is followed by "From ", or -1.
func (s *seeker) index(v []byte) int {
	for at := 0; at+patternSize <= len(v); {
		next, found := s.indexByRareByte(v, at)
		if found {
			return next
		}
		at = next
	}
	return -1
}

// indexByRareByte searches v from index at on, by one of the two bytes. If it finds the line end,
// it returns its index and true. If the byte is frequent, it switches to the other byte, and
// returns the index where the search must continue. Otherwise it returns len(v).
func (s *seeker) indexByRareByte(v []byte, at int) (next int, found bool) {
	c, offset := byte('F'), 1
	if s.byBlank {
		c = ' '
		offset = patternSize - 1
	}
	last := len(v) - patternSize
	for n, start := 1, at; at <= last; n++ {
		i := bytes.IndexByte(v[at+offset:last+offset+1], c)
		if i < 0 {
			break
		}
		at += i
		if v[at] == s.eol && string(v[at+1:at+patternSize]) == "From " {
			return at, true
		}
		at++
		if n%frequentCount > 0 {
			continue
		}
		if at-start < frequentCount*frequentDistance {
			s.byBlank = !s.byBlank
			return at, false
		}
		start = at
	}
	return len(v), false
}
