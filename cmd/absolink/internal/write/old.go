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
// with a transfer encoding it searches the decoded text, and reports an address at the line and
// column of its encoded bytes.
type oldFinder struct {
	*site.OldScanner
	old    *site.Old
	limits mime.Limits

	e       *report.Entry // entry of the written message or document
	section string        // section number of the part with the address that is being reported, or empty
	offset  int64         // offset, in the content, of the next byte that is written
	bodies  []encodedBody // the encoded bodies of the message that end after offset
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
			Text: site.OldMessage(console.Printable(text)), Minor: true, Asked: true})
	})
	return f
}

// startItem starts the search of the next message or document. e is its entry, and p is the plan of
// its output. If p is nil, bodies are searched without decoding. lead is the number of bytes that
// are written before the content of the item, such as the separator in a mailbox.
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

// searchDecoded searches the decoded body of part, and adds the body to f.bodies. It does nothing
// if the body has no transfer encoding or cannot be decoded: then Write searches its bytes.
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
		f.old.Search(leaf.Data, func(at int, text string) {
			start := leaf.Source(extract.Span{Start: at, End: at + 1}).Start
			b.addresses = append(b.addresses, oldAddress{start, text})
		})
	}
	f.bodies = append(f.bodies, b)
}

// Write searches p, except the encoded bodies in it. For these it reports the addresses that
// searchDecoded found. It never fails.
func (f *oldFinder) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		f.reportHere()
		n, encoded := f.nextRun()
		n = min(n, int64(len(rest)))
		if encoded {
			f.Skip(rest[:n])
		} else {
			f.OldScanner.Write(rest[:n])
		}
		rest = rest[n:]
		f.offset += n
	}
	return len(p), nil
}

// reportHere reports each old address in an encoded body if its first stored byte is at f.offset.
// It also drops the bodies that end at f.offset.
func (f *oldFinder) reportHere() {
	for len(f.bodies) > 0 && f.bodies[0].Start <= f.offset {
		b := &f.bodies[0]
		for ; len(b.addresses) > 0 && b.addresses[0].start <= f.offset; b.addresses = b.addresses[1:] {
			f.section = b.section
			f.Report(b.addresses[0].text)
			f.section = ""
		}
		if len(b.addresses) > 0 || f.offset < b.End {
			return
		}
		f.bodies = f.bodies[1:]
	}
}

// nextRun returns the number of bytes from f.offset that Write can treat alike. Outside of encoded
// bodies they end at the next body. In an encoded body they end at the next address or at the end
// of the body. encoded is true if the bytes are in an encoded body. Call reportHere first.
func (f *oldFinder) nextRun() (n int64, encoded bool) {
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

// findOld records the old addresses in the output for the input. e is the entry of the input. p is
// the plan that is carried out, or nil if the input stays unchanged. findOld does nothing if p is
// already searched.
func (c *Command) findOld(ctx context.Context, in *input.Document, p *plan, e *report.Entry) {
	if c.old == nil || in.At == nil || p != nil && p.searched {
		return
	}
	edited := p != nil && p.Edited()
	if edited && e.Result.Outcome() != report.Rewritten {
		p = nil // the output of the plan could not be written
		edited = false
	}
	f := c.newOldFinder(max(in.FirstLine(), 1))
	err := f.startItem(e, p, 0)
	if err == nil && edited {
		err = p.Write(f)
	} else if err == nil {
		if !f.canSearch(in) {
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

// canSearch reports whether the input can be read and is not binary. A binary message can be
// searched if it has encoded bodies.
func (f *oldFinder) canSearch(in *input.Document) bool {
	start := make([]byte, min(in.Size, binaryWithin))
	n, err := in.At.ReadAt(start, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	return f.bodies != nil || !isBinary(start[:n])
}

// binaryWithin is the number of bytes at the start of data that isBinary looks at.
const binaryWithin = 8 << 10

// isBinary reports whether there is a NUL among the first binaryWithin bytes of data. Binary data
// is not searched, because it has no lines.
func isBinary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), binaryWithin)], 0) >= 0 }
