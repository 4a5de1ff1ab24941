package mime

import (
	"bytes"

	"absolink/extract"
)

// The structure of a message hangs on its headings and on the lines that begin with
// "--". An edit of a body below a heading that is ended makes another structure only by
// such a line, and by the line end that the boundary after the body takes with it.

// keepsBounds reports whether edits of the encoded body leave the structure of the
// message as it is. After false only a scan can tell.
func (l *Leaf) keepsBounds(edits []extract.Edit) bool {
	e := l.Entity
	if e.m.eol != '\n' || e.Body.Start <= e.Head.End || e.opaque != "" || len(edits) == 0 {
		return false
	}
	last := edits[len(edits)-1]
	if last.End == len(l.raw) && (last.End == 0 || len(last.New) == 0 ||
		last.New[len(last.New)-1] == '\r' || l.raw[last.End-1] == '\r') {
		return false
	}
	return !l.touchesDashes(edits)
}

// touchesDashes reports whether a line that an edit touches begins with "--" then.
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

// lineStart is the first two bytes of a line, as far as they are known.
type lineStart struct {
	first [2]byte
	n     int
}

// add adds bytes that follow, up to the end of the line.
func (s *lineStart) add(b []byte) {
	for i := 0; i < len(b) && s.n < len(s.first) && b[i] != '\n'; i++ {
		s.first[s.n] = b[i]
		s.n++
	}
}

func (s *lineStart) dashes() bool { return s.n == 2 && s.first == [2]byte{'-', '-'} }
