package lock

import (
	"context"
	"errors"

	"absolink/cmd/absolink/internal/files"
)

// Lock is a locked mailbox.
type Lock struct{}

// Acquire fails: mailboxes cannot be locked on this system.
func Acquire(context.Context, *files.Dir, string) (*Lock, error) {
	return nil, errors.New("lock: mailboxes cannot be locked on this system")
}

// Release does nothing.
func (*Lock) Release() error { return nil }

// Sweep does nothing: no lock was left.
func Sweep(*files.Dir, string) {}
