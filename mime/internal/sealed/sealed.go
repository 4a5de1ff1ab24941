// Package sealed finds the lines of running text that an edit would damage: patches, encoded blocks
// and encrypted blocks. It also finds footers, which a caller may want to leave unchanged.
//
// The text may quote other texts with '>' at the start of lines. The lines of each depth of quoting
// are read as a text of their own, since an answer may stand between the lines that it quotes.
//
// Files in reading order: sealed.go, stream.go (the lines of one depth), patch.go, block.go.
package sealed

import (
	"bytes"
	"slices"
)

// Reason says why a line must not be edited. It is empty for ordinary text.
type Reason string

// The reasons.
const (
	Patch     Reason = "patch"     // a line of a diff, with its heading
	Encoded   Reason = "encoded"   // uuencode, yEnc, or the armor of a key or signature
	Encrypted Reason = "encrypted" // an encrypted message in ASCII armor
	Footer    Reason = "footer"    // a line after "-- "
)

// Piece is a range of whole lines with the same reason.
type Piece struct {
	Start, End int // bytes of the text
	Reason     Reason
}

// Pieces returns the pieces of a text in UTF-8 that are not ordinary text, in order.
func Pieces(text []byte) []Piece {
	f := finder{text: text, lf: -1}
	for f.at < len(text) {
		f.line()
	}
	return f.pieces
}

// ReasonAt returns the reason of the first of the pieces that overlaps the bytes from start to end,
// or an empty Reason. The pieces must be in order.
func ReasonAt(pieces []Piece, start, end int) Reason {
	n, _ := slices.BinarySearchFunc(pieces, start, func(p Piece, at int) int {
		if p.End <= at {
			return -1
		}
		return 1
	})
	if n < len(pieces) && pieces[n].Start < end {
		return pieces[n].Reason
	}
	return ""
}

// HasClearSigned reports whether a message in clear begins in text that OpenPGP signs (RFC 9580
// Section 7).
func HasClearSigned(text []byte) bool {
	// the search begins with a byte that is rare in HTML
	const begin, end = "-----BEGIN ", "PGP SIGNED MESSAGE-----"
	for at := 0; ; at++ {
		i := bytes.Index(text[at:], []byte(end))
		if i < 0 {
			return false
		}
		at += i
		if bytes.HasSuffix(text[:at], []byte(begin)) {
			return true
		}
	}
}

// finder reads a text line by line.
type finder struct {
	text    []byte
	at      int // start of the next line
	lf      int // offset of the LF at or after at, or the length of the text; unknown if it is before at
	streams [maxDepth]stream
	depth   int // of the previous line
	pieces  []Piece
}

// begins are the first bytes of lines of ordinary text that may begin something, and '>'.
var begins = func() (t [256]bool) {
	for _, c := range []byte(">@*=-bdhI0123456789") {
		t[c] = true
	}
	return t
}()

// maxDepth is the number of depths of quoting that are told apart.
const maxDepth = 16

// line reads the next line.
func (f *finder) line() {
	start := f.at
	line := f.cutLine()
	if top := &f.streams[0]; top.inside == inText && !top.footer && (len(line) == 0 || !begins[line[0]]) {
		f.depth = 0 // the usual line
		return
	}
	depth, content := unquote(line)
	if f.streams[0].takesMarks(line) {
		depth = 0
		content = line
	}
	if depth != f.depth && depth > 0 {
		f.streams[depth].footer = false
	}
	f.depth = depth
	f.add(start, f.at, f.streams[depth].reason(f, content))
}

// following returns the next line, without reading it. In a quotation it has no quoting marks.
func (f *finder) following() []byte {
	at := f.at
	line := f.cutLine()
	f.at = at
	if depth, content := unquote(line); depth == f.depth && depth > 0 {
		return content
	}
	return line
}

// add adds the line from start to end.
func (f *finder) add(start, end int, r Reason) {
	last := len(f.pieces) - 1
	switch {
	case r == "":
	case last >= 0 && f.pieces[last].End == start && f.pieces[last].Reason == r:
		f.pieces[last].End = end
	default:
		f.pieces = append(f.pieces, Piece{start, end, r})
	}
}

// cutLine returns the next line without its end, and moves f.at behind it. Lines end at LF, CR or
// both.
func (f *finder) cutLine() (line []byte) {
	rest := f.text[f.at:]
	if f.lf < f.at {
		f.lf = len(f.text)
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			f.lf = f.at + n
		}
	}
	line = f.text[f.at:f.lf]
	if n := bytes.IndexByte(line, '\r'); n >= 0 {
		line = line[:n]
	}
	f.at += len(line)
	if f.at < f.lf {
		f.at++ // CR
	}
	if f.at == f.lf {
		f.at = min(f.at+1, len(f.text))
	}
	return line
}

// unquote returns the number of quoting marks of a line, and the text after them.
func unquote(line []byte) (depth int, content []byte) {
	content = line
	for depth < maxDepth-1 {
		rest := bytes.TrimPrefix(content, []byte{' '})
		if depth == 0 {
			rest = content // a blank at the start is text
		}
		if len(rest) == 0 || rest[0] != '>' {
			break
		}
		content = rest[1:]
		depth++
	}
	if depth > 0 {
		content = bytes.TrimPrefix(content, []byte{' '})
	}
	return depth, content
}
