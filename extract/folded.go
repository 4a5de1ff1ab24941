package extract

import (
	"bytes"

	"absolink/resolve/ascii"
)

// foldedLine is the least length in bytes of a line of text that may have been folded.
const foldedLine = 64

// EndsFolded reports whether the reference with the span s of d.Data ends a long line of running
// text, and the first word of the next line contains a %, & or =. A program may have folded the
// text there, so that the next line has the rest of the reference. EndsFolded returns false if the
// next line begins with a URL, as in a list. It also returns false for texts with markup, and for
// charsets such as UTF-16, in which ASCII characters have more than one byte.
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
	next = bytes.TrimLeft(next[1:], "> \t")
	n := bytes.IndexAny(next, "%&= \n<")
	return n >= 0 && bytes.IndexByte([]byte("%&="), next[n]) >= 0 && !bytes.Contains(next[:n], []byte("://")) &&
		!d.in.Charset().UnlikeASCII()
}

// longestWord is the number of bytes of a line that are read to find its first word.
const longestWord = 256

// MayContinue reports whether the reference with the span s of d.Data ends a line of running text,
// and the next line begins with a word that could be the rest of the reference. It does not look
// at the length of the line, so this is so for most references at the end of a line within a
// paragraph. It returns false if a blank follows the reference, and outside of running text.
func (d *Doc) MayContinue(s Span) bool {
	d.once()
	if d.format != Plain && d.format != Enriched {
		return false
	}
	next := d.Data[s.End:min(len(d.Data), s.End+2*longestWord)]
	next = bytes.ReplaceAll(next, []byte{0}, nil) // zeros are of UTF-16
	next = bytes.TrimPrefix(next, []byte("\r"))
	if len(next) == 0 || next[0] != '\n' {
		return false
	}
	next = bytes.TrimLeft(next[1:min(len(next), longestWord)], "> \t")
	if n := bytes.IndexAny(next, " \t\r\n<>\""); n >= 0 {
		next = next[:n]
	}
	return bytes.ContainsFunc(next, isPartOfWord) && !bytes.Contains(next, []byte("://"))
}

func isPartOfWord(c rune) bool { return c >= 0x80 || ascii.Alnum.Has(byte(c)) }
