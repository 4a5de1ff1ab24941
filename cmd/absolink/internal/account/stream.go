package account

import (
	"cmp"
	"io"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
)

// A stream of records says itself which units are whole, so that its reader needs neither the exit
// status nor another file. The records of a unit are followed by a trailer that counts them.
// Without a trailer, the process ended before the unit did. Records of failed inputs stand among
// the others.

// unitCounts counts the records of the unit at hand.
type unitCounts struct {
	pages, links, dead int
	failed             string // why the unit was not read to its end, "" if it was
}

// add counts an entry. What has failed is counted when its record is written.
func (u *unitCounts) add(e *report.Entry) {
	u.pages += e.Links.Pages
	u.links += e.Links.ByStatus.Sum()
	if e.Result.Is(report.Unavailable) && u.failed == "" {
		u.failed = e.Result.Reason()
	}
}

// writeTrailer writes the trailer of a unit and begins the next unit.
func (a *Account) writeTrailer(u *unit.Unit, out io.Writer) {
	a.write(out, a.o.Stream.appendTrailer(nil, u, &a.unit))
	a.unit = unitCounts{}
}

func (o *Stream) appendTrailer(dst []byte, u *unit.Unit, counts *unitCounts) []byte {
	status := "done"
	if counts.failed != "" {
		status = "failed"
	}
	if o.Columns != nil {
		return o.Columns.Append(dst, &record.Record{Sort: record.Unit, Unit: u.Text, Status: status,
			Error: counts.failed, Counts: [3]int{counts.pages, counts.links, counts.dead}})
	}
	j := begin(dst, record.Unit).String("unit", u.Text).String("status", status).String("error", counts.failed)
	j = j.Int("page_count", int64(counts.pages)).Int("link_count", int64(counts.links))
	return append(j.Int("dead_count", int64(counts.dead)), "}\n"...)
}

// appendDead appends the record of a failed input or item, and of the unit that reads it again.
func (o *Stream) appendDead(dst []byte, e *report.Entry, unit string) []byte {
	s := &e.Subject
	d := record.Document{Source: s.Source, Item: s.Item, Page: cmp.Or(s.Page, s.URI),
		Message: record.Message{ID: s.Message.ID}, RecordID: s.RecordID,
		Within: s.Inner != "" && s.Unit.Ranged, RecordOffset: s.Unit.Offset}
	if o.Columns != nil {
		return o.Columns.Append(dst, &record.Record{Sort: record.Dead, Document: d, Unit: unit, Error: e.Failure()})
	}
	return append(d.AppendTo(begin(dst, record.Dead)).String("unit", unit).String("error", e.Failure()), "}\n"...)
}

// reportSort is the sort of a line of the report in a stream.
const reportSort record.Sort = "report"

// appendReport appends the line of the report as a record.
func appendReport(dst []byte, e *report.Entry) []byte {
	at := len(begin(dst, reportSort))
	dst = e.AppendJSON(begin(dst, reportSort))
	dst[at] = ',' // in the place of the brace
	return dst
}

// begin begins a record as an object.
func begin(dst []byte, s record.Sort) record.Object {
	return record.Object(append(dst, '{')).String("record", string(s))
}

// write writes a record to the stream. Close returns the first error.
func (a *Account) write(out io.Writer, line []byte) {
	if _, err := out.Write(line); err != nil && a.failed == nil {
		a.failed = err
	}
}
