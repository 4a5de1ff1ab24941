package mime

import (
	"bytes"

	"absolink/extract"
)

// The structure of a message depends only on its headings and on lines that begin with "--". If a
// blank line separates a body from its heading, an edit of the body can change the structure in two
// ways. It can touch a line that begins with "--", or the line end before the next boundary, which
// belongs to that boundary.

// keepsBounds reports whether edits of the encoded body surely leave the structure of the message
// unchanged. If it returns false, only a scan can tell.
func (l *Leaf) keepsBounds(edits []extract.Edit) bool {
	e := l.Entity
	if e.m.eol != '\n' || e.Body.Start <= e.Head.End || e.whyNotEntered != "" || len(edits) == 0 {
		return false
	}
	return !l.mayMoveEnd(edits[len(edits)-1]) && !l.touchesDashes(edits)
}

// mayMoveEnd reports whether the last edit of the body may change which bytes are the line end of
// the next boundary. It returns true if the body is empty or may become empty. It also returns true
// if the body ends in a CR or may then end in one, because the line end could include that CR.
func (l *Leaf) mayMoveEnd(last extract.Edit) bool {
	switch {
	case last.End < len(l.raw):
		return false
	case len(l.raw) == 0 || len(last.New) == 0:
		return true
	}
	return last.New[len(last.New)-1] == '\r' || l.raw[len(l.raw)-1] == '\r'
}

// touchesDashes reports whether a line that an edit touches begins with "--" after the edits. The
// first line of the body counts as touched.
func (l *Leaf) touchesDashes(edits []extract.Edit) bool {
	var line lineStart // of the last line of the edited text so far
	at := 0
	for _, e := range edits {
		kept := l.raw[at:e.Start]
		line.add(kept[:min(len(kept), len(line.first))])
		if line.dashes() {
			return true
		}
		if i := bytes.LastIndexByte(kept, '\n'); i >= 0 {
			line = lineStart{}
			line.add(kept[i+1:])
		}
		if line.addLines(e.New) {
			return true
		}
		at = e.End
	}
	line.add(l.raw[at:min(len(l.raw), at+len(line.first))])
	return line.dashes()
}

// lineStart is the first two bytes of a line, or fewer if more are not yet known.
type lineStart struct {
	first [2]byte
	n     int
}

// add appends the next bytes of the line. It stops at the end of the line.
func (s *lineStart) add(b []byte) {
	for i := 0; i < len(b) && s.n < len(s.first) && b[i] != '\n'; i++ {
		s.first[s.n] = b[i]
		s.n++
	}
}

// addLines adds text, which may have line ends. Afterwards s is the start of the last line.
// addLines reports whether s or a line before it begins with dashes.
func (s *lineStart) addLines(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			s.add(text)
			return s.dashes()
		}
		s.add(text[:i])
		if s.dashes() {
			return true
		}
		*s = lineStart{}
		text = text[i+1:]
	}
}

func (s *lineStart) dashes() bool { return s.n == 2 && s.first == [2]byte{'-', '-'} }
