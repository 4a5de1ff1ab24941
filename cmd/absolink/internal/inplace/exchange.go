package inplace

import (
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/mime"
)

// A file is exchanged for its new version in place: a mailbox under its locks, a
// message of a Maildir with the sizes in its name, all with an entry in the
// journal, if there is one, before anything happens.

// Exchange is one file that is being replaced.
type Exchange struct {
	in    *input.Document
	entry *journal.Entry // nil without a journal
	old   []byte         // of the edit at hand
}

// Writer writes the new content of a file to f. It notes in x the edits by which that differs
// from the old content, in their order. An error leaves the file as it was.
type Writer func(f *os.File, x *Exchange) error

// Replace replaces in with what write writes. name is the base name that the file gets, "" if
// it keeps its own. A *[files.Refusal] says why it must stay.
func (r *Run) Replace(in *input.Document, name string, write Writer) error {
	return r.replace(in, nil, name, write)
}

// replace is Replace with the entry of the journal, nil if that was not begun yet.
func (r *Run) replace(in *input.Document, entry *journal.Entry, name string, write Writer) error {
	dir, path, err := r.locate(in)
	if err != nil {
		return err
	}
	defer dir.Close()
	if r.o.Backup != "" && input.MaildirHolds(path) {
		return &files.Refusal{Reason: "a backup beside it would be one more message of the Maildir; --journal keeps " +
			"its old bytes"}
	}
	c := &Exchange{in: in, entry: entry}
	o := files.Options{Backup: r.o.Backup, Name: name}
	if r.journal != nil && entry == nil {
		if c.entry, err = r.journal.Begin(path, false); err != nil {
			return err
		}
	}
	if c.entry != nil {
		o.Ready = func(f *os.File, name string) error {
			return c.ready(f, name)
		}
	}
	err = files.Replace(dir, filepath.Base(path), in.Info, o, func(f *os.File) error { return write(f, c) })
	switch {
	case errors.Is(err, journal.ErrChanged):
		return &files.Refusal{Reason: err.Error()}
	case err != nil:
		return err
	}
	if c.entry != nil {
		c.entry.Done() // a journal that can't take it has the hash of the file
	}
	r.noteStale(path, in.Info.Size())
	return nil
}

// Note notes edits of what begins at origin in the content. Where that is stored in a coding
// they say nothing about the stored bytes. A nil Exchange notes nothing.
func (c *Exchange) Note(origin int64, edits iter.Seq[mime.Edit]) error {
	if c == nil || c.entry == nil || c.in.Coding != coding.None {
		return nil
	}
	for e := range edits {
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
func (c *Exchange) ready(f *os.File, name string) error {
	if c.in.Coding != coding.None {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if err := c.entry.All(c.in.StoredReader(), info.Size()); err != nil {
			return err
		}
	}
	return c.entry.Ready(c.in.Stored, c.in.Info, f, name)
}
