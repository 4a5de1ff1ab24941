package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime/debug"
	"sync"
	"time"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime"
	"absolink/mime/mbox"
)

// A mailbox goes through a run message by message. A small one is the work of the
// goroutine that has opened it, like any other input. A large one waits until all
// inputs before it are done, and then its messages are read in their order, worked
// on by as many goroutines as --jobs says, and accounted for in their order again, so
// that the output depends neither on their number nor on the size of the mailbox. How
// many bytes of messages are on their way is bounded; a message above heldItem is
// read from the mailbox again, or from a temporary file if that is a pipe.
const (
	smallMailbox = 1 << 20
	heldItem     = 4 << 20
	onTheWay     = 8 << 20
)

// item is one message of a mailbox.
type item struct {
	msg   *mbox.Message
	doc   *input.Document // its content
	entry *report.Entry
	edits []mime.Edit // of its content
	shown []byte      // what --dry-run or --diff prints of it
}

// itemWork handles one message, on any goroutine; itemDone gets it when all
// messages before it are done, and an error of it ends the mailbox.
type (
	itemWork func(ctx context.Context, w *worker, m *item, out io.Writer)
	itemDone func(m *item) error
)

// mailbox is a mailbox on its way through a run.
type mailbox struct {
	r     *runner
	in    *input.Document
	entry *report.Entry // of the mailbox
	work  itemWork
	done  itemDone
	emit  func(*report.Entry) // takes the account of a message
	links report.Links        // of all messages
	step  int64               // stored bytes that are accounted for
	read  error               // why the mailbox was not read to its end
	room  *room
}

// messages takes the messages of the mailbox in through work and done, and
// accounts for them. The error is that of reading, of done, or of ctx.
func (r *runner) messages(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry, work itemWork, done itemDone) error {
	content, err := in.Mailbox(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	b := &mailbox{r: r, in: in, entry: e, work: work, done: done, room: newRoom(onTheWay)}
	reader := mbox.NewReader(content, mbox.Options{Variant: r.o.mbox, Hold: heldItem})
	if in.At != nil && in.Size <= smallMailbox {
		b.emit = func(m *report.Entry) { e.Items = append(e.Items, m) }
		err = b.alone(ctx, reader, out)
	} else {
		b.emit = r.emit
		err = b.large(ctx, reader, out)
	}
	if in.StoredSize < 0 {
		e.Bytes = b.step
	}
	left(e, &b.links)
	return err
}

// large takes the messages of a large mailbox when its turn has come. The garbage
// collector runs more often than it does by itself: large messages come and go, and
// what they leave would count as memory that the mailbox takes.
func (b *mailbox) large(ctx context.Context, r *mbox.Reader, out io.Writer) error {
	batch.Turn(out)
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	if b.r.o.jobs == 1 {
		return b.alone(ctx, r, out)
	}
	return b.together(ctx, r, out)
}

// alone takes the messages one by one.
func (b *mailbox) alone(ctx context.Context, r *mbox.Reader, out io.Writer) error {
	for m := range b.items(ctx, r) {
		b.handle(ctx, m, out)
		if err := b.finish(m); err != nil {
			return err
		}
	}
	return errors.Join(ctx.Err(), b.read)
}

// together takes them on several goroutines. After an error those that are on
// their way come to nothing.
func (b *mailbox) together(ctx context.Context, r *mbox.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := batch.Run(ctx, batch.Options{Jobs: b.r.o.jobs}, out, b.items(ctx, r), func(m *item, out io.Writer) *item {
		b.handle(ctx, m, out)
		return m
	}, func(m *item) {
		if context.Cause(ctx) != nil {
			b.release(m)
		} else if err := b.finish(m); err != nil {
			cancel(err)
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return errors.Join(err, b.read)
}

// items yields the messages. What stands before the first one and is none passes
// as one without a number.
func (b *mailbox) items(ctx context.Context, r *mbox.Reader) iter.Seq[*item] {
	return func(yield func(*item) bool) {
		for {
			msg, err := r.Next()
			if err != nil {
				if err != io.EOF {
					b.read = err
				}
				return
			}
			m := b.item(msg)
			if !b.room.take(ctx, m.held()) || !yield(m) {
				return
			}
		}
	}
}

func (b *mailbox) item(msg *mbox.Message) *item {
	content := msg.Content
	m := &item{msg: msg, entry: &report.Entry{Source: b.in.Source, Item: msg.Number, Kind: input.Message.String(), Bytes: msg.Size()}}
	m.doc = &input.Document{File: b.in.File, Kind: input.Message, Coding: b.in.Coding, Size: content.Len(),
		Item: msg.Number, Origin: msg.Offset + content.Start}
	if m.doc.Line = msg.Line; msg.Line > 0 && content.Start > 0 {
		m.doc.Line++ // behind the separator
	}
	if msg.Data != nil {
		m.doc.Hold(msg.Data[content.Start:content.End])
	} else {
		m.doc.At = io.NewSectionReader(msg, content.Start, content.Len())
	}
	return m
}

// held returns how many bytes of memory m takes.
func (m *item) held() int64 { return int64(len(m.msg.Data)) }

// handle does the work of one message. A defect of the program that it brings to
// light costs that message alone.
func (b *mailbox) handle(ctx context.Context, m *item, out io.Writer) {
	began := time.Now()
	e := m.entry
	defer func() {
		if p := recover(); p != nil {
			m.edits = nil
			e.Edits = 0
			e.Fail(report.Failed, fmt.Errorf("internal error, please report it with the message: %v", p))
		}
		e.Seconds = time.Since(began).Seconds()
	}()
	for _, d := range m.msg.Defects {
		e.Add(document.Problem{Offset: m.msg.Offset + d.Offset, Text: d.Text})
	}
	w := b.r.workers.Get().(*worker)
	b.work(ctx, w, m, out)
	b.r.workers.Put(w)
	if b.in.Coding != coding.None {
		e.Unplace()
	}
}

// finish accounts for a message and gives its memory back. What is wrong with the
// text before the first message is the mailbox's own.
func (b *mailbox) finish(m *item) error {
	defer b.release(m)
	if err := b.done(m); err != nil {
		return err
	}
	e := m.entry
	if e.Step = e.Bytes; b.in.Coding != coding.None {
		e.Step = b.in.Taken() - b.step
	}
	b.step += e.Step
	b.entry.Step = max(b.in.StoredSize-b.step, 0)
	if e.Item == 0 {
		b.entry.Add(e.Problems...)
		return nil
	}
	b.entry.Messages++
	for i, n := range e.Links {
		b.links[i] += n
	}
	b.emit(e)
	return nil
}

func (b *mailbox) release(m *item) {
	held := m.held()
	m.msg.Release()
	b.room.give(held)
}

// room bounds how many bytes are on their way. One that is larger than all of it
// goes alone.
type room struct {
	most int64
	mu   sync.Mutex
	free sync.Cond // of mu
	used int64
}

func newRoom(most int64) *room {
	r := &room{most: most}
	r.free.L = &r.mu
	return r
}

// take waits until there is room for n bytes. It reports false if ctx ends before.
func (r *room) take(ctx context.Context, n int64) bool {
	stop := context.AfterFunc(ctx, func() { r.mu.Lock(); r.free.Broadcast(); r.mu.Unlock() })
	defer stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.used > 0 && r.used+n > r.most {
		if ctx.Err() != nil {
			return false
		}
		r.free.Wait()
	}
	r.used += n
	return true
}

func (r *room) give(n int64) {
	r.mu.Lock()
	r.used -= n
	r.free.Signal()
	r.mu.Unlock()
}

// readMailbox takes the messages of a mailbox that is only read through f.
func (r *runner) readMailbox(ctx context.Context, in *input.Document, out io.Writer, f work, e *report.Entry) {
	e.Outcome = report.Listed
	err := r.messages(ctx, in, out, e, func(ctx context.Context, w *worker, m *item, out io.Writer) {
		if m.entry.Item > 0 {
			f(ctx, w, m.doc, out, m.entry)
		}
	}, func(*item) error { return nil })
	if err != nil {
		e.Fail(report.Failed, err)
	}
}
