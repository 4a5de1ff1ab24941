package write

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"math"
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

// A mailbox is rewritten message by message (see [rewrite.Mailbox]). Several goroutines may plan
// the messages, but the messages are written in order. In place, nothing is written before the
// first message with edits is found. If the output is verified, another goroutine reads it back
// from the file while it is written.

// rewriteMailbox rewrites in, a mailbox, as the options say. In place, the mailbox is locked
// meanwhile. The lock of a large mailbox is taken only when it is the turn of this mailbox to
// write, because a lock keeps other programs from delivering mail.
func (w *worker) rewriteMailbox(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	c := w.c
	b := &mailbox{c: c, containers: w.run.Containers, in: in, e: e, stdout: out}
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

// mailbox is a mailbox that is being rewritten.
type mailbox struct {
	c          *Command
	containers *container.Runner
	in         *input.Document
	e          *report.Entry
	stdout     io.Writer

	output   *bufio.Writer   // the output before compression; set by writeOutput
	messages rewrite.Mailbox // the messages so far; verify compares the output with them

	locked   *inplace.Locked   // the locked mailbox; nil unless it is replaced in place
	exchange *inplace.Exchange // records the edits in the journal; nil unless in place

	oldFinder *oldFinder // nil until the first message is searched for old addresses
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

// each plans the edits of all messages, and calls f for each message, in the order of the mailbox.
func (b *mailbox) each(ctx context.Context, f func(*plannedMessage) error) error {
	content, err := b.in.Stream(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	messages := b.containers.Messages(b.in, content, b)
	return b.containers.Each(ctx, b.in, messages, b.stdout, b.e, func(item container.Item) error {
		m := item.(*plannedMessage)
		if err := b.add(m); err != nil {
			return err
		}
		return f(m)
	})
}

// Item returns an item whose Work plans the edits of m.
func (b *mailbox) Item(m *container.Message) container.Item {
	return &plannedMessage{Message: m}
}

// add adds m, the next message, to b.messages. It records its outcome and its old addresses. If the
// edits would cut the mailbox into other messages, add drops the plan of m.
func (b *mailbox) add(m *plannedMessage) error {
	if err := b.messages.Add(m.Message.Message, m.rewritePlan()); err != nil {
		m.plan = nil
		m.Entry.FailWrite(refuseOutput(err))
	}
	if m.edited() {
		b.e.Result.SetOutcome(report.Rewritten)
	}
	return b.findOld(m)
}

// plannedMessage is a message of a mailbox, with its plan.
type plannedMessage struct {
	*container.Message
	plan *plan // edits of the content; nil before Work, and if the message stays unchanged
}

// Work plans the edits of the message.
func (m *plannedMessage) Work(ctx context.Context, by container.Worker, _ io.Writer) {
	m.Open()
	w, e := by.(*worker), m.Entry
	e.Result.SetOutcome(report.Copied)
	if e.Subject.Inner == "" {
		return // text before the first message
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

// rewritePlan returns the plan of the message, or nil if the message stays unchanged.
func (m *plannedMessage) rewritePlan() *rewrite.Plan {
	if m.plan == nil {
		return nil
	}
	return m.plan.Plan
}

// edited reports whether the message has edits.
func (m *plannedMessage) edited() bool { return m.plan != nil && m.plan.Edited() }

// verifyMessage checks that m, with the edits of p, is still read as exactly one message. If
// outputs are verified, it also compares the links of the edited message with p. If a check fails,
// verifyMessage mends p, or returns a *files.Refusal.
func (w *worker) verifyMessage(ctx context.Context, m *plannedMessage, p *plan, e *report.Entry) error {
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
	return refuseOutput(mismatch)
}

// show prints the planned edits of m.
func (b *mailbox) show(m *plannedMessage) error {
	if m.plan == nil {
		return nil
	}
	_, err := b.stdout.Write(m.plan.shown)
	return err
}

// writeToStdout writes the output to standard output. It writes each message as soon as it is
// verified. It writes a compressed output to a temporary file first, and verifies the whole file.
func (b *mailbox) writeToStdout(ctx context.Context) error {
	if b.in.Coding == coding.None {
		return b.writeAll(ctx, b.stdout, nil)
	}
	f, err := files.Nameless()
	if err != nil {
		return err
	}
	defer f.Close()
	err = b.writeAll(ctx, f, f)
	if b.mustCopyInput(err) {
		return errors.Join(err, copyInput(ctx, b.stdout, b.in))
	}
	if err == nil {
		_, err = io.Copy(files.Interruptible(ctx, b.stdout), io.NewSectionReader(f, 0, math.MaxInt64))
	}
	return err
}

// mustCopyInput reports whether the output must be replaced by a copy of the input. err is the
// error of writeAll. The input is copied in three cases: it is compressed and has no edits, it
// cannot be decompressed, or its output could not be verified. A pipe is never copied, because it
// can be read only once.
func (b *mailbox) mustCopyInput(err error) bool {
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
		if b.c.verifies(b.in) {
			return b.writeAll(ctx, f, f)
		}
		return b.writeAll(ctx, f, nil)
	})
	if b.mustCopyInput(err) {
		copyErr := b.c.copies.Create(path, b.in, func(f *os.File) error { return copyToFile(ctx, f, b.in) })
		err = errors.Join(err, copyErr)
	}
	return err
}

// replace replaces the mailbox if a message has edits. It writes nothing before it has found the
// first such message. Then it copies the bytes before this message from the mailbox.
func (b *mailbox) replace(ctx context.Context) error {
	queue := b.startPlanning(ctx)
	defer queue.stop()
	first := queue.nextEdited()
	if first == nil {
		return queue.err
	}
	return b.locked.Replace(func(f *os.File, x *inplace.Exchange) error {
		b.exchange = x
		return b.writeOutput(ctx, f, f, func() error {
			if err := b.copyUpTo(ctx, first.Offset); err != nil {
				return err
			}
			for m := first; m != nil; m = queue.next() {
				if err := b.writeMessage(m); err != nil {
					return err
				}
			}
			return queue.err
		})
	})
}

// messageQueue yields the messages of a mailbox, each with its plan, one at a time.
type messageQueue struct {
	pull func() (*plannedMessage, bool)
	stop func() // ends the reading
	err  error  // the error of reading or planning, after the last message
}

// startPlanning returns the queue of the messages of b. The caller must call stop.
func (b *mailbox) startPlanning(ctx context.Context) *messageQueue {
	q := new(messageQueue)
	q.pull, q.stop = iter.Pull(func(yield func(*plannedMessage) bool) {
		q.err = b.each(ctx, func(m *plannedMessage) error {
			if !yield(m) {
				return errStopped
			}
			return nil
		})
	})
	return q
}

// next returns the next message, or nil after the last one.
func (q *messageQueue) next() *plannedMessage {
	m, _ := q.pull()
	return m
}

// nextEdited returns the next message with edits, or nil if there is none.
func (q *messageQueue) nextEdited() *plannedMessage {
	m := q.next()
	for m != nil && !m.edited() {
		m = q.next()
	}
	return m
}

// errStopped stops the reading of a mailbox after the writing of its output has failed. The error
// of the writing is reported instead.
var errStopped = errors.New("stopped")

// copyUpTo copies the decompressed content before offset to b.output.
func (b *mailbox) copyUpTo(ctx context.Context, offset int64) error {
	content, err := b.in.Stream(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = io.CopyN(b.output, content, offset)
	return err
}

// writeAll writes the output of all messages to w. writeOutput describes w and f.
func (b *mailbox) writeAll(ctx context.Context, w io.Writer, f *os.File) error {
	return b.writeOutput(ctx, w, f, func() error { return b.each(ctx, b.writeMessage) })
}

// writeOutput writes the output to w, in the coding of the input. It calls writeMessages, which
// must write all messages to b.output. f is nil, or the file to which w writes. If f is not nil,
// writeOutput reads the output back from f and verifies it: during the writing, or at the end if
// the output is compressed.
func (b *mailbox) writeOutput(ctx context.Context, w io.Writer, f *os.File, writeMessages func() error) error {
	if f == nil {
		return b.compressOutput(ctx, w, nil, writeMessages)
	}
	if b.in.Coding != coding.None {
		if err := b.compressOutput(ctx, w, &b.messages, writeMessages); err != nil {
			return err
		}
		return b.readBack(ctx, f)
	}
	written := follow(ctx, f, b.verify)
	defer written.stop()
	if err := b.compressOutput(ctx, written, &b.messages, writeMessages); err != nil {
		return err
	}
	return written.finish()
}

// compressOutput writes the output to w, in the coding of the input. If hashed is not nil, it also
// hashes the bytes before compression, for [rewrite.Mailbox.Verify].
func (b *mailbox) compressOutput(ctx context.Context, w io.Writer, hashed *rewrite.Mailbox,
	writeMessages func() error) error {
	compressor, err := b.in.Coding.Writer(files.Interruptible(ctx, w))
	if err != nil {
		return err
	}
	b.output = bufio.NewWriterSize(compressor, bufferSize)
	if hashed != nil {
		b.output.Reset(hashed.Writer(compressor))
	}
	if err := writeMessages(); err != nil {
		return err
	}
	if err := cmp.Or(b.output.Flush(), compressor.Close()); err != nil { // the second error repeats the first
		return err
	}
	return copyTail(ctx, w, b.in)
}

// writeMessage writes m to b.output, with its edits. In place it first records the edits in the
// journal.
func (b *mailbox) writeMessage(m *plannedMessage) error {
	if m.edited() {
		if err := b.exchange.Note(m.Doc.Place.Origin, m.plan.Edits()); err != nil {
			return err
		}
	}
	return b.messages.Write(b.output, m.Message.Message, m.rewritePlan())
}

// readBack decompresses the output, which f holds, and verifies it.
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
	return b.verify(content)
}

// verify compares output, the whole output without compression, with b.messages. It may read the
// output while messages are still added and written. A *files.Refusal says that they differ.
func (b *mailbox) verify(output io.Reader) error {
	err := b.messages.Verify(output, b.c.o.Run.Mail.Mbox)
	if errors.Is(err, rewrite.ErrMessages) {
		return refuseOutput(err)
	}
	return err
}

// findOld records the old addresses in the output for m. Line numbers count from the start of the
// mailbox. Old addresses in text before the first message are recorded in the entry of the mailbox.
func (b *mailbox) findOld(m *plannedMessage) error {
	if b.c.old == nil {
		return nil
	}
	if b.oldFinder == nil {
		b.oldFinder = b.c.newOldFinder(1)
	}
	e := m.Entry
	if e.Subject.Inner == "" {
		e = b.e
	}
	err := b.oldFinder.startItem(e, m.plan, m.Content.Start)
	if err == nil {
		err = b.messages.Write(b.oldFinder, m.Message.Message, m.rewritePlan())
	}
	b.oldFinder.Flush()
	return err
}
