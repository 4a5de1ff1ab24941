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

// A mailbox is rewritten message by message (see [rewrite.Mailbox]). Messages are planned on any
// goroutine and written in order. In place, nothing is written until the first message with an
// edit. If the output is verified, the whole file is read again at the end.

// mailbox rewrites a mailbox as the options say; in place it holds the locks of the mailbox. A
// large mailbox waits for its turn before it is locked, because a lock keeps other programs from
// delivering mail.
func (c *Command) mailbox(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	b := &rewrittenMailbox{c: c, in: in, e: e, out: out}
	if c.inPlace != nil {
		if in.Info != nil && !container.IsSmall(in) {
			batch.AwaitTurn(out)
		}
		l, err := c.inPlace.Lock(ctx, in)
		if err != nil {
			e.FailWrite(err)
			return
		}
		defer l.Close()
		b.in, b.locked = l.Document, l
	}
	b.rewrite(ctx)
}

// rewrite rewrites the mailbox to its destination and records the outcome.
func (b *rewrittenMailbox) rewrite(ctx context.Context) {
	c, in, e := b.c, b.in, b.e
	e.Result.SetOutcome(report.Unchanged)
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
		e.FailWrite(err)
		if c.o.To.InPlace || c.copies != nil || in.Coding != coding.None {
			e.Items.MarkUndone()
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
	written rewrite.Mailbox // checks and counts the messages that go to w

	locked   *inplace.Locked   // in place: the locked mailbox, else nil
	exchange *inplace.Exchange // in place: the replacement under way, else nil

	old *oldFinder // nil unless old addresses are looked for
}

// each plans the messages and calls take for each, in order.
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

// Item returns m as an item that can be rewritten.
func (b *rewrittenMailbox) Item(m *container.Message) container.Item {
	return &editedMessage{Message: m}
}

// add adds the next message to the output and calls take, which writes it.
func (b *rewrittenMailbox) add(m *editedMessage, take func(*editedMessage) error) error {
	if err := b.written.Add(m.Message.Message, m.edits()); err != nil {
		m.plan = nil
		m.Entry.FailWrite(staysAsWritten(err))
	}
	if m.edited() {
		b.e.Result.SetOutcome(report.Rewritten)
	}
	if err := b.findOld(m); err != nil {
		return err
	}
	return take(m)
}

// editedMessage is a message of a mailbox that is being rewritten.
type editedMessage struct {
	*container.Message
	plan *plan // edits of the content, or nil if it stays as it is
}

// Work plans the edits of the message.
func (m *editedMessage) Work(ctx context.Context, by container.Worker, _ io.Writer) {
	m.Open()
	w, e := by.(*worker), m.Entry
	e.Result.SetOutcome(report.Copied)
	if e.Subject.Inner == "" {
		return
	}
	p, err := w.plan(ctx, m.Doc, e)
	if err == nil && p.Edited() {
		err = w.prove(ctx, m, p, e)
	}
	if err != nil {
		e.FailWrite(err)
		return
	}
	m.plan = p
	e.Result.SetOutcome(p.outcome(e))
}

// edits returns the plan to write the message with, or nil if it stays as it is.
func (m *editedMessage) edits() *rewrite.Plan {
	if m.plan == nil {
		return nil
	}
	return m.plan.Plan
}

func (m *editedMessage) edited() bool { return m.plan != nil && m.plan.Edited() }

// prove verifies the edits of a message. It must remain one message of the mailbox. If the output
// is verified, its links must be the planned ones, too.
func (w *worker) prove(ctx context.Context, m *editedMessage, p *plan, e *report.Entry) error {
	fits := func(p *rewrite.Plan) bool { return p.Fit(m.Message.Message) == nil }
	err := p.Fit(m.Message.Message)
	if err == nil && w.c.verifies(m.Doc) {
		out, failed := p.Output()
		if failed != nil {
			return failed
		}
		if err = w.compare(ctx, out, p.Plan); err != nil && !misread(err) {
			return err
		}
	}
	if err == nil || w.mend(ctx, m.Doc, p, e, fits) {
		return nil
	}
	return staysAsWritten(err)
}

// show prints the planned edits.
func (b *rewrittenMailbox) show(m *editedMessage) error {
	if m.plan == nil {
		return nil
	}
	_, err := b.out.Write(m.plan.shown)
	return err
}

// toStdout writes the mailbox to standard output. Each message is written as soon as it is
// verified. If the output must be encoded again, it first goes to a temporary file as a whole.
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

// keepsStored reports whether the output is a copy of the stored bytes. It is if content in a
// coding has no edits, or if the content could not be read or verified as a whole. err is the error
// of the rewriting.
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

// toTree writes the output below the directory of -o.
func (b *rewrittenMailbox) toTree(ctx context.Context) error {
	path, err := b.c.copies.Place(b.c.copies.Rel(&b.in.File), b.in, b.e)
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

// replace replaces the mailbox if a message has an edit.
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

// errStopped stops the reading of a mailbox after its output has failed. The error of the output is
// reported instead.
var errStopped = errors.New("stopped")

// begin copies the content before offset.
func (b *rewrittenMailbox) begin(ctx context.Context, offset int64) error {
	content, err := b.in.Stream(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = io.CopyN(b.w, content, offset)
	return err
}

// write writes all messages to w. If again is not nil, it reads the output back from again.
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

// fill calls f, whose output goes to w in the coding of the mailbox. If again is not nil, it then
// reads the output back from again.
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

// check reads the output back and compares the messages.
func (b *rewrittenMailbox) check(ctx context.Context, f *os.File) error {
	again, err := b.in.Reopen(ctx, f)
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

// findOld records the old addresses in m. Line numbers count from the beginning of the mailbox.
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
