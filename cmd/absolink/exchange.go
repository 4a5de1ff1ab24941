package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/coding"
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
// the edits that it makes, in their order.
func (x *rewriting) exchange(in *input.Document, write func(f *os.File, c *exchange) error) error {
	path, err := realPath(in.Path)
	if err != nil {
		return err
	}
	if x.backup != "" && maildir.Holds(path) {
		return &output.Refusal{Reason: "a backup beside it would be one more message of the Maildir; --journal keeps its old bytes"}
	}
	c := &exchange{in: in}
	o := output.Options{Backup: x.backup}
	if x.journal != nil {
		c.entry = x.journal.Begin(path, in.Info, in.Kind == input.Mbox)
		o.Ready = func(f *os.File, name string) error {
			return c.ready(f, name)
		}
	}
	if maildir.Holds(path) {
		o.Rename = func(f *os.File) (string, error) { return x.maildirSize.rename(in, f) }
	}
	err = output.Replace(path, in.Info, o, func(f *os.File) error { return write(f, c) })
	switch {
	case errors.Is(err, journal.ErrChanged):
		return &output.Refusal{Reason: err.Error()}
	case err == nil && c.entry != nil:
		c.entry.Done() // a journal that can't take it knows the file by its hash
	}
	return err
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
	return c.entry.Ready(c.in.Stored, c.in.StoredSize, f, name)
}

// realPath returns the absolute path without symbolic links. Its errors leave the
// path to the message that they end in.
func realPath(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return "", fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// lockedMailbox rewrites a mailbox, in place under its locks. One that has to wait for
// its turn is not locked before: others could not deliver to it for no reason.
func (x *rewriting) lockedMailbox(ctx context.Context, w *worker, in *input.Document, out io.Writer, e *report.Entry) {
	if !x.replaces() {
		x.mailbox(ctx, in, out, e)
		return
	}
	if in.Info == nil { // a pipe, which can be read only once
		settle(e, &output.Refusal{Reason: "not a regular file, cannot be replaced in place"})
		return
	}
	if !isSmall(in) {
		batch.Turn(out)
	}
	again, release, err := x.lock(ctx, w, in)
	if err != nil {
		settle(e, err)
		return
	}
	defer release()
	x.mailbox(ctx, again, out, e)
}

// lock locks the mailbox in, and opens it again, since it may have changed until
// then. release closes and unlocks it.
func (x *rewriting) lock(ctx context.Context, w *worker, in *input.Document) (again *input.Document, release func(), err error) {
	path, err := realPath(in.Path)
	if err != nil {
		return nil, nil, err
	}
	name := ""
	if x.journal != nil {
		name = x.journal.Path()
	}
	l, err := acquire(ctx, path, name)
	if err != nil {
		return nil, nil, err
	}
	again, err = w.reader.Open(ctx, in.File)
	if err == nil && again.Kind != in.Kind {
		again.Close()
		err = &output.Refusal{Reason: "was changed by another program meanwhile"}
	}
	if err != nil {
		l.Release()
		return nil, nil, err
	}
	return again, func() { again.Close(); l.Release() }, nil
}

// acquire locks a mailbox. That somebody else has locked it is a *output.Refusal.
func acquire(ctx context.Context, path, journal string) (*lock.Lock, error) {
	l, err := lock.Acquire(ctx, path, journal)
	var busy *lock.Busy
	if errors.As(err, &busy) {
		return nil, &output.Refusal{Reason: err.Error()}
	}
	return l, err
}

// maildirSize says what becomes of a message of a Maildir whose name tells a
// size that changes. It is a pflag.Value.
type maildirSize uint8

const (
	refuseSize maildirSize = iota // the message stays as it is
	renameSize                    // the name tells the new size
	keepSize                      // the name stays, and is wrong
)

var maildirSizes = []string{refuseSize: "refuse", renameSize: "rename", keepSize: "keep"}

func (m *maildirSize) String() string { return maildirSizes[*m] }

// Type names the value for the help text.
func (m *maildirSize) Type() string { return "P" }

// Set takes one of the values.
func (m *maildirSize) Set(v string) error {
	n := slices.Index(maildirSizes, v)
	if n < 0 {
		return fmt.Errorf("%q is none of %s", v, strings.Join(maildirSizes, ", "))
	}
	*m = maildirSize(n)
	return nil
}

// rename returns the base name that the message in has when its bytes are those of f.
func (m maildirSize) rename(in *input.Document, f *os.File) (string, error) {
	own := filepath.Base(in.Path)
	name := maildir.Split(own)
	if s := name.Sizes(); m == keepSize || s.Disk == maildir.Unknown && s.CRLF == maildir.Unknown {
		return own, nil
	}
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	before, err1 := sizes(in.Stored, in.StoredSize)
	after, err2 := sizes(f, info.Size())
	switch {
	case err1 != nil || err2 != nil:
		return "", errors.Join(err1, err2)
	case name.Agree(after):
		return own, nil
	case m == refuseSize:
		return "", &output.Refusal{Reason: "its name tells its size, which would change; --maildir-size rename or keep lets it"}
	case !name.Agree(before):
		return "", &output.Refusal{Reason: "its name tells another size than it has; --maildir-size keep lets it"}
	}
	return name.With(after).String(), nil
}

func sizes(r io.ReaderAt, size int64) (maildir.Sizes, error) {
	var c maildir.Counter
	_, err := io.Copy(&c, io.NewSectionReader(r, 0, size))
	return c.Sizes, err
}
