// Package interrupt interrupts tests at a chosen step.
package interrupt

import (
	"context"
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
