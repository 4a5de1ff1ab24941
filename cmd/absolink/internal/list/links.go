// Package list prints the links or bases of inputs. [Links] prints links, as lines or records.
// [Bases] prints the layers that may give documents a base. Both are commands of package run.
//
// Files in reading order: document.go, summary.go, hosts.go, page.go (--pages), seen.go (--seen),
// links.go, figure.go, bases.go.
package list

import (
	"context"
	"io"
	"slices"

	"absolink/cmd/absolink/internal/columns"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/fault"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve/ascii"
)

// Links prints links, in the order of the documents.
type Links struct {
	LinkOptions *links.Options // links.Options.Prepare must have been called
	Format      record.Format
	Fields      []string // keys of records, in this order; empty for the default keys
	Unique      bool     // print no link twice: links without a URI are compared by status and value
	Seen        string   // file with the URIs that are not printed; printed URIs are added; implies Unique
	Pages       bool     // also print a record for each document
	Stream      bool     // also print a record for each failure, and for each unit
	Edges       bool     // with Pages and Stream: also print records of the links between hosts and between domains
	Pipe        bool     // the inputs are the frames of --pipe: they are not units, and there is no header row

	layout *record.Layout // set by Prepare
	seen   *seenWriter    // set by OpenSeen; nil without Seen
}

// Prepare checks the options of the output, and sets the options of the run that depend on them.
// terminal says that standard output is a terminal. The error is a [*flag.Error].
func (c *Links) Prepare(r *run.Options, terminal bool) error {
	if c.LinkOptions.LinkText && c.Format == record.Text {
		return flag.Errorf("--context needs --format jsonl, csv, tsv or arrow")
	}
	if c.Format == record.Text {
		// The whole message is "--status unresolved: these links have no absolute URI to print: add
		// --format jsonl".
		if err := c.LinkOptions.Choice.CheckStatus("to print: add --format jsonl"); err != nil {
			return err
		}
	}
	if c.Edges && !(c.Pages && c.Stream) {
		return flag.Errorf("--edges counts the links of the pages of units: add --stream and --pages")
	}
	if c.Pipe {
		c.Stream = c.Format != record.TSV // rows have no place for failures
	}
	layout, err := record.NewLayout(c.Format, c.Fields,
		record.With{Context: c.LinkOptions.LinkText, Checked: c.LinkOptions.Targets.Check, Categories: c.Pages ||
			c.Stream, Pages: c.Pages, Units: c.Stream, Edges: c.Edges})
	if err != nil {
		return err
	}
	switch {
	case c.Stream && r.Inputs.Units == "" && !c.Pipe:
		return flag.Errorf("--stream needs --units FILE: it prints records about units")
	case c.Stream && c.Format != record.JSONL && c.Format != record.Arrow:
		return flag.Errorf("--stream needs --format jsonl or arrow")
	case c.Format == record.Arrow && r.Account.Report == input.Stdin:
		return flag.Errorf("--format arrow cannot hold the report of --report -: give --format jsonl")
	case c.Format == record.Arrow && terminal:
		return flag.Errorf("--format arrow is for programs: send it to a file or a pipe")
	case c.Stream && c.Seen != "":
		return flag.Errorf("--stream gives each unit its own records, and --seen drops some: leave one of them out")
	case c.Pages && c.Seen != "":
		return flag.Errorf("--pages counts all links of a page, and --seen drops some: leave one of them out")
	case c.Stream && c.Unique && !c.Pipe:
		return flag.Errorf("--stream gives each unit its own records, and --unique drops some: leave one of them out")
	case c.LinkOptions.Reading.Options.Robot != "" && !c.Pages && !c.LinkOptions.Choice.ByRel():
		return flag.Errorf("--robot-name needs --rel or --pages: add one")
	case c.Pages && c.Format == record.Text:
		return flag.Errorf("--pages needs --format jsonl, csv, tsv or arrow")
	case c.Pages && c.Unique:
		return flag.Errorf("--pages counts all links of a page, and --unique drops some: leave one of them out")
	}
	c.Unique = c.Unique || c.Seen != ""
	c.LinkOptions.LinkText = c.LinkOptions.LinkText || layout.Has("text")
	r.Account.Stream.On = c.Stream
	r.Account.Stream.Edges = c.Edges
	r.Inputs.MarkUnitEnds = c.Stream
	if c.Format == record.Arrow {
		r.Account.Stream.Columns = layout
	}
	r.Account.HelpfulFlags = c.LinkOptions.HelpfulFlags
	r.Account.ResultsOnStdout = true
	if !c.Pipe {
		r.Header = layout.Header()
	}
	c.layout = layout
	return nil
}

// Output returns the writer to which the run must write instead of out, and a function that
// completes the output.
func (c *Links) Output(out io.Writer) (w io.Writer, end func() error) {
	end = func() error { return nil }
	waiting := func() int { return 0 }
	lines := out
	if c.Format == record.Arrow {
		columns := columns.NewWriter(out, c.layout)
		lines, end, waiting = columns, columns.Close, columns.Waiting
	}
	switch {
	case c.seen != nil:
		c.seen.lines = &record.Unique{W: lines, Add: c.seen.list.Add}
		c.seen.waiting = waiting
		c.seen.out = out
		return c.seen, c.seen.forgetAfterError(end)
	case c.Unique:
		return &record.Unique{W: lines}, end
	}
	return lines, end
}

// NewWorker returns a worker that prints links.
func (c *Links) NewWorker(r *run.Run) container.Worker {
	t := c.layout
	w := &linkWorker{c: c, run: r, withDetails: t.Format != record.Text && t.HasOthers("uri", "status"),
		withLink:  t.DescribesLinks(),
		withPlace: t.HasAny("offset", "end", "line", "column"), withLine: t.HasAny("line", "column"),
		withHosts: c.Edges || t.HasAny("hosts", "domains")}
	w.describer = describer{Finder: links.NewFinder(c.LinkOptions), withPage: c.Edges || t.Has("page"),
		withIdentity: t.HasAny("message_id", "subject", "from", "date",
			"record_id"), withEnvelope: t.HasAny("subject", "from")}
	return w
}

// Unmatched returns a message for each flag that matched nothing in any input; see
// [links.Options.Unmatched].
func (c *Links) Unmatched() []string { return c.LinkOptions.Unmatched() }

// flushSize is the number of bytes at which linkWorker.lines are written to the output.
const flushSize = 32 << 10

// linkWorker prints the links of inputs.
type linkWorker struct {
	describer
	c     *Links
	run   *run.Run
	lines []byte        // lines that are not yet written to the output
	memo  record.Memo   // cache for appending lines
	rec   record.Record // record of the current link; all links of a document share the document fields

	domains  record.DomainCache
	page     page
	reported int // number of problems of the current input before the current page

	withDetails bool // lines are records with more than URI and status
	withLink    bool // records have values of the link other than URI and status
	withPlace   bool // records have an offset, line or column
	withLine    bool // records have a line or column
	withHosts   bool // records of pages have the hosts or domains of their links
}

// Work prints the links of one input.
func (w *linkWorker) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if in.Kind.Container() {
		w.run.Containers.List(ctx, in, out, e)
		return
	}
	if !w.Open(in, e) {
		return
	}
	w.startInput(in, e)
	w.SetContext(ctx)
	for d := range w.Docs.All() {
		if ctx.Err() != nil {
			break
		}
		w.startRecords(in, d)
		w.setPage(d, out, e)
		w.printLinks(d, out, e)
		w.completePage(d)
		w.TryMoreOptions(d)
	}
	if ctx.Err() != nil {
		e.Result.Fail(ctx.Err())
		return
	}
	w.endPage(out, e)
	w.NoteProblems(e, in, w.Docs.Problems())
	if !in.Place.Inner {
		w.run.Account.NoteUnresolved(e, e.Links.Unresolved())
	}
}

// startInput prepares the records of an input. Finder.Open must have been called for in.
func (w *linkWorker) startInput(in *input.Document, e *report.Entry) {
	w.setInput(in)
	if w.withPage {
		e.Subject.Page = w.InputURI(in)
	}
	w.reported = 0
	w.page = page{}
	w.lines = w.lines[:0]
}

// startRecords prepares the records of the links of d, a document of in.
func (w *linkWorker) startRecords(in *input.Document, d *document.Document) {
	w.rec = record.Record{Memo: &w.memo}
	if w.withDetails {
		w.rec.Document = w.describe(in, d)
	}
	w.rec.Category = record.Link
}

// printLinks prints the links of d. With --pages their lines stay in w.lines until endPage writes
// the record of the page. If there are too many of them, printLinks writes that record itself.
func (w *linkWorker) printLinks(d *document.Document, out io.Writer, e *report.Entry) {
	found := 0
	printed := 0
	for l := range w.Links(d, e) {
		if w.PollCancelled() {
			return
		}
		if !w.Accept(d, &l, e) {
			continue
		}
		found++
		w.count(&l)
		if !w.c.Pages || w.page.written || len(w.lines) < maxHeld {
			w.printLink(d, &l, out)
			printed++
		}
	}
	if printed == found {
		return
	}
	w.completePage(d)
	w.page.rec.Error = w.pageError(e)
	w.writePage(out)
	scratch := new(report.Entry)
	again := 0
	for l := range w.Links(d, scratch) {
		if w.PollCancelled() {
			return
		}
		if !w.Accept(d, &l, scratch) {
			continue
		}
		again++
		if again > printed {
			w.printLink(d, &l, out)
		}
	}
}

// printLink appends the line of l, a link of d, to w.lines. If there are enough lines, it writes
// them to out, but with --pages only after the record of the page.
func (w *linkWorker) printLink(d *document.Document, l *extract.Link, out io.Writer) {
	w.lines = w.append(w.lines, d, l)
	if len(w.lines) >= flushSize && (!w.c.Pages || w.page.written) {
		w.flush(out)
	}
}

// flush writes w.lines.
func (w *linkWorker) flush(out io.Writer) {
	out.Write(w.lines)
	w.lines = w.lines[:0]
}

// append appends the line of one link. With Unique the line is in a frame for [record.Unique].
func (w *linkWorker) append(dst []byte, d *document.Document, l *extract.Link) []byte {
	layout := w.c.layout
	unique := w.c.Unique
	if layout.Format == record.Text && !unique {
		return record.AppendText(dst, l.Status.String(), l.URI)
	}
	rec := &w.rec
	rec.Status = l.Status.String()
	rec.URI = l.URI
	if w.withLink {
		w.fillRecord(rec, d, l)
	}
	if !unique {
		return layout.Append(dst, rec)
	}
	line := layout.Append(nil, rec)
	if len(line) == 0 {
		return dst
	}
	key := l.URI
	if len(key) == 0 {
		key = append([]byte(rec.Status+" "), l.Value...)
	}
	var uri []byte
	if w.c.seen != nil {
		uri = l.URI
	}
	return record.AppendFrame(dst, key, uri, line)
}

// fillRecord sets the fields of a record other than status and URI. A link in decoded content has
// no offsets in the source.
func (w *linkWorker) fillRecord(rec *record.Record, d *document.Document, l *extract.Link) {
	rec.HasPlace = w.withPlace && d.Placed()
	if rec.HasPlace {
		at := d.Source(l.Span)
		rec.Offset = at.Start
		rec.End = at.End
		if w.withLine {
			rec.Line, rec.Column = d.Position(at.Start)
		}
	}
	rec.Element = l.Element
	rec.Attribute = l.Attr
	rec.Kind = l.Kind.String()
	rec.Rel = slices.AppendSeq(rec.Rel[:0], ascii.Space.Split(l.Rel))
	rec.Raw = nonNil(d.Data[l.Start:l.End])
	rec.Value = nonNil(l.Value)
	rec.Base = l.Base
	rec.Layer = "none"
	rec.BaseFrom = ""
	rec.BasePart = ""
	rec.Warnings = warnings(l, rec.Raw)
	rec.Error = ""
	if l.Err != nil {
		rec.Error = fault.ErrorText(l.Err)
		if l.Status == extract.Unresolved {
			if why := w.BaseTooLongText(l); why != "" {
				rec.Error = why
			}
		}
	}
	if l.From != nil {
		rec.Layer = l.From.Source.Box()
		rec.BaseFrom = l.From.Source.String()
		rec.BasePart = l.From.Part
	}
	rec.Text = w.Text(l)
	rec.Found = w.FoundURI()
}

// invalidUTF8 is the warning for text that is not valid UTF-8.
const invalidUTF8 = "invalid-utf8"

// warnings returns the warnings of a link. It adds invalidUTF8 if raw, the reference as written, is
// not valid UTF-8: a record cannot show its bytes.
func warnings(l *extract.Link, raw []byte) []string {
	if record.ValidUTF8(raw) || slices.Contains(l.Warnings, invalidUTF8) {
		return l.Warnings
	}
	return append([]string{invalidUTF8}, l.Warnings...)
}

// nonNil returns b, or an empty slice if b is nil. In a record nil means that the value is unknown.
func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
