package run

import (
	"cmp"
	"io"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
)

// A stream of records says itself which units are whole, so that whoever reads it needs
// neither the exit status nor another file: behind the records of a unit stand those of what
// has failed in it, as it comes, and at last one that counts them. Where that is missing the
// process has ended before.
const reportSort record.Sort = "report"

// stream counts what is in the unit at hand.
type stream struct {
	pages, links, dead int
	failed             string // why it was not read as it says, "" if it was
}

// add counts what e is about.
func (s *stream) add(e *report.Entry) {
	s.pages += e.Links.Pages
	s.links += e.Links.ByStatus.Sum()
	if e.Result.Is(report.Unavailable) && s.failed == "" {
		s.failed = e.Result.Reason()
	}
}

// appendDead appends the record of what has failed: the unit that reads it again, and what
// it is.
func (o *Options) appendDead(dst []byte, e *report.Entry, unit string) []byte {
	d := record.Document{Source: e.Subject.Source, Item: e.Subject.Item, Page: cmp.Or(e.Subject.Page, e.Subject.URI),
		Message: record.Message{ID: e.Subject.Message.ID}, RecordID: e.Subject.RecordID,
		Within: e.Subject.Inner != "" && e.Subject.Unit.Ranged, RecordOffset: e.Subject.Unit.Offset}
	if o.Columns != nil {
		return o.Columns.Append(dst, &record.Record{Sort: record.Dead, Document: d, Unit: unit, Error: e.Failure()})
	}
	return append(d.AppendTo(begin(dst, record.Dead)).String("unit", unit).String("error", e.Failure()), "}\n"...)
}

// trailer appends the record of a unit that is done, and begins the next.
func (o *Options) trailer(dst []byte, s *stream, u *unit.Unit) []byte {
	status := "done"
	if s.failed != "" {
		status = "failed"
	}
	was := *s
	*s = stream{}
	if o.Columns != nil {
		return o.Columns.Append(dst,
			&record.Record{Sort: record.Unit, Unit: u.Text, Status: status,
				Error: was.failed, Counts: [3]int{was.pages, was.links, was.dead}})
	}
	j := begin(dst, record.Unit).String("unit", u.Text).String("status", status).String("error", was.failed)
	return append(j.Int("page_count", int64(was.pages)).Int("link_count",
		int64(was.links)).Int("dead_count", int64(was.dead)), "}\n"...)
}

// appendReport appends what --report says of e.
func appendReport(dst []byte, e *report.Entry) []byte {
	at := len(begin(dst, reportSort))
	dst = e.AppendJSON(begin(dst, reportSort))
	dst[at] = ',' // for the brace
	return dst
}

// toStream writes a record to out. The first error is that of the run.
func (r *Run) toStream(out io.Writer, line []byte) {
	if _, err := out.Write(line); err != nil && r.streamed == nil {
		r.streamed = err
	}
}

// begin begins a record.
func begin(dst []byte, s record.Sort) record.Object {
	return record.Object(append(dst, '{')).String("record", string(s))
}
