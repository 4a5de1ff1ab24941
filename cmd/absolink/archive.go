package main

import (
	"bytes"
	"context"
	"io"

	"absolink/base"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/mime/httpmsg"
	"absolink/mime/warc"
)

// readArchive takes the documents of a web archive through f.
func (r *runner) readArchive(ctx context.Context, in *input.Document, out io.Writer, f work, e *report.Entry) {
	content, err := in.Mailbox(ctx)
	if err != nil {
		e.Fail(report.Failed, err)
		return
	}
	defer content.Close()
	r.readItems(ctx, in, out, f, e, r.nextRecord(in, content))
}

// nextRecord returns what reads the records of a web archive that hold documents,
// and those with which something is wrong.
func (r *runner) nextRecord(in *input.Document, content io.Reader) func() (*item, error) {
	o := warc.Options{Limit: int(r.o.maxSize)}
	u := section(in)
	if u != nil {
		o.Start, o.End, o.Index = u.Offset, u.End(), r.index(in.Path)
	}
	if u != nil && u.Offset > 0 {
		o.Number, o.Line = u.Item, u.Line
	}
	records, last := warc.NewReader(content, o), int64(-1)
	open := func(w *worker, m *item) { r.openRecord(in, w, m) }
	return func() (*item, error) {
		for u == nil || u.Length > 0 {
			rec, err := records.Next()
			if err != nil {
				return nil, err
			}
			shares := rec.Offset == last
			last = rec.Offset
			if rec.Document() || len(rec.Defects) > 0 {
				return &item{holder: rec, held: int64(cap(rec.Data)), end: rec.End, record: rec, shares: shares, open: open}, nil
			}
			rec.Release()
		}
		return nil, io.EOF
	}
}

// index returns what is known of where records begin in a web archive, for all of its
// units.
func (r *runner) index(path string) *warc.Index {
	x, _ := r.indexes.LoadOrStore(path, new(warc.Index))
	return x.(*warc.Index)
}

// openRecord makes the account of a record and the document that it holds, which w
// has until the next one.
func (r *runner) openRecord(in *input.Document, w *worker, m *item) {
	rec, number, line := m.record, m.record.Number, m.record.Line
	if !counts(in) {
		number, line = 0, 0
	}
	e := &report.Entry{Source: in.Source, Item: number, Unit: unitOf(in, rec.Offset, max(rec.End-rec.Offset, 1), number, line), Kind: input.HTTP.String(), Bytes: int64(len(rec.Data)) + rec.Skipped, Outcome: report.Skipped}
	var damage []document.Problem
	for _, d := range rec.Defects {
		damage = append(damage, document.Problem{Offset: d.Offset, Text: d.Text})
	}
	if in.Coding == coding.None && !rec.Compressed {
		document.Place(damage, nil, rec.Data, rec.Offset, int64(len(rec.Data)), line)
	}
	e.Add(damage...)
	if m.entry = e; m.shares {
		e.Unit.Item = 0
	}
	if rec.Number == 0 {
		return
	}
	e.Inner, e.URI = report.Record, rec.TargetURI
	if e.URI == "" {
		e.RecordID, _ = rec.Get("WARC-Record-ID")
	}
	switch {
	case rec.Fill(&w.response, r.o.http()):
		m.doc = w.document(in, rec, number, line)
	case rec.Skipped > 0:
		e.Reason = "larger than --max-size"
	default:
		e.Reason = "holds no document that is read"
	}
}

// document returns the document in a record, of which w has the response.
func (w *worker) document(in *input.Document, rec *warc.Record, number int, line int64) *input.Document {
	at := rec.Block.Start
	d := &w.record
	*d = input.Document{File: in.File, Kind: input.HTTP, Coding: in.Coding,
		Inner: true, Item: number, Origin: rec.Offset, Compressed: rec.Compressed, Target: rec.TargetURI, Response: &w.response}
	if !rec.Compressed {
		d.Origin += int64(at)
	}
	if line > 0 {
		d.Line = line + int64(bytes.Count(rec.Data[:at], []byte("\n")))
	}
	d.Hold(rec.Data[at:rec.Block.End])
	return d
}

// http returns how responses are read.
func (o *options) http() httpmsg.Options {
	return httpmsg.Options{Base: o.httpBase, Limit: int(o.maxSize)}
}

// retrieved returns the layers around a record, of which outer are the outermost.
func retrieved(in *input.Document, outer *base.Layer) *base.Layer {
	if in.Target == "" {
		return outer
	}
	return &base.Layer{Source: base.WARCTarget, Value: in.Target, Outer: outer}
}
