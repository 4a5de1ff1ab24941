package mbox

import (
	"bytes"

	"absolink/extract"
)

// AppendUnquoted appends content to t without the ">" that a mailbox of the variant puts before
// lines that begin with "From ". In RD and CL it leaves out one ">" of each line that begins
// with ">"s and "From ", in O the ">" of lines that begin with ">From ", in CL2 none. content
// must be that of m, or a piece of it that begins with a line; raw spans of t are spans of
// content.
//
// It is for reading only. A mailbox is edited on its own bytes, where nothing is unquoted or
// quoted again.
func (m *Message) AppendUnquoted(t *extract.Text, content []byte) {
	at := 0
	for pos := 0; m.Variant != CL2; {
		i := bytes.Index(content[pos:], from)
		if i < 0 {
			break
		}
		pos += i
		if q := m.quotes(content[:pos]); q > 0 {
			t.AppendSame(at, content[at:pos-q])
			at = pos - q + 1
		}
		pos += len(from)
	}
	t.AppendSame(at, content[at:])
}

// quotes returns the number of ">"s that b ends with if they begin a line and one of
// them goes, else 0.
func (m *Message) quotes(b []byte) int {
	n := len(b) - len(bytes.TrimRight(b, ">"))
	begins := n == len(b) || b[len(b)-n-1] == m.eol
	if !begins || m.Variant == O && n > 1 {
		return 0
	}
	return n
}
