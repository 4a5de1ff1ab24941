package container

import (
	"bytes"
	"context"
	"io"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime/document"
	"absolink/mime/mbox"
)

// MaxHeldMessage is the size in bytes of the largest message that is held in memory. A larger
// message is read again from the mailbox, or from a temporary file if the mailbox comes from a
// pipe.
const MaxHeldMessage = 4 << 20

// Messages yields the messages of a mailbox. Text before the first message is a message with the
// number 0.
type Messages struct {
	in     *input.Document
	maker  Maker      // nil if each message is the item itself
	unit   *unit.Unit // the range that is read; nil for the whole mailbox
	begun  bool       // whether Next was called
	reader *mbox.Reader
}

// Maker makes the items of a mailbox from its messages. A command needs a Maker if it does more
// with a message than run its Worker.
type Maker interface {
	Item(m *Message) Item
}

// Messages returns the messages of in, a mailbox. content is the content of in. maker makes the
// item for each message; if maker is nil, the message itself is the item. The messages can be read
// only once.
func (rn *Runner) Messages(in *input.Document, content io.Reader, maker Maker) *Messages {
	o := mbox.Options{Variant: rn.Mbox, Hold: MaxHeldMessage, Lengths: rn.MessageLengths}
	u := in.Range()
	if u != nil {
		o.Start = u.Offset
		o.End = u.End()
		o.Number = u.Item
		o.Line = u.Line
	}
	return &Messages{in: in, maker: maker, unit: u, reader: mbox.NewReader(content, o)}
}

// Next returns the next item, or the error of [StaleUnit] if the first message does not begin where
// the unit says.
func (m *Messages) Next() (Item, error) {
	u := m.unit
	first := !m.begun
	m.begun = true
	if u != nil && u.Length == 0 {
		return nil, io.EOF
	}
	next, err := m.reader.Next()
	switch {
	case err == io.EOF && first && u != nil && u.Item > 1:
		return nil, StaleUnit(u)
	case err != nil:
		return nil, err
	case first && u != nil && u.Item > 0 && next.Offset != u.Offset:
		next.Release()
		return nil, StaleUnit(u)
	}
	item := &Message{Message: next, in: m.in}
	if m.maker != nil {
		return m.maker.Item(item), nil
	}
	return item, nil
}

// Message is an item of a mailbox. Its bytes are valid until Release.
type Message struct {
	*mbox.Message
	Doc   *input.Document // the content of the message; set by Open
	Entry *report.Entry   // set by Open
	in    *input.Document // the mailbox
}

// Report returns Entry.
func (m *Message) Report() *report.Entry { return m.Entry }

// Held returns the number of bytes of the message that are in memory.
func (m *Message) Held() int64 { return int64(len(m.Data)) }

// EndOffset returns the offset of the end of the message in the mailbox.
func (m *Message) EndOffset() int64 { return m.Offset + m.Size() }

// Work opens the message and runs w on it.
func (m *Message) Work(ctx context.Context, w Worker, out io.Writer) {
	m.Open()
	if m.Entry.Subject.Inner != "" {
		w.Work(ctx, m.Doc, out, m.Entry)
	}
}

// Open sets Entry and Doc. Work calls it.
func (m *Message) Open() {
	in := m.in
	content := m.Content
	number, line := m.Number, m.Line
	if !knowsNumbers(in) {
		number, line = 0, 0
	}
	m.Entry = newEntry(report.Subject{Source: in.Source, Item: number,
		Unit: itemUnit(in, m.Offset, m.Size(), number, line), Kind: input.Message.String(), Bytes: m.Size()})
	m.Entry.Problems.AddFound(m.damage(line)...)
	if m.Number > 0 {
		m.Entry.Subject.Inner = report.Message
	}
	m.Doc = &input.Document{
		File:     in.File,
		Content:  input.Content{Coding: in.Coding, Size: content.Len()},
		Decision: input.Decision{Kind: input.Message},
		Place: input.Place{Inner: true, Number: number, Line: line,
			Begins: m.Offset, Origin: m.Offset + content.Start},
	}
	if line > 0 && m.Separator.Len() > 0 {
		m.Doc.Place.Line++ // the document begins after the separator
	}
	if m.Data != nil {
		m.Doc.Hold(m.Data[content.Start:content.End])
	} else {
		m.Doc.At = io.NewSectionReader(m, content.Start, content.Len())
	}
}

// damage returns the defects of the message as problems, with their positions. line is the line in
// which the message begins.
func (m *Message) damage(line int64) []document.Problem {
	var list []document.Problem
	for _, d := range m.Defects {
		list = append(list, document.Problem{Kind: document.Defect, Offset: m.Offset + d.Offset, Detail: d.Text})
	}
	if len(list) == 1 && len(m.Data) > 0 && len(bytes.Trim(m.Data, "\r\n")) == 0 {
		list[0].Detail = "blank lines before the first separator"
		list[0].Minor = true
	}
	if m.in.Coding == coding.None {
		src := document.Source{At: m, Data: m.Data, Size: m.Size(), Origin: m.Offset, LinesBefore: line - 1}
		src.Place(list)
	}
	return list
}
