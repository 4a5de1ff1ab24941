package inplace

import (
	"context"
	"errors"
	"path/filepath"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/lock"
)

// Locked is a mailbox that is locked and open. The caller must close it.
type Locked struct {
	*input.Document
	first *input.Document // the document that was passed to Lock; the caller of Lock closes it
	run   *Run
	dir   *heldDir
	lock  *lock.Lock
	entry *journal.Entry // nil without a journal
}

// Lock begins the journal entry of the mailbox doc, and locks the mailbox. Then Lock opens the
// mailbox again, because another program may have changed the mailbox before the lock. The error is
// a *[files.Refusal] in these cases:
//   - doc is standard input or a pipe
//   - a directory on the path of the mailbox is now a symbolic link
//   - another process keeps the mailbox locked
//   - the file is not a mailbox any more
func (r *Run) Lock(ctx context.Context, doc *input.Document) (*Locked, error) {
	if doc.Info == nil { // a pipe, which can be read only once
		return nil, &files.Refusal{Reason: "is not a regular file, so it cannot be replaced in place"}
	}
	dir, path, err := r.openDir(doc)
	if err != nil {
		return nil, err
	}
	l := &Locked{first: doc, run: r, dir: dir}
	if err := l.open(ctx, path); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// open does the work of Lock. path is the real path of the mailbox.
func (l *Locked) open(ctx context.Context, path string) (err error) {
	if j := l.run.journal; j != nil {
		if l.entry, err = j.Begin(path, true); err != nil {
			return err
		}
	}
	if l.lock, err = acquire(ctx, l.dir.Dir, filepath.Base(path)); err != nil {
		return err
	}
	if l.Document, err = l.run.runner.Reopen(ctx, l.first.File); err != nil {
		return err
	}
	if l.Kind != l.first.Kind {
		return &files.Refusal{Reason: "was changed by another program meanwhile"}
	}
	return nil
}

// Replace is [Run.Replace] for the mailbox.
func (l *Locked) Replace(write Writer) error {
	return l.run.replace([]*input.Document{l.Document, l.first}, l.entry, "", write)
}

// Close closes the mailbox and unlocks it. Close does not close the document that was passed to
// [Run.Lock].
func (l *Locked) Close() {
	if l.Document != nil {
		l.Document.Close()
	}
	if l.lock != nil {
		l.lock.Release()
	}
	l.dir.Close()
}

// acquire locks the mailbox with this name in dir. The error is a *files.Refusal if another process
// keeps the mailbox locked.
func acquire(ctx context.Context, dir *files.Dir, name string) (*lock.Lock, error) {
	l, err := lock.Acquire(ctx, dir, name)
	var busy *lock.Busy
	if errors.As(err, &busy) {
		return nil, &files.Refusal{Reason: err.Error()}
	}
	return l, err
}
