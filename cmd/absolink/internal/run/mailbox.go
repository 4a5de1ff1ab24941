package run

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

// HeldMessage is the size from which a message of a mailbox is read from it again, or
// from a temporary file if that is a pipe.
const HeldMessage = 4 << 20

// Messages are the messages of a mailbox. What stands before the first one and is none
// passes as one without a number.
type Messages struct {
	in     *input.Document
	maker  Maker      // nil = a message is an item itself
	unit   *unit.Unit // of the messages that are read, nil for all
	begun  bool       // Next was called
	reader *mbox.Reader
}

// Maker makes items of messages for a command that does more with them than its Worker.
type Maker interface {
	Item(m *Message) Item
}

// Messages returns those of the mailbox in, whose content is given, as maker makes items of them;
// nil = each is an item itself. They can be read once.
func (r *Run) Messages(in *input.Document, content io.Reader, maker Maker) *Messages {
	o := mbox.Options{Variant: r.o.Mbox, Hold: HeldMessage, Lengths: r.o.Lengths}
	u := in.Range()
	if u != nil {
		o.Start = u.Offset
		o.End = u.End()
		o.Number = u.Item
		o.Line = u.Line
	}
	return &Messages{in: in, maker: maker, unit: u, reader: mbox.NewReader(content, o)}
}

// Next returns the next message.
func (r *Messages) Next() (Item, error) {
	u, first := r.unit, !r.begun
	r.begun = true
	if u != nil && u.Length == 0 {
		return nil, io.EOF
	}
	m, err := r.reader.Next()
	switch {
	case err == io.EOF && first && u != nil && u.Item > 1:
		return nil, errStale(u)
	case err != nil:
		return nil, err
	case first && u != nil && u.Item > 0 && m.Offset != u.Offset:
		m.Release()
		return nil, errStale(u)
	}
	item := &Message{Message: m, in: r.in}
	if r.maker != nil {
		return r.maker.Item(item), nil
	}
	return item, nil
}

// Message is an item of a mailbox. It holds what was read until it is released.
type Message struct {
	*mbox.Message
	Doc   *input.Document // its content, once it is open
	Entry *report.Entry   // its account, once it is open
	in    *input.Document // the mailbox
}

// Account returns Entry.
func (m *Message) Account() *report.Entry { return m.Entry }

// Held returns the bytes of the message in memory.
func (m *Message) Held() int64 { return int64(len(m.Data)) }

// Until returns where the message ends in the mailbox.
func (m *Message) Until() int64 { return m.Offset + m.Size() }

// Work opens the message and has w do the work on it.
func (m *Message) Work(ctx context.Context, w Worker, out io.Writer) {
	m.Open()
	if m.Entry.Subject.Inner != "" {
		w.Work(ctx, m.Doc, out, m.Entry)
	}
}

// Open makes the account of the message and the document that it is.
func (m *Message) Open() {
	in, content, number, line := m.in, m.Content, m.Number, m.Line
	if !counts(in) {
		number, line = 0, 0
	}
	m.Entry = newEntry(report.Subject{Source: in.Source, Item: number,
		Unit: unitOf(in, m.Offset, m.Size(), number, line), Kind: input.Message.String(), Bytes: m.Size()})
	m.Entry.Problems.Found(m.damage(line)...)
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
		m.Doc.Place.Line++ // behind the separator
	}
	if m.Data != nil {
		m.Doc.Hold(m.Data[content.Start:content.End])
	} else {
		m.Doc.At = io.NewSectionReader(m, content.Start, content.Len())
	}
}

// damage returns what is wrong with the message, which begins in line.
func (m *Message) damage(line int64) []document.Problem {
	var list []document.Problem
	for _, d := range m.Defects {
		list = append(list, document.Problem{Kind: document.Defect, Offset: m.Offset + d.Offset, Detail: d.Text})
	}
	if m.Number == 0 && len(list) == 1 && len(m.Data) > 0 && len(bytes.Trim(m.Data, "\r\n")) == 0 {
		list[0].Detail, list[0].Minor = "blank lines before the first separator", true
	}
	if m.in.Coding == coding.None {
		src := document.Source{At: m, Data: m.Data, Size: m.Size(), Origin: m.Offset, LinesBefore: line - 1}
		src.Place(list)
	}
	return list
}
