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

// Exchange writes the journal entry of one file while the file is replaced. The entry begins before
// the new content is written. Without a journal, an Exchange does nothing.
type Exchange struct {
	doc   *input.Document
	entry *journal.Entry // nil without a journal
	old   []byte         // the old bytes of the last edit; Note reuses the memory
}

// Writer writes the new content of a file to f. It calls x.Note with the edits that turn the old
// content into the new content, in the order of the file. If a Writer returns an error, the file
// stays unchanged.
type Writer func(f *os.File, x *Exchange) error

// Replace replaces the content of doc with the output of write. name is the new base name of the
// file, or "" if the file keeps its name. Some systems cannot rename a file over an open file. On
// these systems Replace closes doc before the rename. If the error is a *[files.Refusal], it says
// why the file stays unchanged.
func (r *Run) Replace(doc *input.Document, name string, write Writer) error {
	return r.replace([]*input.Document{doc}, nil, name, write)
}

// replace does the work of Replace for opened[0]. opened has all open documents of the file. entry
// is the entry of the file in the journal, or nil if it has not begun yet.
func (r *Run) replace(opened []*input.Document, entry *journal.Entry, name string, write Writer) error {
	doc := opened[0]
	dir, path, err := r.openDir(doc)
	if err != nil {
		return err
	}
	defer dir.Close()
	if r.o.Backup != "" && input.MaildirHolds(path) {
		return &files.Refusal{Reason: "a backup would be another message of the Maildir; --journal keeps the old bytes"}
	}
	x := &Exchange{doc: doc, entry: entry}
	release := func() {
		for _, doc := range opened {
			doc.Close()
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
	indexed := indexedSizes(path, doc.Stored, doc.StoredSize)
	err = files.Replace(dir.Dir, filepath.Base(path), doc.Info, o, func(f *os.File) error { return write(f, x) })
	switch {
	case errors.Is(err, journal.ErrChanged):
		return &files.Refusal{Reason: err.Error()}
	case err != nil:
		return err
	}
	if x.entry != nil {
		x.entry.Done() // its error is ignored: a later run also recognises the new content by its hash
	}
	r.noteStale(dir.Dir, filepath.Base(path), indexed)
	return nil
}

// Note adds edits of the file to the journal. The offsets of the edits count from origin, an offset
// in the file. If the file is compressed, Note does nothing, because the edits belong to the
// decompressed content. Without a journal, Note does nothing either. x may be nil.
func (x *Exchange) Note(origin int64, edits iter.Seq[mime.Edit]) error {
	if x == nil || x.entry == nil || x.doc.Coding != coding.None {
		return nil
	}
	content, _ := x.doc.Whole() // it is often in memory, but Stored reads the disk
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

// ready completes the entry of the file, and flushes the journal to the disk. f is the file with
// the new bytes, and name is the new base name. If the file is compressed, ready adds all old bytes
// to the entry.
func (x *Exchange) ready(f *os.File, name string) error {
	if x.doc.Coding != coding.None {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if err := x.entry.All(x.doc.StoredReader(), info.Size()); err != nil {
			return err
		}
	}
	return x.entry.Ready(x.doc.Stored, x.doc.Info, f, name)
}
