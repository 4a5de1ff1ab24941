package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/files"
)

// A single document is read into memory as a whole; a message is mapped by offsets, and
// held in memory only where it is small; a mailbox or a web archive is only opened, to be
// read item by item. What has no offsets (a pipe) is read into memory up to a limit, and
// from there on into a temporary file, but for these two.
const (
	headSize    = 64 << 10 // bytes that tell the kind
	heldMessage = 4 << 20  // largest message of a file that is read into memory
	heldPipe    = 16 << 20 // largest content of a pipe that stays in memory
)

// Options say how to open a file.
type Options struct {
	Kind    Kind      // decided by the operator; Other: found out
	MaxSize int64     // largest single document that is read
	Stdin   io.Reader // what Stdin stands for
	Given   *Given    // stands for Stdin; nil = Stdin does itself
	Scripts bool      // scripts are documents
	Peek    bool      // files are read as far as it takes to tell their kind, and not held

	// Manifest reports whether a page names the file path as the manifest of a web application.
	// It is asked for files that look like one; nil = no page does.
	Manifest func(ctx context.Context, path string) bool
}

// Given is content that somebody has sent, in place of standard input.
type Given struct {
	At   io.ReaderAt
	Size int64
	Type string // Content-Type, which counts as that of what was retrieved; "" = not known
}

// Reader opens documents one after the other and reuses its memory for them:
// Data of a Document is valid until the next Open.
type Reader struct {
	Options
	buf     []byte // stored bytes
	decoded []byte // content whose coding was undone

	root *root      // the directory that the last file was found in; nil = none
	dir  *files.Dir // that one, open
}

// Open opens f and finds out what it is. Reading ends with ctx.
func (r *Reader) Open(ctx context.Context, f File) (*Document, error) {
	d := &Document{File: f}
	err := r.content(ctx, d)
	if err == nil && d.opened.pipe == nil {
		err = r.identify(ctx, d)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// content makes the stored bytes of d reachable by offset, but for a container from a pipe.
func (r *Reader) content(ctx context.Context, d *Document) error {
	if d.Path == "" && r.Given != nil {
		d.Retrieval.Type = r.Given.Type
		d.Retrieval.Charset = charset(r.Given.Type)
		d.Stored = r.Given.At
		d.StoredSize = r.Given.Size
		return nil
	}
	if d.Path == "" {
		return r.stream(ctx, d, r.Stdin)
	}
	if d.Unit != nil && d.Unit.Ranged {
		if info, err := os.Stat(d.Path); err == nil && info.Mode().Type()&^fs.ModeDir != 0 {
			return errors.New("is no file, and ranges are those of files") // opening a pipe waits for a writer
		}
	}
	file, err := r.open(ctx, &d.File)
	if err != nil {
		return Pathless(err)
	}
	d.opened.file = file
	info, err := file.Stat()
	switch {
	case err != nil:
		return Pathless(err)
	case info.IsDir():
		return errors.New("is a directory")
	case !info.Mode().IsRegular() && !d.Named:
		return errIrregular
	case !info.Mode().IsRegular():
		return r.stream(ctx, d, file)
	}
	d.Info = info
	d.Stored = &entire{file, info.Size()}
	d.StoredSize = info.Size()
	if d.Inside != "" {
		archive := &Document{Content: d.Content}
		archive.asStored()
		return r.enter(ctx, d, archive, d.Inside)
	}
	return nil
}

// open opens the file of f. A link out of a directory is followed: the walk yields it only if that
// is wanted.
func (r *Reader) open(ctx context.Context, f *File) (*os.File, error) {
	switch {
	case f.Named:
		return OpenNamed(ctx, f.Path)
	case f.found.root != nil && !f.Link:
		return r.openFound(f)
	}
	return os.Open(f.Path)
}

// entire is a file of a known size. Where it ends before, another program has cut it
// short meanwhile: that is an error, not its end.
type entire struct {
	file io.ReaderAt
	size int64
}

func (e *entire) ReadAt(b []byte, off int64) (n int, err error) {
	if n, err = e.file.ReadAt(b, off); err == io.EOF && off+int64(n) < e.size {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// identify undoes the coding of d, finds its kind, and reads what is to be held
// in memory.
func (r *Reader) identify(ctx context.Context, d *Document) error {
	head, err := r.head(d)
	if err != nil {
		return err
	}
	d.Empty = d.StoredSize == 0
	if is, empty := r.inMembers(head, d.File); is {
		d.Empty = empty
		d.Kind = WARC
		d.Data = nil
		d.asStored()
		return nil
	}
	d.Coding = codingOf(head, d.Rel)
	if d.Coding != coding.None {
		return r.decode(ctx, d)
	}
	d.asStored()
	d.Decision = r.decide(ctx, d, head)
	if d.Kind == Emlx {
		return r.emlx(d)
	}
	switch limit := d.limit(r.MaxSize); {
	case r.Peek:
	case d.Kind.held() && d.Size > limit:
		d.TooLarge = true
		d.Data = nil
	case d.Kind != Other && !d.Kind.Container() && d.Size <= limit && d.Data == nil:
		return r.read(d, head)
	}
	return nil
}

// emlx opens d, whose coding is undone, as a file of Apple Mail.
func (r *Reader) emlx(d *Document) error {
	if r.Peek {
		return nil
	}
	if err := d.unframe(); err != nil || d.Data != nil || d.Size > heldMessage {
		return err
	}
	return r.read(d, nil)
}

// identity returns what the Content-Type, the name and the beginning of d say.
func (d *Document) identity(head []byte) Identity {
	if d.URL == "" && d.Retrieval.Type == "" || d.Coding != coding.None {
		return Identify(head, d.Rel)
	}
	name, _, _ := strings.Cut(d.Rel, "?")
	return retrieved(d.Retrieval.Type, head, name)
}

// limit returns the size up to which a document of the kind of d is held.
func (d *Document) limit(pages int64) int64 {
	if d.Kind.held() {
		return pages
	}
	return heldMessage
}

// head returns the first bytes that are stored.
func (r *Reader) head(d *Document) ([]byte, error) {
	if d.Data != nil {
		return d.Data[:min(len(d.Data), headSize)], nil
	}
	r.grow(headSize, 0)
	n, err := d.Stored.ReadAt(r.buf[:min(headSize, d.StoredSize)], 0)
	if err != nil && err != io.EOF {
		return nil, Pathless(err)
	}
	return r.buf[:n], nil
}

// read brings the whole content of d into memory, of which head is the beginning that
// buf has already. A file that grows meanwhile is read as long as it was; one that
// shrank is an error.
func (r *Reader) read(d *Document, head []byte) error {
	r.grow(int(d.Size), len(head))
	data := r.buf[:d.Size]
	if n, err := d.At.ReadAt(data[len(head):], int64(len(head))); n < len(data)-len(head) {
		return fmt.Errorf("read %d of %d bytes: %w", len(head)+n, len(data), Pathless(err))
	}
	d.Hold(data)
	return nil
}

// grow makes room for n bytes in buf, of which it keeps the first.
func (r *Reader) grow(n, keep int) {
	if cap(r.buf) < n {
		b := make([]byte, n, n+n/4)
		copy(b, r.buf[:keep])
		r.buf = b
	}
	r.buf = r.buf[:cap(r.buf)]
}

// Again opens what was written in the place of d, of the same kind and in the
// same coding. The file is not closed with it.
func (d *Document) Again(ctx context.Context, f *os.File) (*Document, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	again := &Document{File: d.File, Content: Content{Coding: d.Coding, Stored: f, StoredSize: info.Size()}}
	r := &Reader{Options: Options{Kind: d.Kind, MaxSize: max(again.StoredSize, d.Size)*2 + heldMessage}}
	if d.Coding != coding.None {
		return again, r.decode(ctx, again)
	}
	again.Kind = d.Kind
	again.asStored()
	if d.Kind == Emlx {
		return again, r.emlx(again)
	}
	if again.Size <= again.limit(again.Size) {
		err = r.read(again, nil)
	}
	return again, err
}
