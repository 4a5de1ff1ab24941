package mbox

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"

	"absolink/mime"
)

// An edit must not change where a mailbox is cut into messages. For instance, a line of a body may
// begin with "From ". It is not a separator if no header field follows it, but an edit could write
// something like a field there. An edit at the end of a message could also hide the next separator.
// So Verify reads the edited message again. For most edits it only examines the bytes around them.

// Verify returns an error if the edits of m would change where the mailbox is cut. m must then not
// be written with the edits. The edited message must be one message with the same separator and the
// edited content. The separator after m must still be a separator. Verify also returns an error if
// reading m fails.
func (m *Message) Verify(edits []mime.Edit) error {
	switch {
	case m.eol == '\r' && addsLineFeed(edits):
		return m.cutError()
	case len(edits) == 0 || m.provesUncut(edits):
		return nil
	}
	return m.verify(edits)
}

// addsLineFeed reports whether an edit adds a line feed. In a mailbox whose lines end with CR, this
// is not allowed: if its first bytes have a line feed, a Reader takes LF for its line end.
func addsLineFeed(edits []mime.Edit) bool {
	return slices.ContainsFunc(edits, func(e mime.Edit) bool { return bytes.IndexByte(e.New, '\n') >= 0 })
}

// provesUncut reports whether the bytes near the edits prove that the edited message is one message
// with the same separator. It need not examine the other bytes of the message: they contain no
// separator, and the edits are too far away to change that. If provesUncut returns false, verify
// decides.
func (m *Message) provesUncut(edits []mime.Edit) bool {
	editsEnd := m.Content.Start + edits[len(edits)-1].End
	if m.Data == nil || m.Variant.usesLength() || m.Separator.Len() == 0 ||
		m.Data[m.Separator.Start] == '>' || m.size-editsEnd < lookbehind {
		return false
	}
	head, ended := headEnd(m.Data[m.Content.Start:m.Content.End], 0, m.eol)
	if !ended || head > maxHeader || edits[0].Start < int64(head) {
		return false
	}
	for edits = m.inMessage(edits); len(edits) > 0; {
		n := 1
		for n < len(edits) && edits[n].Start-edits[n-1].End < 2*reach {
			n++
		}
		if !m.hasNoFrom(edits[:n]) && m.mayHaveSeparator(edits[:n]) {
			return false
		}
		edits = edits[n:]
	}
	return true
}

// reach is a distance in bytes. If a line is further away, an edit cannot make it a separator.
const reach = lookbehind + 1 + lookahead

// bytesNear yields the bytes of the edited message around the edits, in pieces: reach bytes before
// the first edit, all bytes up to the last edit, and reach bytes after it.
func (m *Message) bytesNear(edits []mime.Edit) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		start := max(0, edits[0].Start-reach)
		for _, e := range edits {
			if !yield(m.Data[start:e.Start]) || !yield(e.New) {
				return
			}
			start = e.End
		}
		yield(m.Data[start:min(m.size, start+reach)])
	}
}

// hasNoFrom reports whether no line near the edits begins with "From ".
func (m *Message) hasNoFrom(edits []mime.Edit) bool {
	s := seeker{eol: m.eol}
	var seam []byte // the last bytes before a piece and the first bytes of the piece
	for b := range m.bytesNear(edits) {
		const part = patternSize - 1
		old := len(seam)
		seam = append(seam, b[:min(len(b), part)]...)
		if s.index(seam) >= 0 || s.index(b) >= 0 {
			return false
		}
		if len(b) > part {
			seam = append(seam[:old], b[len(b)-part:]...)
		}
		seam = append(seam[:0], seam[max(0, len(seam)-part):]...)
	}
	return true
}

// mayHaveSeparator reports whether a line near the edits looks like a separator. It only examines
// the bytes near the edits. If these begin inside a line, isBlankBefore may return true by mistake.
// Then mayHaveSeparator may also return true by mistake, and verify decides.
func (m *Message) mayHaveSeparator(edits []mime.Edit) bool {
	b := slices.Concat(slices.Collect(m.bytesNear(edits))...)
	s := seeker{eol: m.eol}
	for pos := 0; ; {
		i := s.index(b[pos:])
		if i < 0 {
			return false
		}
		pos += i + 1 // after the line end
		if separatorLen(b[pos:min(len(b), pos+lookahead)], m.eol, isBlankBefore(b[:pos], pos, m.eol)) > 0 {
			return true
		}
	}
}

// verify does the same as Verify. It reads the whole edited message, and not only the bytes near
// the edits.
func (m *Message) verify(edits []mime.Edit) error {
	edited := m.edited(edits)
	src := &source{file: edited}
	r := &Reader{o: Options{Variant: m.Variant}, src: src,
		w: newWindow(src, m.window()), store: store{src: src}, eol: m.eol}
	got, err := r.Next()
	if err != nil {
		return err
	}
	defer got.Release()
	second, err := r.Next()
	if err == nil { // the edited bytes are several messages
		second.Release()
		r.fail(io.EOF)
		return m.cutError()
	}
	if err != io.EOF {
		return err
	}
	grown := edited.size() - m.size
	if got.Separator != m.Separator || (got.Number > 0) != (m.Number > 0) ||
		got.Content != (mime.Span{Start: m.Content.Start, End: m.Content.End + grown}) {
		return m.cutError()
	}
	if err := m.verifyStart(edited); err != nil {
		return err
	}
	return m.verifyEnd(edited)
}

// cutError returns the error of Verify for edits that change where the mailbox is cut.
func (m *Message) cutError() error {
	return fmt.Errorf("message at offset %d: the edits would change where the mailbox is cut into messages", m.Offset)
}

// window returns the size of a window for reading m.
func (m *Message) window() int { return int(min(m.size+lookahead, windowSize)) }

// verifyStart returns an error if the line after the separator is a header field, but is not one
// after the edits. The separator may need this sign: verifyStart does not know if the line before
// the separator is blank. The first line of the mailbox needs no sign.
func (m *Message) verifyStart(edited *editedBytes) error {
	if m.Offset == 0 {
		return nil
	}
	before, err := m.fieldFollows(m)
	if err != nil || !before {
		return err
	}
	after, err := m.fieldFollows(edited)
	if err == nil && !after {
		return m.cutError()
	}
	return err
}

// fieldFollows reports whether a header field follows the separator of m. r reads m or the edited
// message.
func (m *Message) fieldFollows(r io.ReaderAt) (bool, error) {
	b := make([]byte, maxName)
	n, err := r.ReadAt(b, m.Separator.End)
	if err == io.EOF {
		err = nil
	}
	return startsMessage(b[:n]), err
}

// verifyEnd compares the end of m with the end of the edited message. If only one of them ends with
// a line end, or only one with a blank line, verifyEnd returns an error. A Reader might then not
// find the next separator, or it might find a wrong one.
func (m *Message) verifyEnd(edited *editedBytes) error {
	before, err := lastBytes(m, m.size)
	if err != nil {
		return err
	}
	after, err := lastBytes(edited, edited.size())
	if err != nil {
		return err
	}
	endsLine := func(b []byte) bool { return len(b) > 0 && b[len(b)-1] == m.eol }
	endsBlank := func(b []byte) bool { return blankLineLen(b, m.eol, true) > 0 }
	if endsLine(before) != endsLine(after) || endsBlank(before) != endsBlank(after) {
		return m.cutError()
	}
	return nil
}

// lastBytes returns the last lookbehind bytes of r, or all bytes if r has fewer. size is the number
// of bytes of r.
func lastBytes(r io.ReaderAt, size int64) ([]byte, error) {
	b := make([]byte, min(size, lookbehind))
	n, err := r.ReadAt(b, size-int64(len(b)))
	switch {
	case n == len(b):
		return b, nil
	case err == io.EOF:
		return nil, io.ErrUnexpectedEOF
	}
	return nil, err
}
