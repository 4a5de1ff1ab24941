package mbox

import (
	"bytes"

	"absolink/extract"
)

// AppendUnquoted appends content to t without the ">" that programs write before lines that begin
// with "From ". In RD and CL it removes one ">" from each line that begins with ">From ",
// ">>From " and so on. In O it removes the ">" of each line that begins with ">From ". In CL2 it
// removes nothing. content must be the content of m, or a part of it that begins at the start of a
// line. [extract.Text.Raw] of t returns spans of content, which still has every ">".
//
// Use AppendUnquoted only to read a message. Edits refer to the bytes of the mailbox, which also
// have every ">".
func (m *Message) AppendUnquoted(t *extract.Text, content []byte) {
	appended := 0 // bytes of content that are appended or removed
	for pos := 0; m.Variant != CL2; {
		i := bytes.Index(content[pos:], fromPrefix)
		if i < 0 {
			break
		}
		pos += i
		if q := m.quoteLen(content[:pos]); q > 0 {
			t.AppendSame(appended, content[appended:pos-q])
			appended = pos - q + 1
		}
		pos += len(fromPrefix)
	}
	t.AppendSame(appended, content[appended:])
}

// quoteLen returns the number of ">" at the end of b. It returns 0 if they do not begin a line, or
// if AppendUnquoted keeps them all.
func (m *Message) quoteLen(b []byte) int {
	n := len(b) - len(bytes.TrimRight(b, ">"))
	beginsLine := n == len(b) || b[len(b)-n-1] == m.eol
	if !beginsLine || m.Variant == O && n > 1 {
		return 0
	}
	return n
}
