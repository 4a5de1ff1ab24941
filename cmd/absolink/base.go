package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"absolink/base"
	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/figure"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
)

// explanation is the command base.
type explanation struct {
	options
	format record.Format
	r      *runner
}

func (p *program) baseCommand() *cobra.Command {
	x := &explanation{}
	c := &cobra.Command{
		Use:   "base [INPUT...]",
		Short: "Show which layer gives each document its base, and why",
		Long: `Print for each document the boxes of RFC 2396 Section 5.1 with what fills them,
the one that gives the base marked with *, and why those inside it do not.
The figure shows 200 characters of a value. With --format jsonl the first line of an
input that has a layer has its values whole, later ones cut ("cut":true).
Flags of extract and rewrite that choose references are taken, and change nothing.
` + inputHelp + `
` + unitsHelp + reportHelp + `
` + exitHelp + `130 interrupted.`,
		Example: "  absolink base message.eml\n  absolink base --format jsonl --base http://example.com/ page.html",
		RunE: func(c *cobra.Command, args []string) error {
			return p.base(c.Context(), x, args)
		},
	}
	x.register(c)
	takeIdly(c, new(reading).register, new(rewriting).registerShared)
	x.sharing.register(c)
	flag.Enum(c, &x.format, "format", "`F` of the answer: text (the figure) or jsonl", record.Text, record.JSONL)
	return c
}

func (p *program) base(ctx context.Context, x *explanation, args []string) error {
	if err := x.checkFormat(&x.format); err != nil {
		return err
	}
	r, err := p.newRunner(&x.options, args, true)
	if err != nil {
		return err
	}
	x.r = r
	return r.run(ctx, args, p.out, x.explain)
}

// explain prints the layers of the documents of one input.
func (x *explanation) explain(ctx context.Context, w *worker, in *input.Document, out io.Writer, e *report.Entry) {
	set := x.r.listed(w, in, e)
	if set == nil {
		return
	}
	if x.format == record.JSONL {
		w.message = messageOf(set.Message, true)
	}
	seen := make(map[*base.Layer]bool)
	for d := range set.All() {
		e.Documents++
		layers := d.Base()
		steps := w.bases.Explain(layers, &w.resolver.Policy)
		uri, from := w.bases.Base(layers, &w.resolver.Policy)
		e.Base(host(uri))
		w.line = x.append(w, in, d, steps, uri, from, seen)
		out.Write(w.line)
	}
	e.Add(set.Problems()...)
}

func (x *explanation) append(w *worker, in *input.Document, d *document.Document, steps []base.Step, uri string, from *base.Layer, seen map[*base.Layer]bool) []byte {
	if x.format == record.JSONL {
		return appendBase(w.line[:0], in, d, &w.message, steps, uri, from, seen)
	}
	title := in.Source + itemOf(in)
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
