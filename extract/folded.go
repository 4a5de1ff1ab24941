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
	rest := d.Data[s.End:]
	line, next, ok := bytes.Cut(rest, []byte("\n"))
	if !ok || len(bytes.TrimRight(line, "\r> ")) > 0 {
		return false
	}
	start := bytes.LastIndexByte(d.Data[:s.Start], '\n') + 1
	next, _, _ = bytes.Cut(bytes.TrimLeft(next, "> \t"), []byte("\n"))
	word, _, _ := bytes.Cut(next, []byte(" "))
	return s.End-start >= foldedLine && bytes.ContainsAny(word, "%&=")
}
