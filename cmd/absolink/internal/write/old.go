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

// oldFinder reports the old addresses in the bytes that are written to it. It decodes the text of a
// part in a transfer encoding. The place of an address there is the place of its encoded bytes.
type oldFinder struct {
	*site.OldScanner
	old    *site.Old
	limits mime.Limits

	e      *report.Entry // entry of the written message or document
	part   string        // section of the part in the reported place, or empty
	at     int64         // offset of the next written byte in the content
	hidden []hiddenBody  // the encoded bodies that follow
}

// hiddenBody is the body of a part whose text is in a transfer encoding.
type hiddenBody struct {
	mime.Span
	section string
	places  []hiddenPlace
}

// hiddenPlace is an old address in a hiddenBody.
type hiddenPlace struct {
	at   int64 // offset where it begins in the message
	text string
}

func (c *Command) newOldFinder(line int64) *oldFinder {
	f := &oldFinder{old: c.old, limits: c.o.Links.DocumentOptions().Limits}
	f.OldScanner = c.old.Scanner(line, func(line, column int64, text string) {
		f.e.Edits.Old++
		f.e.Problems.Add(report.Problem{Part: f.part, Offset: -1, Line: line, Column: column,
			Text: site.SayOld(console.Printable(text)), Minor: true, Asked: true})
	})
	return f
}

// begin starts a message or document; the next at bytes come before its content. p is its plan, or
// nil to search the content without decoding.
func (f *oldFinder) begin(e *report.Entry, p *plan, at int64) error {
	f.e, f.at, f.hidden = e, -at, nil
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
		f.look(part)
	}
	return nil
}

// look searches the body of a part if it is in a transfer encoding. A body that cannot be decoded
// is searched in its encoded form.
func (f *oldFinder) look(part *mime.Entity) {
	switch part.Encoding() {
	case "7bit", "8bit", "binary":
		return
	}
	leaf, err := part.Leaf()
	if err != nil {
		return
	}
	h := hiddenBody{Span: part.Body, section: part.Section}
	if !binary(leaf.Data) {
		f.old.Text(leaf.Data, func(at int, what string) {
			h.places = append(h.places, hiddenPlace{leaf.Source(extract.Span{Start: at, End: at + 1}).Start, what})
		})
	}
	f.hidden = append(f.hidden, h)
}

// Write searches p. It never fails.
func (f *oldFinder) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n, look := f.next()
		n = min(n, int64(len(rest)))
		if look {
			f.OldScanner.Write(rest[:n])
		} else {
			f.Pass(rest[:n])
		}
		rest = rest[n:]
		f.at += n
	}
	return len(p), nil
}

// next reports the old addresses at the present offset. It returns the number of bytes up to the
// next change and whether they are to be searched.
func (f *oldFinder) next() (n int64, look bool) {
	for len(f.hidden) > 0 {
		h := &f.hidden[0]
		if f.at < h.Start {
			return h.Start - f.at, true
		}
		for ; len(h.places) > 0 && h.places[0].at <= f.at; h.places = h.places[1:] {
			f.part = h.section
			f.Tell(h.places[0].text)
			f.part = ""
		}
		switch {
		case len(h.places) > 0:
			return h.places[0].at - f.at, false
		case f.at < h.End:
			return h.End - f.at, false
		}
		f.hidden = f.hidden[1:]
	}
	return math.MaxInt64, true
}

// findOld records in e the old addresses in the output for in. p is the plan that was carried out,
// or nil if the input stays as it is.
func (c *Command) findOld(ctx context.Context, in *input.Document, p *plan, e *report.Entry) {
	if c.old == nil || in.At == nil {
		return
	}
	if p != nil && p.Edited() && e.Result.Outcome() != report.Rewritten {
		p = nil // the plan could not be written
	}
	f := c.newOldFinder(max(in.FirstLine(), 1))
	err := f.begin(e, p, 0)
	switch {
	case err != nil:
	case p != nil && p.Edited():
		err = p.Write(f)
	default:
		head := make([]byte, min(in.Size, textHead))
		n, failed := in.At.ReadAt(head, 0)
		if failed != nil && !errors.Is(failed, io.EOF) || binary(head[:n]) && f.hidden == nil {
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

// textHead is the number of bytes that tell text from binary data.
const textHead = 8 << 10

// binary reports whether data is binary. Binary data has no lines.
func binary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), textHead)], 0) >= 0 }
