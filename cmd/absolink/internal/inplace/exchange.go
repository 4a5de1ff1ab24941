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

// Exchange is the replacement of one file. If the run has a journal, the entry of the file begins
// before the first byte of the new content is written.
type Exchange struct {
	in    *input.Document
	entry *journal.Entry // nil without a journal
	old   []byte         // old bytes of the current edit, for reuse
}

// Writer writes the new content of a file to f. It calls x.Note with the edits that turn the old
// content into the new content, in their order. After an error the file stays unchanged.
type Writer func(f *os.File, x *Exchange) error

// Replace replaces the content of in with the output of write. name is the new base name of the
// file, or "" if the file keeps its name. Some systems do not rename a file over an open file.
// There Replace closes in before the renaming. If the error is a *[files.Refusal], it says why the
// file stays unchanged.
func (r *Run) Replace(in *input.Document, name string, write Writer) error {
	return r.replace([]*input.Document{in}, nil, name, write)
}

// replace does the work of Replace for the input opened[0]. opened are all documents that have the
// file open. entry is the entry of the file in the journal, or nil if the entry has not begun yet.
func (r *Run) replace(opened []*input.Document, entry *journal.Entry, name string, write Writer) error {
	in := opened[0]
	dir, path, err := r.openDir(in)
	if err != nil {
		return err
	}
	defer dir.Close()
	if r.o.Backup != "" && input.MaildirHolds(path) {
		return &files.Refusal{Reason: "a backup would be another message of the Maildir; --journal keeps the old bytes"}
	}
	x := &Exchange{in: in, entry: entry}
	release := func() {
		for _, d := range opened {
			d.Close()
		}
	}
	o := files.Options{Backup: r.o.Backup, Name: name, Release: release}
	if r.journal != nil && entry == nil {
		if x.entry, err = r.journal.Begin(path, false); err != nil {
			return err
		}
	}
	if x.entry != nil {
		o.Ready = func(f *os.File, name string) error {
			return x.ready(f, name)
		}
	}
	indexed := sizesInIndex(path, in.Stored, in.StoredSize)
	err = files.Replace(dir.Dir, filepath.Base(path), in.Info, o, func(f *os.File) error { return write(f, x) })
	switch {
	case errors.Is(err, journal.ErrChanged):
		return &files.Refusal{Reason: err.Error()}
	case err != nil:
		return err
	}
	if x.entry != nil {
		x.entry.Done() // after an error here, a later run recognises the new content by its hash
	}
	r.noteStale(dir.Dir, filepath.Base(path), indexed)
	return nil
}

// Note adds edits of the file to the journal. The offsets of the edits count from origin. Note does
// nothing if the run has no journal, or if the file is compressed: such edits have no offsets in
// the file. x may be nil.
func (x *Exchange) Note(origin int64, edits iter.Seq[mime.Edit]) error {
	if x == nil || x.entry == nil || x.in.Coding != coding.None {
		return nil
	}
	content, _ := x.in.Whole() // often in memory, while Stored reads the disk
	for e := range edits {
		x.old = slices.Grow(x.old[:0], int(e.Len()))[:e.Len()]
		if _, err := io.ReadFull(io.NewSectionReader(content, origin+e.Start, e.Len()), x.old); err != nil {
			return err
		}
		if err := x.entry.Edit(origin+e.Start, x.old, int64(len(e.New))); err != nil {
			return err
		}
	}
	return nil
}

// ready completes the entry of the file, and flushes the journal to the disk. f has the new bytes,
// and name is the new base name. The entry of a compressed file gets all old bytes.
func (x *Exchange) ready(f *os.File, name string) error {
	if x.in.Coding != coding.None {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if err := x.entry.All(x.in.StoredReader(), info.Size()); err != nil {
			return err
		}
	}
	return x.entry.Ready(x.in.Stored, x.in.Info, f, name)
}
