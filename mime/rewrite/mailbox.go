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
// are still edited. The messages are written one after the other, so that a pipe of any length
// takes little memory. At the end the written mailbox can be read again: it must hold the same
// messages with the same bytes.

// Fit adapts p, the plan of the content of m, so that m stays one message of its mailbox. It
// corrects a Content-Length that gives the end of m. m must have been read with
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

// Result returns the source with its edits made, for [Rewriter.Verify]. It is in memory if the
// source is in memory.
func (p *Plan) Result() (*document.Source, error) {
	out := *p.src
	if p.src.Data == nil {
		out.At, out.Size = p.Message.Edited(p.edits)
		return &out, nil
	}
	size := p.src.Size
	for _, e := range p.edits {
		size += int64(len(e.New)) - e.Len()
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	if err := p.Write(b); err != nil {
		return nil, err
	}
	out.Data = b.Bytes()
	out.Size = int64(b.Len())
	out.At = bytes.NewReader(out.Data)
	return &out, nil
}

// ErrMessages means that the output does not hold the messages of the input mailbox.
var ErrMessages = errors.New("the output does not hold the messages of the input")

// Mailbox writes the messages of a mailbox in their order. Its zero value is ready before the first
// message. It is not safe for concurrent use.
type Mailbox struct {
	written contents
}

// Add takes the next message, which must not be released yet, and the plan of its content, or nil.
// An error says why the message must stay unchanged: with the edits, a Content-Length would lead to
// another message than before. The message is then added without edits, and p has no edits any
// more.
func (b *Mailbox) Add(m *mbox.Message, p *Plan) error {
	err := m.Admit(p.list())
	if err != nil && len(p.list()) > 0 {
		p.drop()
		m.Admit(nil) // always possible
	}
	b.written.begin()
	b.written.message(m, p.list())
	return err
}

// Write writes a message that was added, with the edits of its plan.
func (b *Mailbox) Write(w io.Writer, m *mbox.Message, p *Plan) error {
	return m.Write(w, p.list())
}

// Writer returns a writer to w that records the written bytes for [Mailbox.Verify].
func (b *Mailbox) Writer(w io.Writer) io.Writer {
	b.written.begin()
	return io.MultiWriter(w, &b.written.sum)
}

// Verify reads r, the output that went through Writer, as a mailbox of variant v. It compares the
// output with the messages that were added. The error is [ErrMessages], or an error of reading.
func (b *Mailbox) Verify(r io.Reader, v mbox.Variant) error {
	var got contents
	if err := got.read(r, v); err != nil {
		return err
	}
	b.written.begin()
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

// contents summarises the messages of a mailbox: their number, their ends, and a hash of all bytes.
type contents struct {
	begun    bool
	messages int
	end      int64
	bounds   maphash.Hash
	sum      maphash.Hash
}

// begin makes the zero value ready.
func (c *contents) begin() {
	if !c.begun {
		c.begun = true
		c.bounds.SetSeed(seed)
		c.sum.SetSeed(seed)
	}
}

// message adds a message with its edits.
func (c *contents) message(m *mbox.Message, edits []mime.Edit) {
	c.messages++
	c.end += m.Size()
	for _, e := range edits {
		c.end += int64(len(e.New)) - e.Len()
	}
	maphash.WriteComparable(&c.bounds, c.end)
}

func (c *contents) equal(o *contents) bool {
	return c.messages == o.messages && c.end == o.end &&
		c.bounds.Sum64() == o.bounds.Sum64() && c.sum.Sum64() == o.sum.Sum64()
}

// held is the number of bytes of a message that are held in memory while a mailbox is read again.
const held = 4 << 20

// read adds the messages of a mailbox, up to its end.
func (c *contents) read(r io.Reader, v mbox.Variant) error {
	c.begin()
	messages := mbox.NewReader(r, mbox.Options{Variant: v, Hold: held})
	for m, err := range messages.All() {
		if err != nil {
			return err
		}
		c.message(m, nil)
		err = m.Write(&c.sum, nil)
		m.Release()
		if err != nil {
			return err
		}
	}
	return nil
}
