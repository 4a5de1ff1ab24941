package list

import (
	"context"
	"io"
	"sync/atomic"

	"absolink/base"
	"absolink/cmd/absolink/internal/authority"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/mime/document"
)

// Bases prints the layers around each document, the layer that gives the base, and the reasons why
// the other layers do not. The output for a document is the figure of RFC 2396 Section 5.1, a
// record, or a line with only the base. With Summary, one line for each base counts the documents.
type Bases struct {
	LinkOptions *links.Options // links.Options.Prepare must have been called
	Format      record.Format  // Text, JSONL, CSV or TSV
	// Figure is for the format Text: draw the figure of each document. If Figure is false, a single
	// document gets a figure, and several documents get lines.
	Figure  bool
	Summary bool // print one line for each base; with the formats Text, CSV and TSV

	layout    *record.Layout
	documents atomic.Int64           // number of documents
	figure    atomic.Pointer[[]byte] // figure of the first document
	sink      sink                   // nil if the output for each document is printed at once
}

// baseFields are the columns of CSV and TSV.
var baseFields = []string{"source", "item", "part", "page", "message_id",
	"subject", "from", "date", "record_id", "record_offset", "type",
	"base", "base_layer", "base_source", "base_part"}

// Output returns the writer to which the run must write instead of out, and the header row.
func (c *Bases) Output(out io.Writer) (w io.Writer, header string, err error) {
	if c.Format == record.CSV || c.Format == record.TSV {
		if c.layout, err = record.NewLayout(c.Format, baseFields, record.With{}); err != nil {
			return nil, "", err
		}
		header = c.layout.Header()
	}
	switch {
	case c.Summary:
		c.sink = &summary{w: out, format: c.Format}
		return c.sink, "", nil
	case c.Format == record.Text && !c.Figure:
		c.sink = &lineOrFigure{w: out, figure: &c.figure}
		return c.sink, "", nil
	}
	return out, header, nil
}

// End completes the output. Call it after the run.
func (c *Bases) End() error {
	if c.sink == nil {
		return nil
	}
	return c.sink.end()
}

// NewWorker returns a worker that prints layers.
func (c *Bases) NewWorker(r *run.Run) container.Worker {
	w := &baseWorker{c: c, run: r}
	records := c.Format != record.Text && !c.Summary
	w.describer = describer{Finder: links.NewFinder(c.LinkOptions),
		withPage: records, withIdentity: records, withEnvelope: true}
	return w
}

// Unmatched returns a message for each flag that matched nothing in any input; see
// [links.Options.Unmatched].
func (c *Bases) Unmatched() []string { return c.LinkOptions.Unmatched() }

// baseWorker prints the layers of inputs.
type baseWorker struct {
	describer
	c    *Bases
	run  *run.Run
	line []byte
}

// Work prints the layers of the documents of one input.
func (w *baseWorker) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if in.Kind.Container() {
		w.run.Containers.List(ctx, in, out, e)
		return
	}
	if !w.Open(in, e) {
		return
	}
	w.setInput(in)
	seen := make(map[*base.Layer]bool)
	for d := range w.Docs.All() {
		if ctx.Err() != nil {
			e.Result.Fail(ctx.Err())
			return
		}
		e.Links.Documents++
		layers := d.Base()
		uri, from := w.Base(layers)
		e.Links.AddHost(authority.Of(uri))
		w.line = w.append(in, d, layers, uri, from, seen)
		out.Write(w.line)
	}
	w.NoteProblems(e, in, w.Docs.Problems())
}

// append returns the output for the document d, in the memory of w.line. uri is the base, and from
// the layer that gives it. seen has the layers in earlier records of the input.
func (w *baseWorker) append(in *input.Document, d *document.Document,
	layers *base.Layer, uri string, from *base.Layer, seen map[*base.Layer]bool) []byte {
	c, title := w.c, in.Source+in.ItemLabel()
	if s := d.Section(); s != "" {
		title += " part " + s
	}
	switch {
	case c.Summary:
		return appendCounted(w.line[:0], in, title, uri, from)
	case c.Format == record.JSONL:
		about := w.describe(in, d)
		return appendBase(about.AppendTo(record.Object(append(w.line[:0], '{'))), w.Explain(layers), uri, from, seen)
	case c.layout != nil:
		rec := record.Record{Document: w.describe(in, d), Base: uri, Layer: base.None.Box()}
		if from != nil {
			rec.Layer = from.Source.Box()
			rec.BaseFrom = from.Source.String()
			rec.BasePart = from.Part
		}
		return c.layout.Append(w.line[:0], &rec)
	case c.Figure:
		return appendFigure(w.line[:0], title, w.Explain(layers), uri)
	}
	if c.documents.Add(1) == 1 { // it may be the only document
		drawn := appendFigure(nil, title, w.Explain(layers), uri)
		c.figure.Store(&drawn)
	}
	return appendLine(w.line[:0], title, uri, from)
}

// appendBase appends the members of a line of --format jsonl that follow the members of the
// document, and ends the line. seen has the layers in earlier lines of the input.
func appendBase(o record.Object, steps []base.Step, uri string, from *base.Layer, seen map[*base.Layer]bool) []byte {
	o = o.String("base", uri)
	if from == nil {
		o = o.String("base_layer", base.None.Box())
	} else {
		o = o.String("base_layer", from.Source.Box()).String("base_source",
			from.Source.String()).String("base_part", from.Part)
	}
	list := []byte{'['}
	for i, s := range steps {
		if i > 0 {
			list = append(list, ',')
		}
		list = appendStep(list, s, seen[s.Layer])
		seen[s.Layer] = true
	}
	return append(o.Raw("layers", append(list, ']')), "}\n"...)
}

// appendStep appends a layer. All parts of a message repeat the layers around them, so appendStep
// cuts the long values of a layer that was seen before.
func appendStep(dst []byte, s base.Step, seen bool) []byte {
	used := "false"
	if s.Used {
		used = "true"
	}
	o := record.Object(append(dst, '{'))
	o = o.String("layer", s.Layer.Source.Box()).String("source", s.Layer.Source.String()).String("part", s.Layer.Part)
	value, uri := s.Layer.Value, s.URI
	cut := false
	if seen {
		var cutValue, cutURI bool
		value, cutValue = cutLong(value)
		uri, cutURI = cutLong(uri)
		cut = cutValue || cutURI
	}
	o = o.Bytes("value", []byte(value)).String("uri", uri).Raw("used", []byte(used)).String("reason", s.Reason)
	if cut {
		o = o.Raw("cut", []byte("true"))
	}
	return append(o, '}')
}
