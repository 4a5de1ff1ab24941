// Package interrupt has contexts, readers and writers that fail at a chosen step of a test.
package interrupt

import (
	"context"
	"errors"
	"io"
	"time"
)

// Context is a context that is cancelled while a test runs. Each call of Err is a step. It is not
// safe for concurrent use.
type Context struct {
	Left int  // number of steps before it is cancelled
	Seen bool // a call of Err has returned context.Canceled
}

// Deadline returns no deadline.
func (*Context) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Done returns nil: only Err tells that the context is cancelled.
func (*Context) Done() <-chan struct{} { return nil }

// Value returns nil.
func (*Context) Value(any) any { return nil }

// Err returns nil for the first Left calls, and then context.Canceled.
func (c *Context) Err() error {
	if c.Left > 0 {
		c.Left--
		return nil
	}
	c.Seen = true
	return context.Canceled
}

// ErrRead is the error of a [Reader].
var ErrRead = errors.New("disk on fire")

// Reader is a reader of which each read after the first Left ones fails with [ErrRead]. It is not
// safe for concurrent use.
type Reader struct {
	R    io.ReaderAt
	Left int // below 0 after a read has failed
}

// ReadAt reads from R, or fails.
func (r *Reader) ReadAt(b []byte, off int64) (int, error) {
	r.Left--
	if r.Left < 0 {
		return 0, ErrRead
	}
	return r.R.ReadAt(b, off)
}

// ErrWrite is the error of a [Writer].
var ErrWrite = errors.New("disk full")

// Writer is a writer of which each write after the first Left ones fails with [ErrWrite], and
// writes nothing. It is not safe for concurrent use.
type Writer struct {
	W    io.Writer
	Left int // below 0 after a write has failed
}

// Write writes to W, or fails.
func (w *Writer) Write(b []byte) (int, error) {
	w.Left--
	if w.Left < 0 {
		return 0, ErrWrite
	}
	return w.W.Write(b)
}
