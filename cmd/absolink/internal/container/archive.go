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

// records reads the records of a web archive that hold documents or have defects.
type records struct {
	in      *input.Document
	unit    *unit.Unit // nil for the whole archive
	content io.Reader
	http    httpmsg.Options
	known   *starts // of this archive, if it is read in units
	options warc.Options
	reader  *warc.Reader // nil before the first record
	first   int          // the number of the first record in the current gzip member
	at      int64        // offset of the current gzip member; -1 before the first
}

// newRecords returns the records of the archive in. content is the content of in.
func (l *Loop) newRecords(in *input.Document, content io.Reader) *records {
	r := &records{in: in, unit: in.Range(), content: content, http: l.HTTP(), at: -1}
	r.options.Limit = int(l.MaxSize)
	if u := r.unit; u != nil {
		r.options.Start = u.Offset
		r.options.End = u.End()
		r.options.Aligned = u.Offset > 0 && u.Item > 0
		r.options.Indexed = u.Exact
		r.known = l.startsOf(in.Source)
	}
	return r
}

// mostAhead is the largest number of goroutines that read one archive ahead, unless there are more
// processors.
const mostAhead = 64

// readAhead prepares reading ahead on up to jobs goroutines, if the archive is a local file.
func (r *records) readAhead(jobs int) {
	if in := r.in; in.Unit == nil && in.At != nil && in.Coding == coding.None && in.URL == "" {
		r.options.Ahead = min(jobs, max(mostAhead, runtime.GOMAXPROCS(0)))
	}
}

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
		if r.known != nil {
			r.options.KnownRecord = r.known.before(r.options.Start)
		}
		r.reader = warc.NewReader(r.content, r.options)
	}
	m := spare.Get().(*archived)
	for {
		if err := r.reader.Read(&m.Record); err != nil {
			if at := r.reader.RecordAfter(); at > 0 && r.known != nil {
				r.known.add(at)
			}
			return nil, err
		}
		r.count(m)
		if m.Document() || len(m.Defects) > 0 {
			m.in, m.http, m.first = r.in, r.http, r.first
			return m, nil
		}
		m.Record.Release()
	}
}

// count turns the number and the line of m, which count from the unit, into those of the archive.
// If the unit states no number, the number stays as it is and has no meaning. The line becomes 0 if
// the unit states no line.
func (r *records) count(m *archived) {
	if o := &r.options; o.Aligned || o.Indexed {
		if m.Number > 0 {
			m.Number += max(r.unit.Item-1, 0)
		}
		if m.Line > 0 && r.unit.Line > 0 {
			m.Line += r.unit.Line - 1
		} else {
			m.Line = 0
		}
	}
	if m.Offset != r.at {
		r.first, r.at = m.Number, m.Offset
	}
}

// archived is an item of a web archive.
type archived struct {
	warc.Record
	in    *input.Document // the archive
	http  httpmsg.Options
	first int // number of the first record in its gzip member

	entry *report.Entry  // set once the item is open
	doc   input.Document // the response in the record, once it is open
}

// spare holds released items, whose memory is used again.
var spare = sync.Pool{New: func() any { return new(archived) }}

// Release frees the memory of the item, which must not be used any more. The entry stays valid.
func (m *archived) Release() {
	m.Record.Release()
	m.entry, m.doc = nil, input.Document{}
	spare.Put(m)
}

func (m *archived) Account() *report.Entry { return m.entry }
func (m *archived) Held() int64            { return int64(cap(m.Data)) }
func (m *archived) Until() int64           { return m.End }

// startsOf returns the known starts of records in a web archive, which all its units share.
func (l *Loop) startsOf(source string) *starts {
	s, _ := l.starts.LoadOrStore(source, new(starts))
	return s.(*starts)
}

func (m *archived) Work(ctx context.Context, w Worker, out io.Writer) {
	if m.open() {
		w.Work(ctx, &m.doc, out, m.entry)
	}
}

// open makes the entry of the record, and the document in it. It reports whether there is a
// document.
func (m *archived) open() bool {
	in, number, line := m.in, m.Number, m.Line
	if !numbered(in) {
		number, line = 0, 0
	}
	e := newEntry(report.Subject{Source: in.Source, Item: number, Unit: m.unit(),
		Kind: input.HTTP.String(), Bytes: int64(len(m.Data)) + m.Skipped})
	e.Result.Set(report.Skipped)
	m.entry = e
	m.limit()
	e.Problems.Found(m.damage(line)...)
	if m.Number == 0 {
		return false
	}
	e.Subject.Inner = report.Record
	e.Subject.URI = m.TargetURI
	if e.Subject.URI == "" {
		e.Subject.RecordID, _ = m.Get("WARC-Record-ID")
	}
	response := m.Message(m.http)
	switch {
	case response != nil:
		m.fill(response, number, line)
		return true
	case m.Skipped > 0:
		e.Result.Skip("larger than --max-size")
	default:
		e.Result.Skip("holds no document that is read")
	}
	return false
}

// maxTarget is the longest WARC-Target-URI that can be a base, in bytes.
const maxTarget = 32 << 10

// limit removes a WARC-Target-URI that is too long to be useful: every link would carry it.
func (m *archived) limit() {
	if n := len(m.TargetURI); n > maxTarget {
		m.Defects = append(m.Defects,
			mime.Defect{Offset: m.Offset,
				Text: fmt.Sprintf("WARC-Target-URI of %d bytes is left out: at most %d are read", n, maxTarget)})
		m.TargetURI = ""
	}
}

// unit returns the unit that reads the record again. If the gzip member has several records, the
// unit reads all of them.
func (m *archived) unit() unit.Unit {
	length, number, line := m.End-m.Offset, m.first, m.Line
	if number != m.Number || length == 0 {
		length = 1
	}
	if !numbered(m.in) {
		number, line = 0, 0
	}
	return itemUnit(m.in, m.Offset, length, number, line)
}

// damage returns the defects of the record. line is the line in which the record begins.
func (m *archived) damage(line int64) []document.Problem {
	var list []document.Problem
	for _, d := range m.Defects {
		list = append(list, document.Problem{Kind: document.Defect, Offset: d.Offset, Detail: d.Text, Minor: d.Minor})
	}
	if m.in.Coding == coding.None && !m.Compressed {
		src := document.Source{Data: m.Data, Size: int64(len(m.Data)), Origin: m.Offset, LinesBefore: line - 1}
		src.Place(list)
	}
	return list
}

// fill makes the document of the response in the record.
func (m *archived) fill(response *httpmsg.Message, number int, line int64) {
	at, d := m.Block.Start, &m.doc
	d.File = m.in.File
	d.Coding = m.in.Coding
	d.Kind = input.HTTP
	d.Response = response
	d.Place = input.Place{Inner: true, Number: number, Begins: m.Offset, Origin: m.Offset, Compressed: m.Compressed}
	if !m.Compressed {
		d.Place.Origin += int64(at)
	}
	if line > 0 {
		d.Place.Line = line + int64(bytes.Count(m.Data[:at], []byte("\n")))
	}
	damaged := slices.ContainsFunc(m.Defects, func(d mime.Defect) bool { return !d.Minor })
	d.Record = input.Record{Header: &m.Header, Target: m.TargetURI,
		Cut: m.Shortened() || damaged, Truncated: m.Shortened()}
	d.Hold(m.Data[at:m.Block.End])
}
