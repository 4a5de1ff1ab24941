package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A single document is read into memory as a whole; a message is mapped by offsets, and
// held in memory only where it is small. What has no offsets (a pipe) is read
// into memory up to a limit, and from there on into a temporary file.
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
}

// Document is the content of one file. It must be closed.
type Document struct {
	File
	Kind     Kind
	Why      string      // why Kind is Other
	At       io.ReaderAt // the whole content
	Size     int64
	Data     []byte      // the whole content where it is held in memory, else nil
	TooLarge bool        // a single document above MaxSize: At alone can be used
	Info     fs.FileInfo // of the file when it was opened, nil for standard input

	file *os.File
}

// Reader opens documents one after the other and reuses its memory for them:
// Data of a Document is valid until the next Open.
type Reader struct {
	Options
	buf []byte
}

// Open opens f and finds out what it is. Reading ends with ctx.
func (r *Reader) Open(ctx context.Context, f File) (*Document, error) {
	d := &Document{File: f}
	if err := r.content(ctx, d); err != nil {
		d.Close()
		return nil, err
	}
	if err := r.identify(d); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Close gives back the file behind d.
func (d *Document) Close() error {
	if d.file == nil {
		return nil
	}
	err := d.file.Close()
	d.file = nil
	return err
}

// content makes the bytes of d reachable by offset.
func (r *Reader) content(ctx context.Context, d *Document) error {
	if d.Path == "" {
		return r.stream(ctx, d, r.Stdin)
	}
	file, err := os.Open(d.Path)
	if err != nil {
		return reason(err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		file.Close()
		return reason(err)
	case info.IsDir():
		file.Close()
		return errors.New("is a directory")
	case !info.Mode().IsRegular():
		defer file.Close()
		return r.stream(ctx, d, file)
	}
	d.file, d.Info, d.At, d.Size = file, info, file, info.Size()
	return nil
}

// stream reads all of in, into memory or a temporary file that has no name.
func (r *Reader) stream(ctx context.Context, d *Document, in io.Reader) error {
	in = &interruptible{ctx: ctx, r: in}
	buf := bytes.NewBuffer(r.buf[:0])
	_, err := io.CopyN(buf, in, heldPipe)
	r.buf = buf.Bytes()
	if err == io.EOF {
		d.hold(r.buf)
		return nil
	}
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	return d.spool(io.MultiReader(buf, in))
}

func (d *Document) hold(data []byte) {
	d.Data, d.At, d.Size = data, bytes.NewReader(data), int64(len(data))
}

func (d *Document) spool(in io.Reader) error {
	file, err := os.CreateTemp("", "absolink-")
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	d.file = file
	if err := os.Remove(file.Name()); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	d.Size, err = io.Copy(file, in)
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	d.At = file
	return nil
}

// identify finds the kind of d, and reads what is to be held in memory.
func (r *Reader) identify(d *Document) error {
	head, err := r.head(d)
	if err != nil {
		return err
	}
	if d.Kind = r.Kind; d.Kind == Other {
		d.Kind, d.Why, err = d.detect(head)
		if err != nil {
			return err
		}
	}
	switch limit := d.limit(r.MaxSize); {
	case d.Kind.Single() && d.Size > limit:
		d.TooLarge, d.Data = true, nil
	case d.Kind != Other && d.Size <= limit && d.Data == nil:
		return r.read(d)
	}
	return nil
}

// limit returns the size up to which a document of the kind of d is held.
func (d *Document) limit(pages int64) int64 {
	if d.Kind.Single() {
		return pages
	}
	return heldMessage
}

func (r *Reader) head(d *Document) ([]byte, error) {
	if d.Data != nil {
		return d.Data[:min(len(d.Data), headSize)], nil
	}
	r.grow(headSize)
	n, err := d.At.ReadAt(r.buf[:min(headSize, d.Size)], 0)
	if err != nil && err != io.EOF {
		return nil, reason(err)
	}
	return r.buf[:n], nil
}

func (d *Document) detect(head []byte) (Kind, string, error) {
	k := Detect(head, d.Rel)
	if k == Other {
		return Other, "neither a document that is known nor a message; --type decides", nil
	}
	if k == Message && bytes.HasPrefix(head, []byte("From ")) {
		many, err := d.mailbox()
		if many || err != nil {
			return Other, "a mailbox of several messages is not supported; --type message takes it as one", err
		}
	}
	return k, "", nil
}

// mailbox looks for a second message, window by window.
func (d *Document) mailbox() (bool, error) {
	const window, overlap = 1 << 20, 4 << 10
	if d.Data != nil {
		return mailbox(d.Data), nil
	}
	buf := make([]byte, min(window, d.Size))
	from := []byte("From ")
	for off := int64(0); ; off += window - overlap {
		n, err := d.At.ReadAt(buf, off)
		if err != nil && err != io.EOF {
			return false, reason(err)
		}
		if off > 0 {
			copy(buf, from)
		}
		if mailbox(buf[:n]) {
			return true, nil
		}
		if off+int64(n) >= d.Size {
			return false, nil
		}
	}
}

// read brings the whole content of d into memory. A file that grows meanwhile
// is read as long as it was; one that shrank is an error.
func (r *Reader) read(d *Document) error {
	r.grow(int(d.Size))
	data := r.buf[:d.Size]
	if n, err := d.At.ReadAt(data, 0); n < len(data) {
		return fmt.Errorf("read %d of %d bytes: %w", n, len(data), reason(err))
	}
	d.hold(data)
	return nil
}

func (r *Reader) grow(n int) {
	if cap(r.buf) < n {
		r.buf = make([]byte, n, n+n/4)
	}
	r.buf = r.buf[:cap(r.buf)]
}

// interruptible gives up waiting for r when ctx is done. A read that is under
// way then stays behind; the program is about to end.
type interruptible struct {
	ctx context.Context
	r   io.Reader
	buf [64 << 10]byte
}

func (i *interruptible) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	want, done := min(len(p), len(i.buf)), make(chan result, 1)
	go func() {
		n, err := i.r.Read(i.buf[:want])
		done <- result{n, err}
	}()
	select {
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	case res := <-done:
		return copy(p, i.buf[:res.n]), res.err
	}
}
