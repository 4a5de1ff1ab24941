package mbox

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"absolink/mime"
)

// Message is one message of a mailbox, with the separator before it and the blank lines after it.
// Its fields are read-only. Until Release, all methods except Admit are safe for concurrent use.
type Message struct {
	// Number counts the messages of the range. The number of the first message is Options.Number,
	// if the Reader uses that option, and otherwise 1. Text before the first separator of the
	// mailbox is also a Message. If it begins neither with a header field nor with ">From ", its
	// Number is 0.
	Number int
	// Offset is the start of the message in the mailbox. Line is the number of the line that begins
	// there. The first line of the mailbox has the number 1. Line is 0 if the range begins inside
	// the mailbox and the Reader does not use Options.Line.
	Offset int64
	Line   int64
	// Separator is the "From " line with its line end, as a span of the message's bytes. It is
	// empty if the message has no separator. A byte order mark may come before the separator.
	Separator mime.Span
	// Content is the header and the body, as a span of the message's bytes. A blank line after the
	// body is part of the message, but usually not of Content. It belongs to Content if it ends the
	// header, or if the Reader found no end of the header. If Content-Length gives the end of the
	// body, up to two blank lines may follow.
	Content mime.Span
	// Data holds the message's bytes. It is nil if the message is not kept in memory (see
	// Options.Hold). ReadAt reads the bytes in either case.
	Data []byte
	// Defects are the faults of the message, at most twenty. Their offsets count from its start.
	Defects []mime.Defect
	// Variant is the variant of the mailbox.
	Variant Variant

	eol          byte           // byte that ends lines
	endsByLength bool           // Content-Length gives the end of the content
	length       *contentLength // nil without Options.Lengths, or if there is no Content-Length
	size         int64
	reader       io.ReaderAt // reads the bytes if Data is nil
	file         *os.File    // the same as reader if reader is a temporary file; otherwise nil
	block        *block      // contains Data; nil if Data has its own memory
	src          *source     // the mailbox; nil without Options.Lengths
}

// Size returns the number of the message's bytes.
func (m *Message) Size() int64 { return m.size }

// ReadAt implements [io.ReaderAt] on the message's bytes. At the end of the message the error is
// io.EOF. ReadAt also returns an error if off is negative, or if reading the file fails.
func (m *Message) ReadAt(b []byte, off int64) (int, error) {
	if m.reader != nil {
		return m.reader.ReadAt(b, off)
	}
	if off < 0 {
		return 0, fmt.Errorf("negative offset %d", off)
	}
	if off >= int64(len(m.Data)) {
		return 0, io.EOF
	}
	n := copy(b, m.Data[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// Release frees the memory or the temporary file of m. Do not use m afterwards. Small messages
// share a block of memory. It is free when all of them are released. The garbage collector frees
// messages that are never released.
func (m *Message) Release() {
	switch {
	case m.file != nil:
		m.file.Close()
	case m.block != nil:
		m.block.removeUser()
	case m.Data != nil:
		release(m.Data)
	}
	if m.src != nil {
		m.src.removeUser()
	}
	m.Data = nil
	m.reader = nil
	m.file = nil
	m.block = nil
	m.src = nil
}

// Parse finds the structure of the content of m. Offsets in the result count from Content.Start.
func (m *Message) Parse(lim mime.Limits) (*mime.Message, error) {
	return mime.Parse(m.contentReader(), m.Content.Len(), lim)
}

// contentReader returns a reader of the content.
func (m *Message) contentReader() io.ReaderAt {
	if m.Data != nil {
		return bytes.NewReader(m.Data[m.Content.Start:m.Content.End])
	}
	return io.NewSectionReader(m, m.Content.Start, m.Content.Len())
}

// Write writes the message's bytes to w, with edits of its content. The edits must be sorted and
// must not overlap. Their offsets count from Content.Start, as in the result of Parse. Write does
// not read a large message into memory.
func (m *Message) Write(w io.Writer, edits []mime.Edit) error {
	if m.Data == nil {
		return mime.Write(w, m, m.size, m.inMessage(edits))
	}
	written := int64(0) // bytes of Data that are written or replaced
	for _, e := range m.inMessage(edits) {
		if _, err := w.Write(m.Data[written:e.Start]); err != nil {
			return err
		}
		if _, err := w.Write(e.New); err != nil {
			return err
		}
		written = e.End
	}
	_, err := w.Write(m.Data[written:])
	return err
}

// inMessage returns the edits with offsets from the start of the message. The offsets of edits
// count from Content.Start.
func (m *Message) inMessage(edits []mime.Edit) []mime.Edit {
	out := make([]mime.Edit, len(edits))
	for i, e := range edits {
		out[i] = mime.Edit{Span: mime.Span{Start: e.Start + m.Content.Start, End: e.End + m.Content.Start}, New: e.New}
	}
	return out
}

// addDefect adds a defect, unless m already has maxDefects.
func (m *Message) addDefect(offset int64, text string) {
	if len(m.Defects) < maxDefects {
		m.Defects = append(m.Defects, mime.Defect{Offset: offset, Text: text})
	}
}

// setContentEnd sets the end of the content, unless Content-Length gives it. Before the call,
// Content.End is the end of the header, or Content.Start if readHeader found no header. A blank
// line at the end of m is not part of the content, unless it ends the header or there is no header.
// tail holds the last lookbehind bytes of the mailbox up to the end of m, or all if it has fewer.
func (m *Message) setContentEnd(tail []byte) {
	if m.endsByLength {
		return
	}
	headerEnd := m.Content.End
	m.Content.End = m.size
	n := int64(blankLineLen(tail, m.eol, false))
	if headerEnd > m.Content.Start && headerEnd <= m.size-n {
		m.Content.End -= n
	}
}
