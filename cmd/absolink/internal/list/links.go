// Package list prints what inputs hold: [Links] their links, as lines or records, and [Bases]
// the layers that may give their documents a base. Both are commands of package run.
package list

import (
	"context"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/extract"
	"absolink/mime/document"
)

// Links prints links, in the order of the documents.
type Links struct {
	Find   *links.Options // that have been checked
	Format record.Format
	Unique bool // repeats of a URI are dropped
}

// Output returns what the run is to write to for lines to reach out.
func (c *Links) Output(out io.Writer) io.Writer {
	if c.Unique {
		return &record.Unique{W: out}
	}
	return out
}

// NewWorker returns a worker that prints links.
func (c *Links) NewWorker(r *run.Run) run.Worker {
	return &linkWorker{Finder: links.NewFinder(c.Find), c: c, run: r}
}

// Unmatched says which roots and choices matched nothing.
func (c *Links) Unmatched() []string { return c.Find.Unmatched() }

// flush is the size from which lines are handed on to the output.
const flush = 32 << 10

// linkWorker prints the links of inputs.
type linkWorker struct {
	*links.Finder
	c       *Links
	run     *run.Run
	lines   []byte
	memo    record.Memo    // of the lines
	message record.Message // that the document at hand is of
}

// Work prints the links of one input.
func (w *linkWorker) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if in.Kind.Container() {
		w.run.Items(ctx, in, out, e)
		return
	}
	set := w.Open(in, e)
	if set == nil {
		return
	}
	if w.c.Format != record.Text {
		w.message = record.MessageOf(set.Message, w.c.Find.Context)
	}
	for d := range set.All() {
		if ctx.Err() != nil {
			e.Fail(report.Failed, ctx.Err())
			return
		}
		w.document(in, d, out, e)
	}
	w.Tell(e, in, set.Problems())
	if !in.Inner {
		w.run.Left(e, &e.Links, e.NoPart)
	}
}

// document prints the links of one document.
func (w *linkWorker) document(in *input.Document, d *document.Document, out io.Writer, e *report.Entry) {
	lines := w.lines[:0]
	for l := range w.Links(d, e) {
		lines = w.append(lines, in, d, &l)
		if len(lines) >= flush {
			out.Write(lines)
			lines = lines[:0]
		}
	}
	out.Write(lines)
	w.lines = lines
}

// append appends the line of one link, in a frame where repeats are dropped.
func (w *linkWorker) append(dst []byte, in *input.Document, d *document.Document, l *extract.Link) []byte {
	format, unique := w.c.Format, w.c.Unique
	if format == record.Text && !unique {
		return record.AppendText(dst, l.Status.String(), l.URI)
	}
	rec := record.Record{Status: l.Status.String(), URI: l.URI, Memo: &w.memo}
	if format != record.Text {
		fill(&rec, in, d, l)
		rec.Message = w.message
		rec.Context, rec.Text = w.c.Find.Context, w.Text(l)
		rec.Checked, rec.Found = w.c.Find.CheckFiles, w.Meant()
	}
	if !unique {
		return format.Append(dst, &rec)
	}
	line := format.Append(nil, &rec)
	if len(line) == 0 {
		return dst
	}
	key := l.URI
	if len(key) == 0 {
		key = append([]byte(rec.Status+" "), l.Value...)
	}
	return record.Frame(dst, key, line)
}

// fill sets what a whole record has besides status and URI. In a coding nothing has
// a place in the source.
func fill(rec *record.Record, in *input.Document, d *document.Document, l *extract.Link) {
	rec.Source, rec.Item, rec.Part, rec.Type = in.Source, in.Item, d.Section(), d.Type
	if d.Placed() {
		at := d.Source(l.Span)
		rec.Placed, rec.Offset, rec.End = true, at.Start, at.End
		rec.Line, rec.Column = d.Position(at.Start)
	}
	rec.Element, rec.Attribute, rec.Kind, rec.Rel = l.Element, l.Attr, l.Kind.String(), strings.Fields(l.Rel)
	rec.Raw, rec.Value = known(d.Data[l.Start:l.End]), known(l.Value)
	rec.Base, rec.Layer, rec.Warnings = l.Base, "none", warnings(l, rec.Raw)
	if l.Err != nil {
		rec.Error = record.Why(l.Err)
	}
	if l.From != nil {
		rec.Layer, rec.BaseFrom, rec.BasePart = l.From.Source.Layer(), l.From.Source.String(), l.From.Part
	}
}

// invalidUTF8 is the warning of what cannot be shown as it is.
const invalidUTF8 = "invalid-utf8"

// warnings returns those of a link, with one for what is written there if a record
// cannot show it: bytes of another charset.
func warnings(l *extract.Link, raw []byte) []string {
	if utf8.Valid(raw) || slices.Contains(l.Warnings, invalidUTF8) {
		return l.Warnings
	}
	return append([]string{invalidUTF8}, l.Warnings...)
}

// known tells an empty value from nil, which stands for an unknown one.
func known(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
