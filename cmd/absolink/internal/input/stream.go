package input

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/kinds"
)

// readStream reads the content of d from in. It keeps a container as a stream, because its items
// are read later. It reads any other content into memory, or into a temporary file if it is large.
func (r *Reader) readStream(ctx context.Context, d *Document, in io.Reader) error {
	in = &interruptible{ctx: ctx, r: in}
	buf := bytes.NewBuffer(r.buf[:0])
	_, err := io.CopyN(buf, in, headSize)
	r.buf = buf.Bytes()
	if err == nil || err == io.EOF {
		if kind := r.streamKind(d, r.buf); kind != Other {
			d.Kind = kind
			d.Size = -1
			d.StoredSize = -1
			d.opened.pipe = io.MultiReader(bytes.NewReader(bytes.Clone(r.buf)), in)
			return nil
		}
	}
	if err == nil {
		_, err = io.CopyN(buf, in, maxHeldPipe-headSize)
		r.buf = buf.Bytes()
	}
	if err == io.EOF {
		d.Hold(r.buf)
		d.Stored = d.At
		d.StoredSize = d.Size
		return nil
	}
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	f, n, err := spool(io.MultiReader(buf, in))
	d.opened.spooled = f
	d.Stored = f
	d.StoredSize = n
	return err
}

// streamKind returns the kind of d, which begins with head, if d is a container that can be read as
// a stream. Otherwise it returns Other.
func (r *Reader) streamKind(d *Document, head []byte) Kind {
	if found, empty := r.isCompressedWARC(head, d.File); found {
		d.Empty = empty
		return WARC
	}
	if codingOf(head, d.Rel) != coding.None {
		return Other
	}
	kind := r.presetKind(d.File)
	if kind == Other && r.kind() == Other {
		kind = kinds.Detect(head, d.Rel)
	}
	if kind.Container() && kind != WACZ {
		return kind
	}
	return Other
}

// spool copies in to a temporary file without a name. It returns the file and its size.
func spool(in io.Reader) (*os.File, int64, error) {
	file, err := files.Nameless()
	if err != nil {
		return nil, 0, fmt.Errorf("spool: %w", err)
	}
	n, err := io.Copy(file, in)
	if err != nil {
		file.Close()
		return nil, 0, fmt.Errorf("spool: %w", err)
	}
	return file, n, nil
}

// OpenNamed opens a file that the user names. The file may be a named pipe whose other end is
// opened later or never. OpenNamed stops waiting when ctx is done.
func OpenNamed(ctx context.Context, name string) (*os.File, error) {
	type result struct {
		file *os.File
		err  error
	}
	done := make(chan result, 1)
	go func() {
		file, err := os.Open(name)
		done <- result{file, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		return r.file, r.err
	}
}

// Interruptible returns a reader of r that fails once ctx is done.
func Interruptible(ctx context.Context, r io.Reader) io.Reader {
	return &interruptible{ctx: ctx, r: r}
}

// interruptible is a reader that fails once ctx is done. It then does not wait for a read that is
// under way, because the program is about to end.
type interruptible struct {
	ctx context.Context
	r   io.Reader
	buf [64 << 10]byte
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
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

// cancelable is a reader that fails once ctx is done. It counts the bytes that it reads.
type cancelable struct {
	ctx context.Context
	r   io.Reader
	n   *atomic.Int64
}

func (c *cancelable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// cancelableAt is an [io.ReaderAt] that fails once ctx is done.
type cancelableAt struct {
	ctx context.Context
	r   io.ReaderAt
}

func (c *cancelableAt) ReadAt(p []byte, off int64) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.ReadAt(p, off)
}
