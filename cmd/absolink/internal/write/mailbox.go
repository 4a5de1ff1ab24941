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
// goroutine and written in order. In place, nothing is written before the first message with edits
// is found. If the output is verified, the whole file is read again at the end.

// rewriteMailbox rewrites the mailbox in as the options say. In place, the mailbox is locked
// meanwhile. A large mailbox waits for its turn before it is locked, because a lock keeps other
// programs from delivering mail.
func (w *worker) rewriteMailbox(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	c := w.c
	b := &mailbox{c: c, containers: w.run.Containers, in: in, e: e, out: out}
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
func (b *mailbox) rewrite(ctx context.Context) {
	c, in, e := b.c, b.in, b.e
	e.Result.SetOutcome(report.Unchanged)
	var err error
	switch {
	case c.o.Show.On():
		err = b.each(ctx, b.show)
	case b.locked != nil:
		err = b.replace(ctx)
	case c.copies != nil:
		err = b.writeBelowDir(ctx)
	default:
		err = b.writeToStdout(ctx)
	}
	if err != nil {
		e.FailWrite(err)
		if c.o.To.InPlace || c.copies != nil || in.Coding != coding.None {
			e.Items.MarkUnwritten()
		}
		return
	}
	e.Problems.NoteChange(in)
}

// mailbox is a mailbox that is being rewritten.
type mailbox struct {
	c          *Command
	containers *container.Runner
	in         *input.Document
	e          *report.Entry
	out        io.Writer       // standard output
	w          *bufio.Writer   // the output, before compression
	written    rewrite.Mailbox // verifies the messages that are written to w

	locked   *inplace.Locked   // the locked mailbox in place, otherwise nil
	exchange *inplace.Exchange // the replacement in place, otherwise nil

	old *oldFinder // nil until old addresses are looked for
}

// each plans the messages and calls f for each, in order.
func (b *mailbox) each(ctx context.Context, f func(*editedMessage) error) error {
	content, err := b.in.Stream(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	return b.containers.Each(ctx, b.in, b.containers.Messages(b.in, content, b),
		b.out, b.e, func(m container.Item) error {
			return b.add(m.(*editedMessage), f)
		})
}

// Item returns an item whose Work plans the edits of m.
func (b *mailbox) Item(m *container.Message) container.Item {
	return &editedMessage{Message: m}
}

// add adds the next message to b.written, and calls f for it. If the edits would change where the
// message ends in the mailbox, add drops its plan.
func (b *mailbox) add(m *editedMessage, f func(*editedMessage) error) error {
	if err := b.written.Add(m.Message.Message, m.rewritePlan()); err != nil {
		m.plan = nil
		m.Entry.FailWrite(staysAsWritten(err))
	}
	if m.edited() {
		b.e.Result.SetOutcome(report.Rewritten)
	}
	if err := b.findOld(m); err != nil {
		return err
	}
	return f(m)
}

// editedMessage is a message of a mailbox that is being rewritten.
type editedMessage struct {
	*container.Message
	plan *plan // edits of the content, or nil if the message stays as it is
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
		err = w.verifyMessage(ctx, m, p, e)
	}
	if err != nil {
		e.FailWrite(err)
		return
	}
	m.plan = p
	e.Result.SetOutcome(p.outcome(e))
}

// rewritePlan returns the plan of the message, or nil if the message stays as it is.
func (m *editedMessage) rewritePlan() *rewrite.Plan {
	if m.plan == nil {
		return nil
	}
	return m.plan.Plan
}

// edited reports whether the message has edits.
func (m *editedMessage) edited() bool { return m.plan != nil && m.plan.Edited() }

// verifyMessage checks that m, with the edits of p, is still read as exactly one message. If the
// output is to be verified, it also compares the links of the edited message with p. If one of the
// checks fails, verifyMessage mends p, or returns a *files.Refusal.
func (w *worker) verifyMessage(ctx context.Context, m *editedMessage, p *plan, e *report.Entry) error {
	mismatch := p.Fit(m.Message.Message)
	if mismatch == nil && w.c.verifies(m.Doc) {
		out, err := p.Output()
		if err != nil {
			return err
		}
		mismatch = w.compare(ctx, out, p.Plan)
		if mismatch != nil && !misread(mismatch) {
			return mismatch
		}
	}
	fits := func(p *rewrite.Plan) bool { return p.Fit(m.Message.Message) == nil }
	if mismatch == nil || w.mend(ctx, m.Doc, p, e, fits) {
		return nil
	}
	return staysAsWritten(mismatch)
}

// show prints the planned edits of m.
func (b *mailbox) show(m *editedMessage) error {
	if m.plan == nil {
		return nil
	}
	_, err := b.out.Write(m.plan.shown)
	return err
}

// writeToStdout writes the output to standard output. Each message is written as soon as it is
// verified. A compressed output first goes to a temporary file, and is verified there as a whole.
func (b *mailbox) writeToStdout(ctx context.Context) error {
	if b.in.Coding == coding.None {
		return b.write(ctx, b.out, nil)
	}
	f, err := files.Nameless()
	if err != nil {
		return err
	}
	defer f.Close()
	err = b.write(ctx, f, f)
	if b.isCopied(err) {
		return errors.Join(err, copyInput(ctx, b.out, b.in))
	}
	if err == nil {
		_, err = io.Copy(files.Interruptible(ctx, b.out), io.NewSectionReader(f, 0, 1<<62))
	}
	return err
}

// isCopied reports whether the output must be a copy of the stored bytes. This is so if the mailbox
// is compressed and has no edits. It is also so if err, the error of the rewriting, says that the
// output could not be verified or the mailbox not decompressed.
func (b *mailbox) isCopied(err error) bool {
	if b.in.Stored == nil {
		return false
	}
	if err == nil {
		return b.e.Result.Outcome() == report.Unchanged && b.in.Coding != coding.None
	}
	var refusal *files.Refusal
	var damage *coding.Error
	return errors.As(err, &refusal) || errors.As(err, &damage)
}

// writeBelowDir writes the output below the directory of -o.
func (b *mailbox) writeBelowDir(ctx context.Context) error {
	path, err := b.c.copies.Reserve(b.c.copies.RelPath(&b.in.File), b.in, b.e)
	if err != nil {
		return err
	}
	err = b.c.copies.Create(path, b.in, func(f *os.File) error {
		output := f
		if !b.c.verifies(b.in) {
			output = nil
		}
		return b.write(ctx, f, output)
	})
	if b.isCopied(err) {
		again := b.c.copies.Create(path, b.in, func(f *os.File) error { return copyToFile(ctx, f, b.in) })
		err = errors.Join(err, again)
	}
	return err
}

// replace replaces the mailbox if a message has edits.
func (b *mailbox) replace(ctx context.Context) error {
	messages := b.messages(ctx)
	defer messages.stop()
	first := messages.next()
	for first != nil && !first.edited() {
		first = messages.next()
	}
	if first == nil {
		return messages.err
	}
	return b.locked.Replace(func(f *os.File, x *inplace.Exchange) error {
		b.exchange = x
		return b.fill(ctx, f, f, func() error {
			if err := b.copyUpTo(ctx, first.Offset); err != nil {
				return err
			}
			for m := first; m != nil; m = messages.next() {
				if err := b.writeMessage(m); err != nil {
					return err
				}
			}
			return messages.err
		})
	})
}

// plannedMessages are the messages of a mailbox, each with its plan.
type plannedMessages struct {
	pull func() (*editedMessage, bool)
	stop func() // ends the reading
	err  error  // the error of reading or planning, after the last message
}

// messages returns the messages of b. The caller must call stop.
func (b *mailbox) messages(ctx context.Context) *plannedMessages {
	p := new(plannedMessages)
	p.pull, p.stop = iter.Pull(func(yield func(*editedMessage) bool) {
		p.err = b.each(ctx, func(m *editedMessage) error {
			if !yield(m) {
				return errStopped
			}
			return nil
		})
	})
	return p
}

// next returns the next message, or nil after the last one.
func (p *plannedMessages) next() *editedMessage {
	m, _ := p.pull()
	return m
}

// errStopped stops the reading of a mailbox after its output has failed. The error of the output is
// reported instead.
var errStopped = errors.New("stopped")

// copyUpTo copies the content before offset to b.w.
func (b *mailbox) copyUpTo(ctx context.Context, offset int64) error {
	content, err := b.in.Stream(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = io.CopyN(b.w, content, offset)
	return err
}

// write writes the output to w. If output is not nil, write reads the output back from this file.
func (b *mailbox) write(ctx context.Context, w io.Writer, output *os.File) error {
	return b.fill(ctx, w, output, func() error { return b.each(ctx, b.writeMessage) })
}

// writeMessage writes m to b.w, with its edits.
func (b *mailbox) writeMessage(m *editedMessage) error {
	if m.edited() {
		if err := b.exchange.Note(m.Doc.Place.Origin, m.plan.Edits()); err != nil {
			return err
		}
	}
	return b.written.Write(b.w, m.Message.Message, m.rewritePlan())
}

// fill calls f, which writes the messages to b.w. fill writes them to w, compressed as the input
// is. If output is not nil, fill then reads the output back from this file.
func (b *mailbox) fill(ctx context.Context, w io.Writer, output *os.File, f func() error) error {
	coded, err := b.in.Coding.Writer(files.Interruptible(ctx, w))
	if err != nil {
		return err
	}
	b.w = bufio.NewWriterSize(coded, 64<<10)
	if output != nil {
		b.w.Reset(b.written.Writer(coded))
	}
	if err := f(); err != nil {
		return err
	}
	if err := errors.Join(b.w.Flush(), coded.Close()); err != nil {
		return err
	}
	if err := copyTail(ctx, w, b.in); err != nil || output == nil {
		return err
	}
	return b.readBack(ctx, output)
}

// readBack reads the output back from f and compares its messages with the written ones.
func (b *mailbox) readBack(ctx context.Context, f *os.File) error {
	output, err := b.in.Reopen(ctx, f)
	if err != nil {
		return err
	}
	defer output.Close()
	content, err := output.Stream(ctx)
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

// findOld records the old addresses in the output for m. Line numbers count from the start of the
// mailbox.
func (b *mailbox) findOld(m *editedMessage) error {
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
	err := b.old.startItem(e, m.plan, m.Content.Start)
	if err == nil {
		err = b.written.Write(b.old, m.Message.Message, m.rewritePlan())
	}
	b.old.Flush()
	return err
}
