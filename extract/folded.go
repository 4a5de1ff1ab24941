package extract

import "bytes"

// foldedLine is the least length in bytes of a line of text that may have been folded.
const foldedLine = 64

// EndsFolded reports whether a reference with a span of d.Data ends at the end of a long line of
// running text, and the next line begins with a word that has one of the characters %, & and =. A
// program may have folded the text there, so that the next line has the rest of the reference. It
// is false in texts with markup, and in charsets with more than one byte for ASCII.
func (d *Doc) EndsFolded(s Span) bool {
	d.once()
	if d.format != Plain && d.format != Enriched {
		return false
	}
	// a text may be one long line, so only bytes near s are read
	next := bytes.TrimLeft(d.Data[s.End:], "\r> ")
	if len(next) == 0 || next[0] != '\n' {
		return false
	}
	start := s.End - foldedLine
	if start < 0 || start < s.Start && bytes.IndexByte(d.Data[start:s.Start], '\n') >= 0 {
		return false
	}
	for _, c := range bytes.TrimLeft(next[1:], "> \t") {
		switch c {
		case '%', '&', '=':
			return true
		case ' ', '\n':
			return false
		}
	}
	return false
}
