package input

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/kinds"
)

// A file is decoded only as far as its kind needs. Only the beginning is decoded if the file is a
// mailbox or web archive, whose items are decoded later, or if it is not read. Any other file is
// decoded as a whole, up to a limit, because a few bytes can expand to very many. A file that
// exceeds the limit is not read.

// maxExpansion is a ratio between decoded and stored size. A message, or a file in a WACZ, that
// expands more is not read if it is also larger than MaxSize. Text that people write expands at
// most tenfold. Content that a client has sent (Given) has only the limit MaxSize.
const maxExpansion = 200

// isCompressedWARC reports whether f, which begins with head, is a web archive in gzip or zstd.
// Such an archive is decoded record by record when it is read. empty is true if its decoded content
// has no bytes.
func (r *Reader) isCompressedWARC(head []byte, f File) (found, empty bool) {
	c := codingOf(head, f.Rel)
	if c != coding.Gzip && c != coding.Zstd {
		return false, false
	}
	var start [64]byte
	n := 0
	if in, err := c.File(bytes.NewReader(head)); err == nil {
		n, err = io.ReadFull(in, start[:])
		empty = err == io.EOF
		in.Close()
	}
	switch kind := r.presetKind(f); {
	case kind != Other || r.kind() != Other:
		return kind == WARC, empty
	case bytes.HasPrefix(head, []byte(kinds.ZstdDictionary)):
		return true, false
	}
	return kinds.Detect(start[:n], f.Rel) == WARC, empty
}

// codingOf returns the coding of a file that begins with head. Only the name shows brotli, so its
// ending does not count if the first bytes tell a kind.
func codingOf(head []byte, name string) coding.Coding {
	c := coding.Detect(head, name)
	if c == coding.Brotli && kinds.Detect(head, "") != Other {
		return coding.None
	}
	return c
}

// decode decodes d and finds its kind.
func (r *Reader) decode(ctx context.Context, d *Document) error {
	if err := r.decodeContent(ctx, d); err != nil || d.Kind != Emlx || d.At == nil {
		return err
	}
	return r.openEmlx(d)
}

// decodeContent decodes the content of d as far as its kind needs, and finds the kind.
func (r *Reader) decodeContent(ctx context.Context, d *Document) error {
	in, err := d.Coding.File(&cancelable{ctx, d.StoredReader(), &d.opened.storedRead})
	if err != nil {
		return d.markDamaged(err)
	}
	defer func() {
		d.TrailingSize, d.TrailingData = in.Trailing()
		in.Close()
	}()
	buf := bytes.NewBuffer(r.decoded[:0])
	_, err = io.CopyN(buf, in, headSize)
	r.decoded = buf.Bytes()
	d.Decision = r.decide(ctx, d, r.decoded)
	d.dropDecoded()
	d.Empty = err == io.EOF && len(r.decoded) == 0
	switch {
	case err != nil && err != io.EOF:
		return d.markDamaged(err)
	case d.Kind == Other || d.Kind.Container() || r.Peek:
		return nil
	case err == io.EOF:
		d.Hold(r.decoded)
		return nil
	}
	return r.decodeRest(d, buf, in)
}

// decodeRest decodes the rest of a document or message into memory or a temporary file. buf has the
// decoded beginning, and in yields the rest.
func (r *Reader) decodeRest(d *Document, buf *bytes.Buffer, in io.Reader) error {
	limit := d.heldLimit(r.MaxSize)
	maxDecoded := r.MaxSize
	if !readWhole(d.Kind) && r.Given == nil {
		maxDecoded = max(r.MaxSize, maxExpansion*d.StoredSize)
	}
	_, err := io.CopyN(buf, in, limit+1-int64(buf.Len()))
	r.decoded = buf.Bytes()
	switch {
	case err == io.EOF:
		d.Hold(r.decoded)
		return nil
	case err != nil:
		return d.markDamaged(err)
	case readWhole(d.Kind):
		d.TooLarge = true
		d.Size = limit + 1
		return nil
	}
	f, n, err := spool(io.LimitReader(io.MultiReader(buf, in), maxDecoded+1))
	if err != nil {
		return d.markDamaged(err)
	}
	d.opened.spooled = f
	d.At = f
	d.Size = n
	if n > maxDecoded {
		return d.markDamaged(&coding.Error{Coding: d.Coding,
			Err: fmt.Errorf("they expand to more than %d bytes; --max-size allows more", maxDecoded)})
	}
	return nil
}
