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
	w := &baseWorker{format: c.Format, run: r}
	json := c.Format == record.JSONL
	w.described = described{Finder: links.NewFinder(c.Find), paged: json, told: json, whole: true}
	return w
}

// Unmatched says which roots matched nothing.
func (c *Bases) Unmatched() []string { return c.Find.Unmatched() }

// baseWorker prints the layers of inputs.
type baseWorker struct {
	described
	format record.Format
	run    *run.Run
	line   []byte
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
	w.enter(in, set.Message)
	seen := make(map[*base.Layer]bool)
	for d := range set.All() {
		e.Documents++
		layers := d.Base()
		steps := w.Explain(layers)
		uri, from := w.Base(layers)
		e.Base(record.Authority(uri))
		w.line = w.append(in, d, steps, uri, from, seen)
		out.Write(w.line)
	}
	w.Tell(e, in, set.Problems())
}

// append returns the figure or the line of one document, in w.line.
func (w *baseWorker) append(in *input.Document, d *document.Document, steps []base.Step, uri string, from *base.Layer, seen map[*base.Layer]bool) []byte {
	if w.format == record.JSONL {
		about := w.describe(in, d)
		return appendBase(about.AppendTo(record.Object(append(w.line[:0], '{'))), steps, uri, from, seen)
	}
	title := in.Source + in.Label()
	if s := d.Section(); s != "" {
		title += " part " + s
	}
	return figure.Append(w.line[:0], title, steps, uri)
}

// appendBase appends to o what stands in a line of --format jsonl behind the document, and
// ends it. seen are the layers of which the input has had a line already.
func appendBase(o record.Object, steps []base.Step, uri string, from *base.Layer, seen map[*base.Layer]bool) []byte {
	o = o.String("base", uri)
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
