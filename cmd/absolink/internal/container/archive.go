package container

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime"
	"absolink/mime/document"
	"absolink/mime/httpmsg"
	"absolink/mime/warc"
)

// records reads a web archive. It yields the records that hold documents or have defects.
type records struct {
	in          *input.Document
	unit        *unit.Unit // the range that is read; nil for the whole archive
	content     io.Reader
	httpOptions httpmsg.Options
	starts      *starts // of this archive, which all its units share
	options     warc.Options
	reader      *warc.Reader // nil before the first record

	// The current member is the gzip member of the record that was read last. In a plain archive
	// each record counts as a member.
	memberFirst  int   // number of the first record in the current member
	memberOffset int64 // offset of the current member; -1 before the first record
}

// newRecords returns the records of in, a web archive. content is the content of in.
func (rn *Runner) newRecords(in *input.Document, content io.Reader) *records {
	r := &records{in: in, unit: in.Range(), content: content, httpOptions: rn.HTTP(), memberOffset: -1}
	r.starts = new(starts)
	r.options.Limit = int(rn.MaxSize)
	if u := r.unit; u != nil {
		r.options.Start = u.Offset
		r.options.End = u.End()
		r.options.Aligned = u.Offset > 0 && u.Item > 0
		r.options.Indexed = u.Indexed
		r.starts = rn.startsOf(in.Source)
	}
	return r
}

// maxAhead is the largest number of goroutines that read ahead in one archive, unless there are
// more processors.
const maxAhead = 64

// readAhead lets up to jobs goroutines read ahead, if the archive is a local file. Call it before
// Next. A [warc.Reader] reads ahead only if content is the whole archive and an io.ReaderAt.
func (r *records) readAhead(jobs int) {
	if r.in.URL == "" {
		r.options.Ahead = AheadOf(jobs)
	}
}

// AheadOf returns the number of goroutines that read ahead in one archive. jobs is the number of
// goroutines of the run.
func AheadOf(jobs int) int { return min(jobs, max(maxAhead, runtime.GOMAXPROCS(0))) }

// stop ends the reading ahead.
func (r *records) stop() {
	if r.reader != nil {
		r.reader.Stop()
	}
}

// Next returns the next record that holds a document or has a defect.
func (r *records) Next() (Item, error) {
	if r.unit != nil && r.unit.Length == 0 {
		return nil, io.EOF
	}
	if r.reader == nil {
		r.options.KnownRecord = r.starts.before(r.options.Start)
		r.reader = warc.NewReader(r.content, r.options)
	}
	m := spareItems.Get().(*archived)
	for {
		if err := r.reader.Read(&m.Record); err != nil {
			// RecordAfter is 0 if no record after the unit is known. A record does begin at 0.
			r.starts.add(r.reader.RecordAfter())
			return nil, err
		}
		r.renumber(m)
		if m.Document() || len(m.Defects) > 0 {
			m.in = r.in
			m.httpOptions = r.httpOptions
			m.memberFirst = r.memberFirst
			return m, nil
		}
		m.Record.Release()
	}
}

// renumber makes the number and line of m count from the start of the archive instead of the unit.
// If the unit states no line, the line becomes 0. If it states no number, m.Number counts from the
// start of the unit, and open and unit leave it out: see knowsNumbers. renumber also updates
// memberFirst and memberOffset.
func (r *records) renumber(m *archived) {
	if o := &r.options; o.Aligned || o.Indexed {
		m.Number += max(r.unit.Item-1, 0)
		if m.Line > 0 && r.unit.Line > 0 {
			m.Line += r.unit.Line - 1
		} else {
			m.Line = 0
		}
	}
	if m.Offset != r.memberOffset {
		r.memberFirst = m.Number
		r.memberOffset = m.Offset
	}
}

// archived is an item of a web archive.
type archived struct {
	warc.Record
	in          *input.Document // the archive
	httpOptions httpmsg.Options
	memberFirst int // number of the first record in its member

	entry *report.Entry  // set by open
	doc   input.Document // the response in the record, set by open
}

// spareItems holds released items for reuse.
var spareItems = sync.Pool{New: func() any { return new(archived) }}

// Release frees the memory of the item, which must not be used any more. The entry stays valid.
func (m *archived) Release() {
	m.Record.Release()
	m.entry = nil
	m.doc = input.Document{}
	spareItems.Put(m)
}

func (m *archived) Report() *report.Entry { return m.entry }
func (m *archived) Held() int64           { return int64(cap(m.Data)) }
func (m *archived) EndOffset() int64      { return m.End }

// startsOf returns the known starts of records in the web archive with this source. All units of
// the archive share them.
func (rn *Runner) startsOf(source string) *starts {
	s, _ := rn.starts.LoadOrStore(source, new(starts))
	return s.(*starts)
}

// Work opens the item and runs w on the document in the record, if there is one.
func (m *archived) Work(ctx context.Context, w Worker, out io.Writer) {
	if m.open() {
		w.Work(ctx, &m.doc, out, m.entry)
	}
}

// open makes the entry of the record, and the document in the record. It returns false if the
// record holds no document that is read. Then the entry has the reason.
func (m *archived) open() bool {
	in := m.in
	number, line := m.Number, m.Line
	if !knowsNumbers(in) {
		number, line = 0, 0
	}
	e := newEntry(report.Subject{Source: in.Source, Item: number, Unit: m.unit(),
		Kind: input.HTTP.String(), Bytes: int64(len(m.Data)) + m.Skipped})
	e.Result.SetOutcome(report.Skipped)
	m.entry = e
	m.dropLongTarget()
	e.Problems.AddFound(m.damage(line)...)
	if m.Number == 0 {
		return false
	}
	e.Subject.Inner = report.Record
	e.Subject.URI = m.TargetURI
	if e.Subject.URI == "" {
		e.Subject.RecordID, _ = m.Get("WARC-Record-ID")
	}
	response := m.Message(m.httpOptions)
	switch {
	case response != nil:
		m.setDocument(response, number, line)
		return true
	case m.Skipped > 0:
		e.Result.Skip("larger than --max-size")
	default:
		e.Result.Skip("holds no document that is read")
	}
	return false
}

// maxTarget is the size limit of a WARC-Target-URI in bytes. A longer URI cannot be a base.
const maxTarget = 32 << 10

// dropLongTarget removes a WARC-Target-URI that is longer than maxTarget, and adds a defect.
// Otherwise the record of each link would carry the long URI.
func (m *archived) dropLongTarget() {
	if n := len(m.TargetURI); n > maxTarget {
		m.Defects = append(m.Defects,
			mime.Defect{Offset: m.Offset,
				Text: fmt.Sprintf("WARC-Target-URI of %d bytes is left out: at most %d are read", n, maxTarget)})
		m.TargetURI = ""
	}
}

// unit returns the unit that reads the record again. If the record shares its gzip member with
// other records, the unit reads all records of the member.
func (m *archived) unit() unit.Unit {
	length := m.End - m.Offset
	number, line := m.memberFirst, m.Line
	// The records of a member have the same Offset, so a range of one byte selects all of them. m
	// is not the first of its member if the numbers differ, and not the last if length is 0.
	if number != m.Number || length == 0 {
		length = 1
	}
	if !knowsNumbers(m.in) {
		number, line = 0, 0
	}
	return itemUnit(m.in, m.Offset, length, number, line)
}

// damage returns the defects of the record as problems, with their positions. line is the line in
// which the record begins.
func (m *archived) damage(line int64) []document.Problem {
	var list []document.Problem
	for _, d := range m.Defects {
		list = append(list, document.Problem{Kind: document.Defect, Offset: d.Offset, Detail: d.Text, Minor: d.Minor})
	}
	if m.in.Coding == coding.None && !m.Compressed {
		src := document.Source{Data: m.Data, Size: int64(len(m.Data)), Origin: m.Offset, LinesBefore: line - 1}
		src.Place(list)
		if m.in.At != nil && m.in.URL == "" { // bytes after the block are not in Data
			src.Data = nil
			src.Size = m.End - m.Offset
			src.At = io.NewSectionReader(m.in.At, m.Offset, src.Size)
			src.Place(list)
		}
	}
	return list
}

// setDocument sets m.doc to the response in the record.
func (m *archived) setDocument(response *httpmsg.Message, number int, line int64) {
	d := &m.doc
	start := m.Block.Start
	d.File = m.in.File
	d.Coding = m.in.Coding
	d.Kind = input.HTTP
	d.Response = response
	d.Place = input.Place{Inner: true, Number: number, Begins: m.Offset, Origin: m.Offset, Compressed: m.Compressed}
	if !m.Compressed {
		d.Place.Origin += int64(start)
	}
	if line > 0 {
		d.Place.Line = line + int64(bytes.Count(m.Data[:start], []byte("\n")))
	}
	damaged := slices.ContainsFunc(m.Defects, func(d mime.Defect) bool { return !d.Minor })
	d.Record = input.Record{Header: &m.Header, Target: m.TargetURI,
		Cut: m.Shortened() || damaged, Truncated: m.Shortened()}
	d.Hold(m.Data[start:m.Block.End])
}
