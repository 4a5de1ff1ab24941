package write

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
	"absolink/mime"
)

// oldFinder reports the old addresses in an output that is written to it (--find-old). In a body
// with a transfer encoding it searches the decoded text. It reports such an address at the line and
// column of the encoded bytes.
type oldFinder struct {
	*site.OldScanner
	old    *site.Old
	limits mime.Limits

	e       *report.Entry // entry of the written message or document
	section string        // section of the part whose address is reported, or empty
	offset  int64         // offset of the next written byte in the content
	bodies  []encodedBody // the encoded bodies after offset
}

// encodedBody is the body of a part with a transfer encoding.
type encodedBody struct {
	mime.Span
	section   string
	addresses []oldAddress // in the order of their offsets
}

// oldAddress is an old address in an encodedBody.
type oldAddress struct {
	start int64 // offset of its first encoded byte in the message
	text  string
}

// newOldFinder returns a finder for an output whose first line has the number line.
func (c *Command) newOldFinder(line int64) *oldFinder {
	f := &oldFinder{old: c.old, limits: c.o.Links.DocumentOptions().Limits}
	f.OldScanner = c.old.Scanner(line, func(line, column int64, text string) {
		f.e.Edits.Old++
		f.e.Problems.Add(report.Problem{Part: f.section, Offset: -1, Line: line, Column: column,
			Text: site.SayOld(console.Printable(text)), Minor: true, Asked: true})
	})
	return f
}

// startItem starts the search of a message or document, whose entry is e. The next lead bytes that
// are written to f precede its content. p is the plan of its output. If p is nil, bodies are
// searched without decoding.
func (f *oldFinder) startItem(e *report.Entry, p *plan, lead int64) error {
	f.e = e
	f.offset = -lead
	f.bodies = nil
	if p == nil || p.Message == nil {
		return nil
	}
	m := p.Message
	if p.Edited() {
		out, err := p.Output()
		if err == nil {
			m, err = mime.Parse(out.At, out.Size, f.limits)
		}
		if err != nil {
			return err
		}
	}
	for part := range m.Root.All() {
		f.searchDecoded(part)
	}
	return nil
}

// searchDecoded searches the body of a part with a transfer encoding, and adds it to f.bodies. It
// leaves out a body that cannot be decoded, so that Write searches the encoded form.
func (f *oldFinder) searchDecoded(part *mime.Entity) {
	switch part.Encoding() {
	case "7bit", "8bit", "binary":
		return
	}
	leaf, err := part.Leaf()
	if err != nil {
		return
	}
	b := encodedBody{Span: part.Body, section: part.Section}
	if !isBinary(leaf.Data) {
		f.old.Text(leaf.Data, func(at int, text string) {
			start := leaf.Source(extract.Span{Start: at, End: at + 1}).Start
			b.addresses = append(b.addresses, oldAddress{start, text})
		})
	}
	f.bodies = append(f.bodies, b)
}

// Write searches p, except its encoded bodies, and reports the addresses in these bodies. It never
// fails.
func (f *oldFinder) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		f.reportHere()
		n, encoded := f.nextStretch()
		n = min(n, int64(len(rest)))
		if encoded {
			f.Pass(rest[:n])
		} else {
			f.OldScanner.Write(rest[:n])
		}
		rest = rest[n:]
		f.offset += n
	}
	return len(p), nil
}

// reportHere reports the old addresses that begin at f.offset in an encoded body. It also drops the
// bodies that end there.
func (f *oldFinder) reportHere() {
	for len(f.bodies) > 0 && f.bodies[0].Start <= f.offset {
		b := &f.bodies[0]
		for ; len(b.addresses) > 0 && b.addresses[0].start <= f.offset; b.addresses = b.addresses[1:] {
			f.section = b.section
			f.Tell(b.addresses[0].text)
			f.section = ""
		}
		if len(b.addresses) > 0 || f.offset < b.End {
			return
		}
		f.bodies = f.bodies[1:]
	}
}

// nextStretch returns the number of bytes from f.offset to the next encoded body. In an encoded
// body, encoded is true, and the number of bytes is up to the next address or the end of the body.
// Call reportHere before.
func (f *oldFinder) nextStretch() (n int64, encoded bool) {
	if len(f.bodies) == 0 {
		return math.MaxInt64, false
	}
	b := &f.bodies[0]
	switch {
	case f.offset < b.Start:
		return b.Start - f.offset, false
	case len(b.addresses) > 0:
		return b.addresses[0].start - f.offset, true
	}
	return b.End - f.offset, true
}

// findOld records in e the old addresses in the output for in. p is the plan that was carried out,
// or nil if the input stays as it is.
func (c *Command) findOld(ctx context.Context, in *input.Document, p *plan, e *report.Entry) {
	if c.old == nil || in.At == nil {
		return
	}
	if p != nil && p.Edited() && e.Result.Outcome() != report.Rewritten {
		p = nil // the output of the plan could not be written
	}
	f := c.newOldFinder(max(in.FirstLine(), 1))
	err := f.startItem(e, p, 0)
	switch {
	case err != nil:
	case p != nil && p.Edited():
		err = p.Write(f)
	default:
		start := make([]byte, min(in.Size, binaryWithin))
		n, failed := in.At.ReadAt(start, 0)
		if failed != nil && !errors.Is(failed, io.EOF) || isBinary(start[:n]) && f.bodies == nil {
			return
		}
		_, err = io.Copy(files.Interruptible(ctx, f), in.Reader())
	}
	if err != nil {
		e.Result.Fail(err)
		return
	}
	f.Close()
}

// binaryWithin is the number of bytes that tell text from binary data.
const binaryWithin = 8 << 10

// isBinary reports whether data is binary: a NUL is among the first binaryWithin bytes. Binary data
// has no lines, so it is not searched.
func isBinary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), binaryWithin)], 0) >= 0 }
