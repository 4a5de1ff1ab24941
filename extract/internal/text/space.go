package text

import "slices"

// IsBlank reports whether c is ASCII white space (Infra Standard 4.6).
func IsBlank(c byte) bool { return blanks[c] }

var blanks = [256]bool{' ': true, '\t': true, '\n': true, '\f': true, '\r': true}

// SkipBlank returns the offset of the first byte of b at or after i that is not white space.
func SkipBlank(b []byte, i int) int {
	for i < len(b) && IsBlank(b[i]) {
		i++
	}
	return i
}

// Trimmed returns s without the white space at its ends.
func Trimmed(b []byte, s Span) Span {
	for s.Start < s.End && IsBlank(b[s.Start]) {
		s.Start++
	}
	for s.Start < s.End && IsBlank(b[s.End-1]) {
		s.End--
	}
	return s
}

// Stripped returns v without the white space at its ends. It shares the memory of v.
func Stripped(v []byte) []byte {
	s := Trimmed(v, Span{0, len(v)})
	return v[s.Start:s.End]
}

// WithoutBlanks returns a copy of v without the white space in it; v itself if there is none.
func WithoutBlanks(v []byte) []byte {
	i := slices.IndexFunc(v, IsBlank)
	if i < 0 {
		return v
	}
	out := slices.Clone(v[:i])
	for _, c := range v[i:] {
		if !IsBlank(c) {
			out = append(out, c)
		}
	}
	return out
}
