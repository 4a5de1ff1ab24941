package write

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"os"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/rewrite"
)

// A mailbox is rewritten message by message, see [rewrite.Mailbox]: planned on any
// goroutine, and written one after the other. In place nothing is written before the first
// message with an edit has come. A file that is verified is read again in the end.

// mailbox rewrites a mailbox in the way that the options say, in place under its locks. One
// that has to wait for its turn is not locked before: others could not deliver to it for no
// reason.
func (c *Command) mailbox(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	b := &rewrittenMailbox{c: c, in: in, e: e, out: out}
	if c.inPlace != nil {
		if in.Info != nil && !container.IsSmall(in) {
			batch.Turn(out)
		}
		l, err := c.inPlace.Lock(ctx, in)
		if err != nil {
			e.Unwritten(err)
			return
		}
		defer l.Close()
		b.in, b.locked = l.Document, l
	}
	b.rewrite(ctx)
}

// rewrite rewrites the mailbox.
func (b *rewrittenMailbox) rewrite(ctx context.Context) {
	c, in, e := b.c, b.in, b.e
	e.Result.Set(report.Unchanged)
	var err error
	switch {
	case c.o.Show.On():
		err = b.each(ctx, b.show)
	case b.locked != nil:
		err = b.replace(ctx)
	case c.copies != nil:
		err = b.toTree(ctx)
	default:
		err = b.toStdout(ctx)
	}
	if err != nil {
		e.Unwritten(err)
		if c.o.To.InPlace || c.copies != nil || in.Coding != coding.None {
			e.Items.Undo()
		}
		return
	}
	e.Problems.NoteChange(in)
}

// rewrittenMailbox is a mailbox that is being rewritten.
type rewrittenMailbox struct {
	c       *Command
	in      *input.Document
	e       *report.Entry
	out     io.Writer // standard output
	w       *bufio.Writer
	written rewrite.Mailbox // what w gets

	locked   *inplace.Locked   // in place; nil else
	exchange *inplace.Exchange // in place; nil else

	old *oldFinder // nil unless old addresses are looked for
}

// each plans the messages and has take take them in their order.
func (b *rewrittenMailbox) each(ctx context.Context, take func(*editedMessage) error) error {
	content, err := b.in.Stream(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	return b.c.run.Containers.Each(ctx, b.in, b.c.run.Containers.Messages(b.in, content, b),
		b.out, b.e, func(m container.Item) error {
			return b.add(m.(*editedMessage), take)
		})
}

// Item returns m as a message that is rewritten.
func (b *rewrittenMailbox) Item(m *container.Message) container.Item {
	return &editedMessage{Message: m}
}

// add adds the next message to those that are written, and has take write it.
func (b *rewrittenMailbox) add(m *editedMessage, take func(*editedMessage) error) error {
	if err := b.written.Add(m.Message.Message, m.edits()); err != nil {
		m.plan = nil
		m.Entry.Unwritten(staysAsWritten(err))
	}
	if m.edited() {
		b.e.Result.Set(report.Rewritten)
	}
	if err := b.findOld(m); err != nil {
		return err
	}
	return take(m)
}

// editedMessage is one message of a mailbox that is being rewritten.
type editedMessage struct {
	*container.Message
	plan *plan // of its content; nil if it stays as it is
}

// Work plans the edits of the message.
func (m *editedMessage) Work(ctx context.Context, by container.Worker, _ io.Writer) {
	m.Open()
	w, e := by.(*worker), m.Entry
	e.Result.Set(report.Copied)
	if e.Subject.Inner == "" {
		return
	}
	p, err := w.plan(ctx, m.Doc, e)
	if err == nil && p.Edited() {
		err = w.prove(ctx, m, p, e)
	}
	if err != nil {
		e.Unwritten(err)
		return
	}
	m.plan = p
	e.Result.Set(p.outcome(e))
}

// edits returns the plan that the message is written by; nil if it stays as it is.
func (m *editedMessage) edits() *rewrite.Plan {
	if m.plan == nil {
		return nil
	}
	return &m.plan.Plan
}

func (m *editedMessage) edited() bool { return m.plan != nil && m.plan.Edited() }

// prove verifies the edits of a message: it stays one message of the mailbox, and,
// where the output is verified, the links are what they should be.
func (w *worker) prove(ctx context.Context, m *editedMessage, p *plan, e *report.Entry) error {
	fits := func(p *plan) bool { return p.Fit(m.Message.Message) == nil }
	err := p.Fit(m.Message.Message)
	if err == nil && w.c.verifies(m.Doc) {
		out, failed := p.Result()
		if failed != nil {
			return failed
		}
		if err = w.compare(ctx, out, p); err != nil && !misread(err) {
			return err
		}
	}
	if err == nil || w.mend(ctx, m.Doc, p, e, fits) {
		return nil
	}
	return staysAsWritten(err)
}

// show prints what would be edited.
func (b *rewrittenMailbox) show(m *editedMessage) error {
	if m.plan == nil {
		return nil
	}
	_, err := b.out.Write(m.plan.shown)
	return err
}

// toStdout writes to standard output: each message as soon as it is verified by
// itself, or all by way of a temporary file where a coding is put on again.
func (b *rewrittenMailbox) toStdout(ctx context.Context) error {
	if b.in.Coding == coding.None {
		return b.write(ctx, b.out, nil)
	}
	f, err := files.Nameless()
	if err != nil {
		return err
	}
	defer f.Close()
	err = b.write(ctx, f, f)
	if b.keepsStored(err) {
		return errors.Join(err, copyAll(ctx, b.out, b.in))
	}
	if err == nil {
		_, err = io.Copy(files.Interruptible(ctx, b.out), io.NewSectionReader(f, 0, 1<<62))
	}
	return err
}

// keepsStored reports whether the output is what is stored, byte for byte: no edit
// was made under a coding, or the content could not be read or verified as a whole.
func (b *rewrittenMailbox) keepsStored(err error) bool {
	var refusal *files.Refusal
	var coded *coding.Error
	switch {
	case b.in.Stored == nil:
		return false
	case err == nil:
		return b.e.Result.Outcome() == report.Unchanged && b.in.Coding != coding.None
	}
	return errors.As(err, &refusal) || errors.As(err, &coded)
}

// toTree writes the counterpart of the mailbox below -o.
func (b *rewrittenMailbox) toTree(ctx context.Context) error {
	path, err := b.c.copies.Place(b.in.Rel, b.in, b.e)
	if err != nil {
		return err
	}
	err = b.c.copies.Create(path, b.in, func(f *os.File) error {
		again := f
		if !b.c.verifies(b.in) {
			again = nil
		}
		return b.write(ctx, f, again)
	})
	if b.keepsStored(err) {
		err = errors.Join(err, b.c.copies.Create(path, b.in, func(f *os.File) error { return copyFile(ctx, f, b.in) }))
	}
	return err
}

// replace writes the mailbox in the place of the old one, if there is an edit.
func (b *rewrittenMailbox) replace(ctx context.Context) error {
	var failed error
	next, stop := iter.Pull(func(yield func(*editedMessage) bool) {
		failed = b.each(ctx, func(m *editedMessage) error {
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
		if !m.edited() {
			continue
		}
		return b.locked.Replace(func(f *os.File, x *inplace.Exchange) error {
			b.exchange = x
			return b.fill(ctx, f, f, func() error {
				if err := b.begin(ctx, m.Offset); err != nil {
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
	content, err := b.in.Stream(ctx)
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
func (b *rewrittenMailbox) message(m *editedMessage) error {
	if m.edited() {
		if err := b.exchange.Note(m.Doc.Place.Origin, m.plan.Edits()); err != nil {
			return err
		}
	}
	return b.written.Write(b.w, m.Message.Message, m.edits())
}

// fill has f write to w in the coding of the mailbox, and reads back from again.
func (b *rewrittenMailbox) fill(ctx context.Context, w io.Writer, again *os.File, f func() error) error {
	coded, err := b.in.Coding.Writer(files.Interruptible(ctx, w))
	if err != nil {
		return err
	}
	b.w = bufio.NewWriterSize(coded, 64<<10)
	if again != nil {
		b.w.Reset(b.written.Writer(coded))
	}
	if err := f(); err != nil {
		return err
	}
	if err := errors.Join(b.w.Flush(), coded.Close()); err != nil {
		return err
	}
	if err := copyTail(ctx, w, b.in); err != nil || again == nil {
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
	content, err := again.Stream(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	err = b.written.Verify(content, b.c.o.Run.Mail.Mbox)
	if errors.Is(err, rewrite.ErrMessages) {
		return staysAsWritten(err)
	}
	return err
}

// findOld notes which old addresses are in m. Their lines are counted in the whole mailbox.
func (b *rewrittenMailbox) findOld(m *editedMessage) error {
	if b.c.old == nil {
		return nil
	}
	if b.old == nil {
		b.old = b.c.newOldFinder(1)
	}
	e := m.Entry
	if e.Subject.Inner == "" {
		e = b.e
	}
	err := b.old.begin(e, m.plan, m.Content.Start)
	if err == nil {
		err = b.written.Write(b.old, m.Message.Message, m.edits())
	}
	b.old.Flush()
	return err
}
