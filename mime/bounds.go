package mime

import (
	"bytes"

	"absolink/extract"
)

// The structure of a message depends only on its headings and on lines that begin with "--". If a
// blank line ends the heading of a body, an edit of the body can change the structure in two ways.
// It can touch a line that begins with "--", or the line end before the next boundary, which
// belongs to that boundary.

// keepsBounds reports whether edits of the encoded body surely leave the structure of the message
// unchanged. If it returns false, only a scan can tell.
func (l *Leaf) keepsBounds(edits []extract.Edit) bool {
	e := l.Entity
	if e.m.eol != '\n' || e.Body.Start <= e.Head.End || e.whyNotEntered != "" || len(edits) == 0 {
		return false
	}
	last := edits[len(edits)-1]
	if last.End == len(l.raw) && (last.End == 0 || len(last.New) == 0 ||
		last.New[len(last.New)-1] == '\r' || l.raw[last.End-1] == '\r') {
		return false
	}
	return !l.touchesDashes(edits)
}

// touchesDashes reports whether a line that an edit touches begins with "--" after the edits.
func (l *Leaf) touchesDashes(edits []extract.Edit) bool {
	var line lineStart
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
		for text := e.New; len(text) > 0; {
			i := bytes.IndexByte(text, '\n')
			if i < 0 {
				line.add(text)
				break
			}
			line.add(text[:i])
			if line.dashes() {
				return true
			}
			line, text = lineStart{}, text[i+1:]
		}
		if line.dashes() {
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

func (s *lineStart) dashes() bool { return s.n == 2 && s.first == [2]byte{'-', '-'} }
