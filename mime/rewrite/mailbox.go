package rewrite

import (
	"bytes"
	"errors"
	"hash/maphash"
	"io"

	"absolink/mime"
	"absolink/mime/document"
	"absolink/mime/mbox"
)

// A mailbox is rewritten message by message. The edits of each message are planned and verified
// separately, on any goroutine. A message whose edits fail stays unchanged, and the other messages
// are still edited. The messages are written one after the other, so that a mailbox of any length
// takes little memory. Finally [Mailbox.Verify] can read the output again, and checks that it holds
// the written messages with the written bytes.

// Fit adapts p, the plan of the content of m, so that m stays one message of its mailbox. If a
// Content-Length gives the end of m, Fit corrects it. m must have been read with
// mbox.Options.Lengths. After an error p has no edits, and m must stay unchanged.
func (p *Plan) Fit(m *mbox.Message) error {
	if len(p.edits) == 0 {
		return nil
	}
	p.edits = m.Measured(p.edits)
	if err := m.Verify(p.edits); err != nil {
		p.drop()
		return err
	}
	return nil
}

// Output returns the edited source, for [Rewriter.Verify]. The output is in memory if the source is
// in memory. An error comes from reading the source.
func (p *Plan) Output() (*document.Source, error) {
	out := *p.src
	if p.src.Data == nil {
		out.At, out.Size = p.Message.Edited(p.edits)
		return &out, nil
	}
	b := bytes.NewBuffer(make([]byte, 0, p.src.Size+growth(p.edits)))
	if err := p.Write(b); err != nil {
		return nil, err
	}
	out.Data = b.Bytes()
	out.Size = int64(b.Len())
	out.At = bytes.NewReader(out.Data)
	return &out, nil
}

// growth returns the number of bytes that edits add, or a negative number if they remove more.
func growth(edits []mime.Edit) (n int64) {
	for _, e := range edits {
		n += int64(len(e.New)) - e.Len()
	}
	return n
}

// ErrMessages means that the output does not hold the messages of the input mailbox.
var ErrMessages = errors.New("the output does not hold the messages of the input")

// Mailbox writes the messages of a mailbox in their order. Its zero value is ready before the first
// message. It is not safe for concurrent use.
type Mailbox struct {
	written contents
}

// Add adds m, the next message, with the edits of p. p is the plan of the content of m, or nil. m
// must not be released yet. An error means that a Content-Length would end the edited message
// elsewhere. Then m is added without edits, and p has no edits any more.
func (b *Mailbox) Add(m *mbox.Message, p *Plan) error {
	err := m.Admit(p.list())
	if err != nil && len(p.list()) > 0 {
		p.drop()
		m.Admit(nil) // always possible
	}
	b.written.setSeeds()
	b.written.addMessage(m, p.list())
	return err
}

// Write writes a message that was added, with the edits of its plan.
func (b *Mailbox) Write(w io.Writer, m *mbox.Message, p *Plan) error {
	return m.Write(w, p.list())
}

// Writer returns a writer that writes to w, and hashes the bytes for [Mailbox.Verify].
func (b *Mailbox) Writer(w io.Writer) io.Writer {
	return io.MultiWriter(w, &b.written.sum)
}

// Verify reads r, the bytes that were written through Writer, as a mailbox of variant v. It
// compares these bytes with the messages that were added. The error is [ErrMessages], or an error
// of reading.
func (b *Mailbox) Verify(r io.Reader, v mbox.Variant) error {
	var got contents
	if err := got.readAll(r, v); err != nil {
		return err
	}
	b.written.setSeeds()
	if !got.equal(&b.written) {
		return ErrMessages
	}
	return nil
}

// list returns the edits of a message, or nil if p is nil.
func (p *Plan) list() []mime.Edit {
	if p == nil {
		return nil
	}
	return p.edits
}

// contents summarises the messages of a mailbox.
type contents struct {
	ready bool         // the hashes have their seed
	end   int64        // end of the last message
	ends  maphash.Hash // hash of the ends of all messages
	sum   maphash.Hash // hash of all bytes
}

// setSeeds sets the seeds of the hashes once.
func (c *contents) setSeeds() {
	if !c.ready {
		c.ready = true
		c.ends.SetSeed(seed)
		c.sum.SetSeed(seed)
	}
}

// addMessage adds a message with its edits, but not its bytes.
func (c *contents) addMessage(m *mbox.Message, edits []mime.Edit) {
	c.end += m.Size() + growth(edits)
	maphash.WriteComparable(&c.ends, c.end)
}

// equal reports whether c and o have the same messages and the same bytes.
func (c *contents) equal(o *contents) bool {
	return c.ends.Sum64() == o.ends.Sum64() && c.sum.Sum64() == o.sum.Sum64()
}

// heldBytes is the largest number of bytes of a message that are in memory while Verify reads.
const heldBytes = 4 << 20

// readAll adds all messages of a mailbox, with their bytes.
func (c *contents) readAll(r io.Reader, v mbox.Variant) error {
	c.setSeeds()
	messages := mbox.NewReader(r, mbox.Options{Variant: v, Hold: heldBytes})
	for m, err := range messages.All() {
		if err != nil {
			return err
		}
		c.addMessage(m, nil)
		err = m.Write(&c.sum, nil)
		m.Release()
		if err != nil {
			return err
		}
	}
	return nil
}
