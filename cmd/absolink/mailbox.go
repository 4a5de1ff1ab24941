package main

import (
	"bytes"
	"context"
	"io"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/mbox"
)

// heldMessage is the size from which a message of a mailbox is read from it again, or
// from a temporary file if that is a pipe.
const heldMessage = 4 << 20

// messages takes the messages of the mailbox in through work and done, and
// accounts for them. The error is that of reading, of done, or of ctx.
func (r *runner) messages(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry, work itemWork, done itemDone) error {
	content, err := in.Mailbox(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	return r.each(ctx, in, out, e, r.nextMessage(in, content), work, done)
}

// readMailbox takes the messages of a mailbox that is only read through f.
func (r *runner) readMailbox(ctx context.Context, in *input.Document, out io.Writer, f work, e *report.Entry) {
	content, err := in.Mailbox(ctx)
	if err != nil {
		e.Fail(report.Failed, err)
		return
	}
	defer content.Close()
	r.readItems(ctx, in, out, f, e, r.nextMessage(in, content))
	noteChange(in, e)
}

// noteChange tells in e that in was written to while it was read: what was read may be
// partly what it was before.
func noteChange(in *input.Document, e *report.Entry) {
	if in.Changed() {
		e.Add(document.Problem{Offset: -1, Text: "was changed by another program while it was read"})
	}
}

// nextMessage returns what reads the messages of a mailbox. What stands before the
// first one and is none passes as one without a number.
func (r *runner) nextMessage(in *input.Document, content io.Reader) func() (*item, error) {
	o := mbox.Options{Variant: r.o.mbox, Hold: heldMessage, Lengths: !r.o.listing}
	u, begun := section(in), false
	if u != nil {
		o.Start, o.End, o.Number, o.Line = u.Offset, u.End(), u.Item, u.Line
	}
	messages := mbox.NewReader(content, o)
	open := func(_ *worker, m *item) { openMessage(in, m) }
	return func() (*item, error) {
		if u != nil && u.Length == 0 {
			return nil, io.EOF
		}
		msg, err := messages.Next()
		if err != nil {
			return nil, err
		}
		if u != nil && !begun && u.Item > 0 && msg.Offset != u.Offset {
			return nil, errStale(u)
		}
		begun = true
		return &item{holder: msg, held: int64(len(msg.Data)), end: msg.Offset + msg.Size(), msg: msg, open: open}, nil
	}
}

// openMessage makes the account of a message and the document that it is.
func openMessage(in *input.Document, m *item) {
	msg := m.msg
	content, number, line := msg.Content, msg.Number, msg.Line
	if !counts(in) {
		number, line = 0, 0
	}
	e := &report.Entry{Source: in.Source, Item: number, Unit: unitOf(in, msg.Offset, msg.Size(), number, line), Kind: input.Message.String(), Bytes: msg.Size()}
	var damage []document.Problem
	for _, d := range msg.Defects {
		damage = append(damage, document.Problem{Offset: msg.Offset + d.Offset, Text: d.Text})
	}
	if msg.Number == 0 && len(damage) == 1 && len(msg.Data) > 0 && len(bytes.Trim(msg.Data, "\r\n")) == 0 {
		damage[0].Text, damage[0].Minor = "blank lines before the first separator", true
	}
	if in.Coding == coding.None {
		document.Place(damage, msg, msg.Data, msg.Offset, msg.Size(), line)
	}
	e.Add(damage...)
	if m.entry = e; msg.Number > 0 {
		e.Inner = report.Message
	}
	m.doc = &input.Document{File: in.File, Kind: input.Message, Coding: in.Coding, Size: content.Len(),
		Inner: true, Item: number, Origin: msg.Offset + content.Start}
	if m.doc.Line = line; line > 0 && msg.Separator.Len() > 0 {
		m.doc.Line++ // behind the separator
	}
	if msg.Data != nil {
		m.doc.Hold(msg.Data[content.Start:content.End])
	} else {
		m.doc.At = io.NewSectionReader(msg, content.Start, content.Len())
	}
}
