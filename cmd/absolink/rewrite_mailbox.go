package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"os"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/temporary"
	"absolink/mime"
	"absolink/mime/mbox"
)

// A mailbox is rewritten message by message. The edits of each are planned and
// verified on their own, on any goroutine: a message for which that fails is
// copied as it is and reported, and the others go on. They are written one after
// the other, so that a pipe of any length takes little memory. In place nothing
// is written before the first message with an edit has come.
//
// A file that is verified is read again in the end, and must hold the same messages
// with the same bytes.

// mailbox rewrites a mailbox in the way that the flags say. entry is that in the journal,
// nil if there is none.
func (x *rewriting) mailbox(ctx context.Context, in *input.Document, entry *journal.Entry, out io.Writer, e *report.Entry) {
	e.Outcome = report.Unchanged
	b := &rewrittenMailbox{x: x, in: in, entry: entry, e: e, out: out, written: newContents()}
	var err error
	switch {
	case x.shows():
		err = b.each(ctx, b.show)
	case x.inPlace:
		err = b.replace(ctx)
	case x.tree != nil:
		err = b.toTree(ctx)
	default:
		err = b.toStdout(ctx)
	}
	if err != nil {
		settle(e, err)
		e.Void = x.inPlace || x.tree != nil || in.Coding != coding.None
		return
	}
	noteChange(in, e)
}

// rewrittenMailbox is a mailbox that is being rewritten.
type rewrittenMailbox struct {
	x       *rewriting
	in      *input.Document
	e       *report.Entry
	out     io.Writer // standard output
	w       *bufio.Writer
	written *contents // what w has got
	lengths mbox.Lengths

	entry    *journal.Entry // in place, with a journal; nil else
	exchange *exchange      // in place; nil else
}

// each plans the messages and takes them to done in their order.
func (b *rewrittenMailbox) each(ctx context.Context, done itemDone) error {
	return b.x.r.messages(ctx, b.in, b.out, b.e, b.x.planItem, func(m *item) error {
		if err := b.measure(m); err != nil {
			return err
		}
		if len(m.edits) > 0 {
			b.e.Outcome = report.Rewritten
		}
		return done(m)
	})
}

// measure leaves a message as it is where an edit would have a Content-Length lead to
// another message than before.
func (b *rewrittenMailbox) measure(m *item) error {
	err := b.lengths.Add(m.msg, m.edits)
	if err == nil || len(m.edits) == 0 {
		return err
	}
	m.edits, m.shown = nil, nil
	settle(m.entry, staysAsWritten(err))
	return b.lengths.Add(m.msg, nil)
}

func staysAsWritten(err error) *output.Refusal {
	return &output.Refusal{Reason: fmt.Sprintf("verify: %v; it stays as written", err)}
}

// planItem plans the edits of a message.
func (x *rewriting) planItem(ctx context.Context, w *worker, m *item, _ io.Writer) {
	e := m.entry
	if e.Outcome = report.Copied; e.Inner == "" {
		return
	}
	p, err := x.plan(ctx, w, m.doc, e)
	if err == nil && len(p.edits) > 0 {
		p.edits = m.msg.Measured(p.edits)
		err = x.prove(ctx, w, m, p)
	}
	if err != nil {
		settle(e, err)
		return
	}
	m.edits, m.shown = p.edits, p.shown
	e.Outcome = p.outcome(e)
}

// prove verifies the edits of a message: it stays one message of the mailbox, and,
// where the output is verified, the links are what they should be.
func (x *rewriting) prove(ctx context.Context, w *worker, m *item, p *plan) error {
	if err := m.msg.Verify(p.edits); err != nil {
		return staysAsWritten(err)
	}
	if !x.verifies(m.doc) {
		return nil
	}
	again := &input.Document{File: m.doc.File, Kind: m.doc.Kind, Inner: true, Item: m.doc.Item}
	if m.doc.Data == nil {
		f, n, err := spooled(m.doc, p.edits)
		if err != nil {
			return err
		}
		defer f.Close()
		again.At, again.Size = f, n
	} else {
		var text bytes.Buffer
		if err := mime.Write(&text, m.doc.At, m.doc.Size, p.edits); err != nil {
			return err
		}
		again.Hold(text.Bytes())
	}
	return x.compare(ctx, w, again, p)
}

// spooled writes a document with edits to a temporary file that has no name.
func spooled(d *input.Document, edits []mime.Edit) (f *os.File, size int64, err error) {
	if f, err = temporary.Nameless(); err != nil {
		return nil, 0, err
	}
	if err = mime.Write(f, d.At, d.Size, edits); err == nil {
		size, err = f.Seek(0, io.SeekCurrent)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, size, nil
}

// show prints what would be edited.
func (b *rewrittenMailbox) show(m *item) error {
	_, err := b.out.Write(m.shown)
	return err
}

// toStdout writes to standard output: each message as soon as it is verified by
// itself, or all by way of a temporary file where a coding is put on again.
func (b *rewrittenMailbox) toStdout(ctx context.Context) error {
	if b.in.Coding == coding.None {
		return b.write(ctx, b.out, nil)
	}
	f, err := temporary.Nameless()
	if err != nil {
		return err
	}
	defer f.Close()
	err = b.write(ctx, f, f)
	if b.keepsStored(err) {
		return errors.Join(err, copyAll(ctx, b.out, b.in))
	}
	if err == nil {
		_, err = io.Copy(&stopping{ctx, b.out}, io.NewSectionReader(f, 0, 1<<62))
	}
	return err
}

// keepsStored reports whether the output is what is stored, byte for byte: no edit
// was made under a coding, or the content could not be read or verified as a whole.
func (b *rewrittenMailbox) keepsStored(err error) bool {
	var refusal *output.Refusal
	var coded *coding.Error
	switch {
	case b.in.Stored == nil:
		return false
	case err == nil:
		return b.e.Outcome == report.Unchanged && b.in.Coding != coding.None
	}
	return errors.As(err, &refusal) || errors.As(err, &coded)
}

// toTree writes the counterpart of the mailbox below -o.
func (b *rewrittenMailbox) toTree(ctx context.Context) error {
	path, err := b.x.place(b.in.Rel, b.in, b.e)
	if err != nil {
		return err
	}
	err = output.Create(path, b.in.Info, func(f *os.File) error {
		again := f
		if !b.x.verifies(b.in) {
			again = nil
		}
		return b.write(ctx, f, again)
	})
	if b.keepsStored(err) {
		err = errors.Join(err, output.Create(path, b.in.Info, func(f *os.File) error { return copyFile(ctx, f, b.in) }))
	}
	return err
}

// replace writes the mailbox in the place of the old one, if there is an edit.
func (b *rewrittenMailbox) replace(ctx context.Context) error {
	var failed error
	next, stop := iter.Pull(func(yield func(*item) bool) {
		failed = b.each(ctx, func(m *item) error {
			if !yield(m) {
				return errStopped
			}
			return nil
		})
	})
	defer stop()
	for {
		m, ok := next()
		if !ok {
			return failed
		}
		if len(m.edits) == 0 {
			b.written.message(m.msg, nil)
			continue
		}
		return b.x.exchange(b.in, b.entry, "", func(f *os.File, c *exchange) error {
			b.exchange = c
			return b.fill(ctx, f, f, func() error {
				if err := b.begin(ctx, m.msg.Offset); err != nil {
					return err
				}
				for ok {
					if err := b.message(m); err != nil {
						return err
					}
					m, ok = next()
				}
				return failed
			})
		})
	}
}

// errStopped ends a mailbox whose output has failed, which is what is reported.
var errStopped = errors.New("stopped")

// begin copies the content before an offset.
func (b *rewrittenMailbox) begin(ctx context.Context, offset int64) error {
	content, err := b.in.Mailbox(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = io.CopyN(b.w, content, offset)
	return err
}

// write writes all messages to w. What was written to again is read back.
func (b *rewrittenMailbox) write(ctx context.Context, w io.Writer, again *os.File) error {
	return b.fill(ctx, w, again, func() error { return b.each(ctx, b.message) })
}

// message writes one message.
func (b *rewrittenMailbox) message(m *item) error {
	b.written.message(m.msg, m.edits)
	if err := b.exchange.edits(m.doc.Origin, m.edits); err != nil {
		return err
	}
	return m.msg.Write(b.w, m.edits)
}

// fill has f write to w in the coding of the mailbox, and reads back from again.
func (b *rewrittenMailbox) fill(ctx context.Context, w io.Writer, again *os.File, f func() error) error {
	coded, err := b.in.Coding.Writer(&stopping{ctx, w})
	if err != nil {
		return err
	}
	b.w = bufio.NewWriterSize(coded, 64<<10)
	if again != nil {
		b.w.Reset(io.MultiWriter(coded, &b.written.sum))
	}
	if err := f(); err != nil {
		return err
	}
	if err := errors.Join(b.w.Flush(), coded.Close()); err != nil || again == nil {
		return err
	}
	return b.check(ctx, again)
}

// check reads what was written again and compares the messages.
func (b *rewrittenMailbox) check(ctx context.Context, f *os.File) error {
	again, err := b.in.Again(ctx, f)
	if err != nil {
		return err
	}
	defer again.Close()
	content, err := again.Mailbox(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	got, err := readContents(content, b.x.mbox)
	if err != nil {
		return err
	}
	if !got.equal(b.written) {
		return &output.Refusal{Reason: "verify: the output does not hold the messages of the input; it stays as written"}
	}
	return nil
}

// contents stand for the messages of a mailbox: how many there are, where they
// begin, and all bytes.
type contents struct {
	messages int
	end      int64
	bounds   maphash.Hash
	sum      maphash.Hash
}

// message adds a message with the edits that are made in it.
func (c *contents) message(m *mbox.Message, edits []mime.Edit) {
	size := m.Size()
	for _, e := range edits {
		size += int64(len(e.New)) - e.Len()
	}
	c.add(size)
}

func (c *contents) add(size int64) {
	c.messages++
	c.end += size
	maphash.WriteComparable(&c.bounds, c.end)
}

func (c *contents) equal(o *contents) bool {
	return c.messages == o.messages && c.end == o.end && c.bounds.Sum64() == o.bounds.Sum64() && c.sum.Sum64() == o.sum.Sum64()
}

func newContents() *contents {
	c := new(contents)
	c.bounds.SetSeed(seed)
	c.sum.SetSeed(seed)
	return c
}

// readContents reads a mailbox to its end.
func readContents(r io.Reader, v mbox.Variant) (*contents, error) {
	c := newContents()
	messages := mbox.NewReader(r, mbox.Options{Variant: v, Hold: heldMessage})
	for {
		m, err := messages.Next()
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return nil, err
		}
		c.message(m, nil)
		err = m.Write(&c.sum, nil)
		m.Release()
		if err != nil {
			return nil, err
		}
	}
}
