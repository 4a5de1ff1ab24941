package mbox

import (
	"bytes"
	"fmt"
	"io"

	"absolink/mime"
)

// An edit must not change how a mailbox is cut. A line of the body that begins with
// "From " is none of a separator's because the line after it is no header field,
// say, and an edit of that line may make it one. A separator is found by what is
// near it, and the next one by the end of this message, so that the edited message
// read on its own tells.

// Verify reads m with edits of its content made, as Write writes it, and returns
// an error if that would not be read as one message with the same separator and
// the edited content, or if the next separator would not be found. Then the message
// must stay as it is. Any other error is that of reading m.
func (m *Message) Verify(edits []mime.Edit) error {
	if len(edits) == 0 {
		return nil
	}
	grown := int64(0)
	for _, e := range edits {
		grown += int64(len(e.New)) - e.Len()
	}
	var tail suffix
	src := &source{pipe: io.TeeReader(m.edited(edits), &tail)}
	r := &Reader{o: Options{Variant: m.Variant}, src: src, w: newWindow(src, m.window()), store: store{src: &source{file: m}}, eol: m.eol}
	got, err := r.Next()
	if err != nil {
		return err
	}
	defer got.Release()
	_, err = r.Next()
	same := err == io.EOF && got.size == m.size+grown && got.Separator == m.Separator &&
		got.Content == mime.Span{Start: m.Content.Start, End: m.Content.End + grown} && (got.Number > 0) == (m.Number > 0)
	if err != nil && err != io.EOF {
		return err
	}
	if !same || !m.endsAs(tail.b) {
		return fmt.Errorf("mbox: message at offset %d: edited, the mailbox would be cut in another way", m.Offset)
	}
	return nil
}

// window returns the size of a window that m is read through.
func (m *Message) window() int { return int(min(m.size+lookahead, windowSize)) }

// edited returns the message's bytes with edits of the content made.
func (m *Message) edited(edits []mime.Edit) io.Reader {
	var parts []io.Reader
	at := int64(0)
	for _, e := range m.moved(edits) {
		parts = append(parts, io.NewSectionReader(m, at, e.Start-at), bytes.NewReader(e.New))
		at = e.End
	}
	return io.MultiReader(append(parts, io.NewSectionReader(m, at, m.size-at))...)
}

// endsAs reports whether a separator after tail is found as it is after m: both end
// with a line end or not, and with a blank line or not.
func (m *Message) endsAs(tail []byte) bool {
	old := make([]byte, min(m.size, context))
	if n, _ := m.ReadAt(old, m.size-int64(len(old))); n < len(old) {
		return false
	}
	ended := func(b []byte) bool { return len(b) > 0 && b[len(b)-1] == m.eol }
	return ended(old) == ended(tail) && (blankLine(old, m.eol, true) > 0) == (blankLine(tail, m.eol, true) > 0)
}

// suffix keeps the last bytes that are written to it.
type suffix struct{ b []byte }

func (s *suffix) Write(b []byte) (int, error) {
	s.b = append(s.b, b[max(0, len(b)-context):]...)
	s.b = s.b[max(0, len(s.b)-context):]
	return len(b), nil
}
