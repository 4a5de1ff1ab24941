package mbox

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"absolink/mime"
)

// Message is one message of a mailbox with what the mailbox puts around it. It is
// read-only and safe for concurrent use until Release.
type Message struct {
	// Number counts from 1 within what the Reader reads, or from Options.Number. It is 0 for
	// text before the first separator that does not begin as a message does; such text is kept.
	Number int
	// Offset is where the message's bytes begin in the mailbox, and Line the number
	// of the line there, from 1; 0 in a range that neither begins with the mailbox nor
	// with a message whose line the options tell.
	Offset int64
	Line   int64
	// Separator is the "From " line with its line end, within the message's bytes,
	// and empty where there is none. A byte order mark may stand before it.
	Separator mime.Span
	// Content is the header and the body within the message's bytes. The blank line
	// after it that belongs to the mailbox lies outside; where Content-Length tells the
	// end of the body, so do all blank lines after that.
	Content mime.Span
	// Data is the message's bytes, nil if there are more than Options.Hold; ReadAt
	// reads them in either case.
	Data []byte
	// Defects are what is wrong, with offsets in the message's bytes; the first twenty.
	Defects []mime.Defect
	// Variant is that of the mailbox.
	Variant Variant

	eol     byte
	counted bool    // Content-Length tells the end of the content
	length  *length // nil if there is no Content-Length, or it is not asked for
	size    int64
	at      io.ReaderAt // the bytes where Data is nil
	file    *os.File    // at, if it is a temporary file
	block   *block      // where Data is; nil if it is its own
	src     *source     // of the mailbox; nil without Options.Lengths
}

// Size returns the number of the message's bytes.
func (m *Message) Size() int64 { return m.size }

// ReadAt implements [io.ReaderAt] on the message's bytes; the error is io.EOF at their end,
// else that of the file.
func (m *Message) ReadAt(b []byte, off int64) (int, error) {
	if m.at != nil {
		return m.at.ReadAt(b, off)
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

// Release gives back the memory or the temporary file of m, which must not be used after it. A
// small message shares its memory with its neighbours: up to 512 KiB are held until all of them
// are released. Messages that are never released are left to the garbage collector.
func (m *Message) Release() {
	switch {
	case m.file != nil:
		m.file.Close()
	case m.block != nil:
		m.block.leave()
	case m.Data != nil:
		release(m.Data)
	}
	if m.src != nil {
		m.src.leave()
	}
	m.Data, m.at, m.file, m.block, m.src = nil, nil, nil, nil, nil
}

// Parse finds the structure of the content of m. Offsets in the result count from Content.Start
// of the message's bytes.
func (m *Message) Parse(lim mime.Limits) (*mime.Message, error) {
	return mime.Parse(m.content(), m.Content.Len(), lim)
}

// content returns the bytes of the content.
func (m *Message) content() io.ReaderAt {
	if m.Data != nil {
		return bytes.NewReader(m.Data[m.Content.Start:m.Content.End])
	}
	return io.NewSectionReader(m, m.Content.Start, m.Content.Len())
}

// Write writes the message's bytes with edits of its content made. The edits must be sorted and
// must not overlap; their offsets are in the content, as Parse gives them. It streams.
func (m *Message) Write(w io.Writer, edits []mime.Edit) error {
	if len(edits) == 0 && m.Data != nil {
		_, err := w.Write(m.Data)
		return err
	}
	if m.Data == nil {
		return mime.Write(w, m, m.size, m.moved(edits))
	}
	at := int64(0)
	for _, e := range m.moved(edits) {
		if _, err := w.Write(m.Data[at:e.Start]); err != nil {
			return err
		}
		if _, err := w.Write(e.New); err != nil {
			return err
		}
		at = e.End
	}
	_, err := w.Write(m.Data[at:])
	return err
}

// moved returns edits of the content as edits of the message's bytes.
func (m *Message) moved(edits []mime.Edit) []mime.Edit {
	out := make([]mime.Edit, len(edits))
	for i, e := range edits {
		out[i] = mime.Edit{Span: mime.Span{Start: e.Start + m.Content.Start, End: e.End + m.Content.Start}, New: e.New}
	}
	return out
}

func (m *Message) defect(at int64, text string) {
	if len(m.Defects) < maxDefects {
		m.Defects = append(m.Defects, mime.Defect{Offset: at, Text: text})
	}
}

// close ends the content of m, whose bytes end with tail. One blank line after it
// belongs to the mailbox, unless it is the one that ends the header.
func (m *Message) close(tail []byte) {
	if m.counted {
		return
	}
	head := m.Content.End
	m.Content.End = m.size
	whole := m.Content.Len() < int64(len(tail))
	if whole {
		tail = tail[int64(len(tail))-m.Content.Len():]
	}
	n := int64(blankLine(tail, m.eol, whole))
	if head > m.Content.Start && head <= m.size-n {
		m.Content.End -= n
	}
}
