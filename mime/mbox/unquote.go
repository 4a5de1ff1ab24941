package mbox

import (
	"bytes"

	"absolink/extract"
)

// AppendUnquoted appends content to t without the ">" that mailboxes put before lines that begin
// with "From ". In RD and CL it removes one ">" from each line that begins with one or more ">" and
// "From ". In O it removes the ">" of lines that begin with ">From ". In CL2 it removes nothing.
// content must be the content of m, or a part of it that begins with a line. Raw spans of t are
// spans of content.
//
// AppendUnquoted is only for reading. Edits change the bytes of the mailbox, which are quoted.
func (m *Message) AppendUnquoted(t *extract.Text, content []byte) {
	at := 0
	for pos := 0; m.Variant != CL2; {
		i := bytes.Index(content[pos:], fromPrefix)
		if i < 0 {
			break
		}
		pos += i
		if q := m.quoteLen(content[:pos]); q > 0 {
			t.AppendSame(at, content[at:pos-q])
			at = pos - q + 1
		}
		pos += len(fromPrefix)
	}
	t.AppendSame(at, content[at:])
}

// quoteLen returns the number of ">" at the end of b, if they begin a line and AppendUnquoted
// removes one of them. Otherwise it returns 0.
func (m *Message) quoteLen(b []byte) int {
	n := len(b) - len(bytes.TrimRight(b, ">"))
	beginsLine := n == len(b) || b[len(b)-n-1] == m.eol
	if !beginsLine || m.Variant == O && n > 1 {
		return 0
	}
	return n
}
