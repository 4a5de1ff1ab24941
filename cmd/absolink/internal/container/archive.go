package container

import (
	"bytes"
	"context"
	"fmt"
	"io"
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
	in     *input.Document
	empty  bool // the range is empty
	http   httpmsg.Options
	reader *warc.Reader
	number int   // of the last record
	first  int   // number of the first record of the gzip member at hand
	at     int64 // offset of that member, -1 before the first
}

// newRecords returns the records of the archive in, whose content is given.
func (l *Loop) newRecords(in *input.Document, content io.Reader) *records {
	o := warc.Options{Limit: int(l.MaxSize)}
	u := in.Range()
	if u != nil {
		o.Start = u.Offset
		o.End = u.End()
		o.Exact = u.Exact
		o.Index = l.index(in.Source)
	}
	if u != nil && u.Offset > 0 {
		o.Number, o.Line = u.Item, u.Line
	}
	return &records{in: in, empty: u != nil && u.Length == 0,
		http: l.HTTP(), reader: warc.NewReader(content, o), at: -1}
}

// Next returns the next record.
func (r *records) Next() (Item, error) {
	for !r.empty {
		if m, err := r.read(); m != nil || err != nil {
			return m, err
		}
	}
	return nil, io.EOF
}

// read reads the next record. It returns nil if the record holds no document and has no defect.
func (r *records) read() (Item, error) {
	m := spare.Get().(*archived)
	if err := r.reader.Read(&m.Record); err != nil {
		return nil, err
	}
	r.number = m.Number
	if m.Offset != r.at {
		r.first, r.at = m.Number, m.Offset
	}
	if m.Document() || len(m.Defects) > 0 {
		m.in, m.http, m.first = r.in, r.http, r.first
		return m, nil
	}
	m.Record.Release()
	spare.Put(m)
	return nil, nil
}

// archived is an item of a web archive.
type archived struct {
	warc.Record
	in    *input.Document // the archive
	http  httpmsg.Options
	first int // number of the first record in its gzip member

	entry    *report.Entry   // once it is open
	doc      input.Document  // the response in it, once it is open
	response httpmsg.Message // of doc
}

// spare are items that were released. Their memory is used again.
var spare = sync.Pool{New: func() any { return new(archived) }}

// Release gives back the memory of the item, which must not be used after it. The entry stays.
func (m *archived) Release() {
	if m.Held() > bundleSize {
		m.response = httpmsg.Message{} // may hold as much
	}
	m.Record.Release()
	m.entry, m.doc = nil, input.Document{}
	spare.Put(m)
}

func (m *archived) Account() *report.Entry { return m.entry }
func (m *archived) Held() int64            { return int64(cap(m.Data)) }
func (m *archived) Until() int64           { return m.End }

// index returns the index of the places where records begin in a web archive. All units of it share
// the index.
func (l *Loop) index(source string) *warc.Index {
	x, _ := l.indexes.LoadOrStore(source, new(warc.Index))
	return x.(*warc.Index)
}

func (m *archived) Work(ctx context.Context, w Worker, out io.Writer) {
	if m.open() {
		w.Work(ctx, &m.doc, out, m.entry)
	}
}

// open makes the entry of the record, and the document in it. It reports whether there is one.
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
	switch {
	case m.Fill(&m.response, m.http):
		m.fill(number, line)
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

// limit removes a WARC-Target-URI that is too long to be of use: every link would carry it.
func (m *archived) limit() {
	if n := len(m.TargetURI); n > maxTarget {
		m.Defects = append(m.Defects,
			mime.Defect{Offset: m.Offset,
				Text: fmt.Sprintf("WARC-Target-URI of %d bytes is left out: at most %d are read", n, maxTarget)})
		m.TargetURI = ""
	}
}

// unit returns the unit that reads the record again. Of several records in one gzip member it reads
// all.
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

// damage returns the defects of the record, which begins in line.
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
func (m *archived) fill(number int, line int64) {
	at, d := m.Block.Start, &m.doc
	d.File = m.in.File
	d.Coding = m.in.Coding
	d.Kind = input.HTTP
	d.Response = &m.response
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
