// Package sealed finds the lines of running text that an edit would damage: patches, encoded blocks
// and encrypted blocks. It also finds footers, which a caller may want to leave unchanged.
//
// The text may quote other texts with '>' at the start of lines. An answer may stand between the
// lines that it quotes. So the lines of each depth of quoting are read as a text of their own.
//
// Files in reading order: sealed.go, stream.go (the lines of one depth), patch.go, block.go.
package sealed

import (
	"bytes"
	"slices"
)

// Reason says why a line must not be edited. The reason of ordinary text is empty.
type Reason string

// The reasons.
const (
	Patch     Reason = "patch"     // a line of a diff, with its heading
	Encoded   Reason = "encoded"   // uuencode (also as base64), yEnc, armor of keys, certificates and signatures
	Encrypted Reason = "encrypted" // an encrypted message in armor
	Footer    Reason = "footer"    // the line "-- " and the lines after it
)

// Piece is a range of whole lines with the same reason.
type Piece struct {
	Start, End int // bytes of the text
	Reason     Reason
}

// Pieces returns the pieces of a text in UTF-8 that are not ordinary text, in their order.
func Pieces(text []byte) []Piece {
	f := finder{text: text, lf: -1}
	for f.at < len(text) {
		f.readLine()
	}
	return f.pieces
}

// ReasonAt returns the reason of the first piece that overlaps the bytes from start to end, or an
// empty Reason. The pieces must be in their order.
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

// HasClearSigned reports whether text has the first line of a message that OpenPGP signs as clear
// text (RFC 9580 Section 7).
func HasClearSigned(text []byte) bool {
	// the search is for end first, because its first byte is rarer in HTML than a dash
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

// finder reads a text line by line, and finds its pieces.
type finder struct {
	text    []byte
	at      int              // start of the next line
	lf      int              // offset of the first LF from at on, or the length of the text; unknown while less than at
	streams [maxDepth]stream // by depth of quoting
	depth   int              // depth of the line that was read last
	pieces  []Piece
}

// mayBegin holds the first bytes of lines that may begin a patch, a block or a footer, or are
// quoted.
var mayBegin = func() (t [256]bool) {
	for _, c := range []byte(">@#*=-bdhI0123456789") {
		t[c] = true
	}
	return t
}()

// maxDepth is the number of depths of quoting that have a stream of their own. Deeper lines are
// read as lines of the greatest depth.
const maxDepth = 16

// readLine reads the next line, and adds it to the pieces unless it is ordinary text.
func (f *finder) readLine() {
	start := f.at
	line := f.cutLine()
	if top := &f.streams[0]; top.inside == inText && !top.footer && (len(line) == 0 || !mayBegin[line[0]]) {
		f.depth = 0 // an ordinary line, as most lines are
		return
	}
	depth, content := unquote(line)
	if f.streams[0].takesMarks(line) {
		depth = 0
		content = line
	}
	if depth != f.depth && depth > 0 {
		f.streams[depth].footer = false // a new quotation, in which no footer has begun
	}
	f.depth = depth
	f.addLine(start, f.at, f.streams[depth].read(f, content))
}

// following returns the next line, without moving f.at. If it has the depth of the line before, the
// quoting marks are removed.
func (f *finder) following() []byte {
	at := f.at
	line := f.cutLine()
	f.at = at
	if depth, content := unquote(line); depth == f.depth && depth > 0 {
		return content
	}
	return line
}

// addLine adds the line from start to end to the pieces, unless r is empty.
func (f *finder) addLine(start, end int, r Reason) {
	last := len(f.pieces) - 1
	switch {
	case r == "":
	case last >= 0 && f.pieces[last].End == start && f.pieces[last].Reason == r:
		f.pieces[last].End = end
	default:
		f.pieces = append(f.pieces, Piece{start, end, r})
	}
}

// cutLine returns the next line without its line end, and moves f.at behind the line end: LF, CR or
// CR LF.
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

// unquote returns the number of quoting marks at the start of a line, less than maxDepth, and the
// text after them.
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
