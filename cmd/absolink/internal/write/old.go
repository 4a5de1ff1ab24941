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

// oldFinder notes which old addresses are in what is written to it. What a transfer encoding
// hides is looked through as it is decoded, and a place in it is where its bytes stand.
type oldFinder struct {
	*site.OldScanner
	old    *site.Old
	limits mime.Limits

	e      *report.Entry // of what is written
	part   string        // of the place that is told
	at     int64         // offset of what is written next, in the message
	hidden []hiddenBody  // that follow
}

// hiddenBody is the body of a part whose text does not stand in the message as it is.
type hiddenBody struct {
	mime.Span
	section string
	places  []hiddenPlace
}

type hiddenPlace struct {
	at   int64 // where it begins in the message
	text string
}

func (c *Command) newOldFinder(line int64) *oldFinder {
	f := &oldFinder{old: c.old, limits: c.o.Links.Documents().Limits}
	f.OldScanner = c.old.Scanner(line, func(line, column int64, text string) {
		f.e.Edits.Old++
		f.e.Problems.Add(report.Problem{Part: f.part, Offset: -1, Line: line, Column: column,
			Text: site.SayOld(console.Printable(text)), Minor: true})
	})
	return f
}

// begin says that a message is written next, of which at bytes come before its content; p is
// its plan, nil for what is looked through as it stands.
func (f *oldFinder) begin(e *report.Entry, p *plan, at int64) error {
	f.e, f.at, f.hidden = e, -at, nil
	if p == nil || p.Message == nil {
		return nil
	}
	m := p.Message
	if p.Edited() {
		out, err := p.Result()
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

// look looks through the body of a part, if a transfer encoding hides it. One that cannot be
// decoded is looked through as it stands.
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

// Write looks through p. It never fails.
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

// next tells the places that stand where the next byte does, and returns how many bytes follow
// that are all looked through, or all not.
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

// findOld notes in e which old addresses are in what was written for in, by p, or nil where it
// is as it was.
func (c *Command) findOld(ctx context.Context, in *input.Document, p *plan, e *report.Entry) {
	if c.old == nil || in.At == nil {
		return
	}
	if p != nil && p.Edited() && e.Result.Outcome() != report.Rewritten {
		p = nil // it could not be written
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

// textHead is how many bytes say whether something is text.
const textHead = 8 << 10

// binary reports whether data is no text, and so has no lines.
func binary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), textHead)], 0) >= 0 }
