package account

import (
	"cmp"
	"io"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
)

// A trailer follows the records of a unit, and counts them. So a reader of the stream sees which
// units are complete, without the exit status or another file. If the trailer is missing, the
// process ended too early. The record of a failed input stands among the records of its unit.

// stream writes the records of Options.Stream, and counts the records of the current unit.
type stream struct {
	o                  *Stream
	pages, links, dead int    // number of records of the current unit
	edges              edges  // of the current unit that are not written yet
	edgeCount          int    // number of edges of the current unit that are written
	failure            string // why the unit was not read to its end, or empty
	err                error  // the first error of a write
}

// add counts the pages and links of an entry, and keeps the first reason why an input of the unit
// was not read to its end. It adds up the edges, and writes them if there are many.
func (s *stream) add(e *report.Entry, out io.Writer) {
	s.pages += e.Links.Pages
	s.links += e.Links.ByStatus.Sum()
	if e.Result.HasClass(report.Unavailable) && s.failure == "" {
		s.failure = e.Result.Reason()
	}
	for i := range e.Links.Edges {
		s.edges.add(&e.Links.Edges[i])
	}
	if s.edges.count > maxEdges {
		s.writeEdges(out)
	}
}

// writeTrailer writes the trailer of a unit and starts the counts of the next unit.
func (s *stream) writeTrailer(u *unit.Unit, out io.Writer) {
	s.writeEdges(out)
	status := "done"
	if s.failure != "" {
		status = "failed"
	}
	if s.o.Columns != nil {
		s.write(out, s.o.Columns.Append(nil, &record.Record{Category: record.Unit, Unit: u.Text, Status: status,
			Error: s.failure, Sums: record.Sums{Pages: s.pages, Links: s.links, Dead: s.dead, Edges: s.edgeCount}}))
	} else {
		j := newObject(nil, record.Unit).String("unit", u.Text).String("status", status).String("error", s.failure)
		j = j.Int("page_count", int64(s.pages)).Int("link_count", int64(s.links)).Int("dead_count", int64(s.dead))
		if s.o.Edges {
			j = j.Int("edge_count", int64(s.edgeCount))
		}
		s.write(out, append(j, "}\n"...))
	}
	*s = stream{o: s.o, err: s.err}
}

// writeDead writes the record of a failed input or item. unit is the line of --units that reads the
// input again.
func (s *stream) writeDead(e *report.Entry, unit string, out io.Writer) {
	s.dead++
	subject := &e.Subject
	d := record.Document{Source: subject.Source, Item: subject.Item, Page: cmp.Or(subject.Page, subject.URI),
		Message: record.Message{ID: subject.Message.ID}, RecordID: subject.RecordID,
		Within: subject.Inner != "" && subject.Unit.Ranged, RecordOffset: subject.Unit.Offset}
	if s.o.Columns != nil {
		s.write(out, s.o.Columns.Append(nil,
			&record.Record{Category: record.Dead, Document: d, Unit: unit, Error: e.Failure()}))
		return
	}
	j := d.AppendTo(newObject(nil, record.Dead)).String("unit", unit).String("error", e.Failure())
	s.write(out, append(j, "}\n"...))
}

// writeEdges writes the sums of the edges so far, and starts new sums.
func (s *stream) writeEdges(out io.Writer) {
	for _, e := range s.edges.all() {
		s.edgeCount++
		if s.o.Columns != nil {
			s.write(out, s.o.Columns.Append(nil, &record.Record{Category: e.category,
				Edge: record.Edge{Referrer: e.referrer, Target: e.target},
				Sums: record.Sums{Pages: e.pages, Links: e.links}}))
			continue
		}
		j := newObject(nil, e.category).String("referrer", e.referrer).String("target", e.target)
		j = j.Int("page_count", int64(e.pages)).Int("link_count", int64(e.links))
		s.write(out, append(j, "}\n"...))
	}
	s.edges = edges{}
}

// writeReport writes the line of the report as a record.
func (s *stream) writeReport(e *report.Entry, out io.Writer) {
	start := newObject(nil, "report")
	line := e.AppendJSON(start)
	line[len(start)] = ',' // replaces the opening brace of the entry
	s.write(out, line)
}

// newObject begins a record that is a JSON object. kind is its member "record".
func newObject(dst []byte, kind record.Category) record.Object {
	return record.Object(append(dst, '{')).String("record", string(kind))
}

// write writes a record, and keeps the first error in s.err.
func (s *stream) write(out io.Writer, line []byte) {
	if _, err := out.Write(line); err != nil && s.err == nil {
		s.err = err
	}
}
