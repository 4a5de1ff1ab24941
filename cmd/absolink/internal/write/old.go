package write

import (
	"bytes"
	"context"
	"errors"
	"io"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/site"
)

// readOld makes what finds old addresses, if that is asked for.
func (c *Command) readOld() error {
	if !c.o.FindOld {
		return nil
	}
	if len(c.site.Map.Olds()) == 0 && !c.o.Unwayback {
		return flag.Errorf("--find-old goes with --map, --map-file or --unwayback, which say what is old")
	}
	c.old = site.NewOld(&c.site.Map, c.o.Unwayback)
	return nil
}

// oldScanner returns what notes in the entry that of returns which old addresses are written.
func (c *Command) oldScanner(of func() *report.Entry) *site.OldScanner {
	return c.old.Scanner(func(line, column int64, text string) {
		e := of()
		e.Old++
		e.Add(report.Problem{Offset: -1, Line: line, Column: column, Text: site.SayOld(console.Printable(text)), Minor: true})
	})
}

// findOld notes in e which old addresses are in what was written for in, by p, or nil where it
// is as it was.
func (c *Command) findOld(ctx context.Context, in *input.Document, p *plan, e *report.Entry) {
	if c.old == nil || in.At == nil {
		return
	}
	s := c.oldScanner(func() *report.Entry { return e })
	if p != nil && p.Edited() && e.Outcome == report.Rewritten {
		if err := p.Write(s); err != nil {
			e.Fail(report.Failed, err)
			return
		}
		s.Close()
		return
	}
	head := make([]byte, min(in.Size, 8<<10))
	if n, err := in.At.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) || bytes.IndexByte(head[:n], 0) >= 0 {
		return // what is binary has no lines
	}
	if _, err := io.Copy(output.Interruptible(ctx, s), io.NewSectionReader(in.At, 0, in.Size)); err != nil {
		e.Fail(report.Failed, err)
		return
	}
	s.Close()
}

// findOldIn does the same for a message of a mailbox, whose lines are those of the whole.
func (b *rewrittenMailbox) findOldIn(m *editedMessage) error {
	if b.c.old == nil {
		return nil
	}
	if b.old == nil {
		b.old = b.c.oldScanner(func() *report.Entry { return b.oldOf })
	}
	b.oldOf = m.Entry
	if m.Entry.Inner == "" {
		b.oldOf = b.e
	}
	err := b.written.Write(b.old, m.Message.Message, m.edits())
	b.old.Flush()
	return err
}
