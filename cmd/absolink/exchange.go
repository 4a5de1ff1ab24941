package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/directory"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/lock"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime"
	"absolink/mime/maildir"
)

// A file is exchanged for its new version in place: a mailbox under its locks, a
// message of a Maildir with the sizes in its name, all with an entry in the
// journal, if there is one, before anything happens.

// exchange is one file that is being replaced.
type exchange struct {
	in    *input.Document
	entry *journal.Entry // nil without a journal
	old   []byte         // of the edit at hand
}

// exchange replaces in with what write writes to f. Of the content write notes
// the edits that it makes, in their order. entry is that in the journal, nil if it was not
// begun yet, and name the base name that the file gets, "" if it keeps its own.
func (x *rewriting) exchange(in *input.Document, entry *journal.Entry, name string, write func(f *os.File, c *exchange) error) error {
	dir, path, err := x.locate(in.Path)
	if err != nil {
		return err
	}
	defer dir.Close()
	if x.backup != "" && maildir.Holds(path) {
		return &output.Refusal{Reason: "a backup beside it would be one more message of the Maildir; --journal keeps its old bytes"}
	}
	c := &exchange{in: in, entry: entry}
	o := output.Options{Backup: x.backup, Name: name}
	if x.journal != nil && entry == nil {
		if c.entry, err = x.journal.Begin(path, false); err != nil {
			return err
		}
	}
	if c.entry != nil {
		o.Ready = func(f *os.File, name string) error {
			return c.ready(f, name)
		}
	}
	err = output.Replace(dir, filepath.Base(path), in.Info, o, func(f *os.File) error { return write(f, c) })
	switch {
	case errors.Is(err, journal.ErrChanged):
		return &output.Refusal{Reason: err.Error()}
	case err != nil:
		return err
	}
	if c.entry != nil {
		c.entry.Done() // a journal that can't take it knows the file by its hash
	}
	x.noteStale(path, in.Info.Size())
	return nil
}

// edits notes edits of what begins at origin in the content. Where it is stored in a
// coding they say nothing about the stored bytes. A nil exchange notes nothing.
func (c *exchange) edits(origin int64, edits []mime.Edit) error {
	if c == nil || c.entry == nil || c.in.Coding != coding.None {
		return nil
	}
	for _, e := range edits {
		c.old = slices.Grow(c.old[:0], int(e.Len()))[:e.Len()]
		if _, err := io.ReadFull(io.NewSectionReader(c.in.Stored, origin+e.Start, e.Len()), c.old); err != nil {
			return err
		}
		if err := c.entry.Edit(origin+e.Start, c.old, int64(len(e.New))); err != nil {
			return err
		}
	}
	return nil
}

// ready makes the entry of the file durable, whose new bytes are those of f. What
// is stored in a coding is kept as a whole.
func (c *exchange) ready(f *os.File, name string) error {
	if c.in.Coding != coding.None {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if err := c.entry.All(io.NewSectionReader(c.in.Stored, 0, c.in.StoredSize), info.Size()); err != nil {
			return err
		}
	}
	return c.entry.Ready(c.in.Stored, c.in.Info, f, name)
}

// realPath returns the absolute path without symbolic links. Its errors leave the
// path to the message that they end in.
func realPath(path string) (string, error) {
	path, err := directory.Real(path)
	return path, pathless(err)
}

// real is realPath, but finds out only once where a directory stands. It returns where a file
// stood whose directory is elsewhere by now: who replaces it looks whether it is that file.
func (d *durable) real(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || isLink(info) {
		return realPath(path)
	}
	dir, base := filepath.Split(path)
	if real, ok := d.realDirs.Load(dir); ok {
		return filepath.Join(real.(string), base), nil
	}
	real, err := realPath(cmp.Or(dir, "."))
	if err != nil {
		return "", err
	}
	d.realDirs.Store(dir, real)
	return filepath.Join(real, base), nil
}

// locate opens the directory in which the file stands that path leads to, below the roots of
// the run, and returns the path of the file without symbolic links. What is done to the file
// is done in that directory, and only if it is what was opened before under the path.
func (d *durable) locate(path string) (*directory.Dir, string, error) {
	path, err := d.real(path)
	if err != nil {
		return nil, "", err
	}
	dir, err := d.below.Directory(filepath.Dir(path))
	return dir, path, byNow(err)
}

// byNow makes a refusal of the error that a symbolic link stands where none may.
func byNow(err error) error {
	if link := (*directory.LinkError)(nil); errors.As(err, &link) {
		return &output.Refusal{Reason: err.Error() + ": it stays as it is"}
	}
	return err
}

// lockedMailbox rewrites a mailbox, in place under its locks. One that has to wait for
// its turn is not locked before: others could not deliver to it for no reason.
func (x *rewriting) lockedMailbox(ctx context.Context, w *worker, in *input.Document, out io.Writer, e *report.Entry) {
	if !x.replaces() {
		x.mailbox(ctx, in, nil, out, e)
		return
	}
	if in.Info == nil { // a pipe, which can be read only once
		settle(e, &output.Refusal{Reason: "not a regular file, cannot be replaced in place"})
		return
	}
	if !isSmall(in) {
		batch.Turn(out)
	}
	again, entry, release, err := x.lock(ctx, w, in)
	if err != nil {
		settle(e, err)
		return
	}
	defer release()
	x.mailbox(ctx, again, entry, out, e)
}

// lock begins the entry of the mailbox in, if there is a journal, locks it, and opens it
// again, since it may have changed until then. release closes and unlocks it.
func (x *rewriting) lock(ctx context.Context, w *worker, in *input.Document) (again *input.Document, entry *journal.Entry, release func(), err error) {
	dir, path, err := x.locate(in.Path)
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() {
		if err != nil {
			dir.Close()
		}
	}()
	if x.journal != nil {
		if entry, err = x.journal.Begin(path, true); err != nil {
			return nil, nil, nil, err
		}
	}
	l, err := acquire(ctx, dir, filepath.Base(path))
	if err != nil {
		return nil, nil, nil, err
	}
	again, err = w.reader.Open(ctx, in.File)
	if err == nil && again.Kind != in.Kind {
		again.Close()
		err = &output.Refusal{Reason: "was changed by another program meanwhile"}
	}
	if err != nil {
		l.Release()
		return nil, nil, nil, err
	}
	return again, entry, func() { again.Close(); l.Release(); dir.Close() }, nil
}

// acquire locks a mailbox in dir. That somebody else has locked it is a *output.Refusal.
func acquire(ctx context.Context, dir *directory.Dir, name string) (*lock.Lock, error) {
	l, err := lock.Acquire(ctx, dir, name)
	var busy *lock.Busy
	if errors.As(err, &busy) {
		return nil, &output.Refusal{Reason: err.Error()}
	}
	return l, err
}
