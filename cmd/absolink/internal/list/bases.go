package list

import (
	"context"
	"io"

	"absolink/base"
	"absolink/cmd/absolink/internal/figure"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/mime/document"
)

// Bases prints for each document the layers around it, which of them gives the base, and why
// those inside it do not: as the figure of RFC 2396 Section 5.1, or a line of JSON.
type Bases struct {
	Find   *links.Options // that have been checked
	Format record.Format  // Text, the figure, or JSONL
}

// NewWorker returns a worker that prints layers.
func (c *Bases) NewWorker(r *run.Run) run.Worker {
	return &baseWorker{Finder: links.NewFinder(c.Find), format: c.Format, run: r}
}

// Unmatched says which roots matched nothing.
func (c *Bases) Unmatched() []string { return c.Find.Unmatched() }

// baseWorker prints the layers of inputs.
type baseWorker struct {
	*links.Finder
	format  record.Format
	run     *run.Run
	line    []byte
	message record.Message // that the document at hand is of
}

// Work prints the layers of the documents of one input.
func (w *baseWorker) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if in.Kind.Container() {
		w.run.Items(ctx, in, out, e)
		return
	}
	set := w.Open(in, e)
	if set == nil {
		return
	}
	if w.format == record.JSONL {
		w.message = record.MessageOf(set.Message, true)
	}
	seen := make(map[*base.Layer]bool)
	for d := range set.All() {
		e.Documents++
		layers := d.Base()
		steps := w.Explain(layers)
		uri, from := w.Base(layers)
		e.Base(links.Authority(uri))
		w.line = w.append(in, d, steps, uri, from, seen)
		out.Write(w.line)
	}
	w.Tell(e, in, set.Problems())
}

// append returns the figure or the line of one document, in w.line.
func (w *baseWorker) append(in *input.Document, d *document.Document, steps []base.Step, uri string, from *base.Layer, seen map[*base.Layer]bool) []byte {
	if w.format == record.JSONL {
		return appendBase(w.line[:0], in, d, &w.message, steps, uri, from, seen)
	}
	title := in.Source + in.Label()
	if s := d.Section(); s != "" {
		title += " part " + s
	}
	return figure.Append(w.line[:0], title, steps, uri)
}

// appendBase appends one line of --format jsonl. seen are the layers of which the
// input has had a line already.
func appendBase(dst []byte, in *input.Document, d *document.Document, m *record.Message, steps []base.Step, uri string, from *base.Layer, seen map[*base.Layer]bool) []byte {
	o := record.Object(append(dst, '{'))
	o = o.String("source", in.Source)
	if in.Item > 0 {
		o = o.Int("item", int64(in.Item))
	}
	o = o.String("part", d.Section()).String("message_id", m.ID).String("subject", m.Subject).String("from", m.From).String("date", m.Date)
	o = o.String("type", d.Type).String("base", uri)
	if from == nil {
		o = o.String("base_layer", base.None.Layer())
	} else {
		o = o.String("base_layer", from.Source.Layer()).String("base_source", from.Source.String()).String("base_part", from.Part)
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

// appendStep appends a layer. All parts of a message repeat those around them, so
// of one that was seen the long values are cut.
func appendStep(dst []byte, s base.Step, seen bool) []byte {
	used := "false"
	if s.Used {
		used = "true"
	}
	o := record.Object(append(dst, '{'))
	o = o.String("layer", s.Layer.Source.Layer()).String("source", s.Layer.Source.String()).String("part", s.Layer.Part)
	value, uri, cut := s.Layer.Value, s.URI, false
	if seen {
		var cutValue, cutURI bool
		value, cutValue = figure.Cut(value)
		uri, cutURI = figure.Cut(uri)
		cut = cutValue || cutURI
	}
	o = o.Bytes("value", []byte(value)).String("uri", uri).Raw("used", []byte(used)).String("reason", s.Reason)
	if cut {
		o = o.Raw("cut", []byte("true"))
	}
	return append(o, '}')
}
