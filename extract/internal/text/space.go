package text

import (
	"slices"

	"absolink/resolve/ascii"
)

// SkipBlank returns the offset of the first byte of b at or after i that is not white space.
func SkipBlank(b []byte, i int) int {
	for i < len(b) && ascii.Space.Has(b[i]) {
		i++
	}
	return i
}

// Trimmed returns s without the white space at its ends.
func Trimmed(b []byte, s Span) Span {
	for s.Start < s.End && ascii.Space.Has(b[s.Start]) {
		s.Start++
	}
	for s.Start < s.End && ascii.Space.Has(b[s.End-1]) {
		s.End--
	}
	return s
}

// Stripped returns v without the white space at its ends. It shares the memory of v.
func Stripped(v []byte) []byte {
	s := Trimmed(v, Span{0, len(v)})
	return v[s.Start:s.End]
}

// WithoutBlanks returns a copy of v without the white space in it, or v itself if it has no white
// space.
func WithoutBlanks(v []byte) []byte {
	i := slices.IndexFunc(v, ascii.Space.Has)
	if i < 0 {
		return v
	}
	out := slices.Clone(v[:i])
	for _, c := range v[i:] {
		if !ascii.Space.Has(c) {
			out = append(out, c)
		}
	}
	return out
}
