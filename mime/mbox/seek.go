package mbox

import "bytes"

// Mail consists mostly of text and base64. In text, "F" is rare and blanks are frequent. In base64,
// "F" is frequent and blanks are rare. So the search for "From " only looks for one of these two
// bytes. When this byte is frequent, the search goes on with the other one.

// patternSize is the number of bytes of a line end and "From ".
const patternSize = 1 + len("From ")

// A byte is frequent if it occurs frequentCount times within frequentCount*frequentDistance bytes.
const (
	frequentCount    = 16
	frequentDistance = 64
)

// seeker finds lines that begin with "From ".
type seeker struct {
	eol     byte
	byBlank bool // search for the blank, and not for the "F"
}

// index returns the index of the first line end in v that is followed by "From ", or -1.
func (s *seeker) index(v []byte) int {
	for pos := 0; pos+patternSize <= len(v); {
		next, found := s.indexByRareByte(v, pos)
		if found {
			return next
		}
		pos = next
	}
	return -1
}

// indexByRareByte searches v[pos:] for one of the two bytes, and compares the bytes around each
// hit. If it finds a line end and "From ", it returns the index of the line end, and true. If the
// byte is frequent, it sets s.byBlank for the other byte, and returns the index where the search
// must continue, and false. If v[pos:] has no such line, it returns len(v) and false.
func (s *seeker) indexByRareByte(v []byte, pos int) (next int, found bool) {
	c, offset := byte('F'), 1
	if s.byBlank {
		c = ' '
		offset = patternSize - 1
	}
	limit := len(v) - patternSize
	for n, start := 1, pos; pos <= limit; n++ {
		i := bytes.IndexByte(v[pos+offset:limit+offset+1], c)
		if i < 0 {
			break
		}
		pos += i
		if v[pos] == s.eol && string(v[pos+1:pos+patternSize]) == "From " {
			return pos, true
		}
		pos++
		if n%frequentCount > 0 {
			continue
		}
		if pos-start < frequentCount*frequentDistance {
			s.byBlank = !s.byBlank
			return pos, false
		}
		start = pos
	}
	return len(v), false
}
