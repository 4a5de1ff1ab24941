package lock

import (
	"context"
	"errors"

	"absolink/cmd/absolink/internal/files"
)

// Lock is a mailbox that is locked.
type Lock struct{}

// Acquire locks no mailbox here, which its error says.
func Acquire(context.Context, *files.Dir, string) (*Lock, error) {
	return nil, errors.New("lock: mailboxes cannot be locked on this system")
}

// Release does nothing.
func (*Lock) Release() error { return nil }

// Sweep does nothing: no lock was left.
func Sweep(*files.Dir, string) {}
