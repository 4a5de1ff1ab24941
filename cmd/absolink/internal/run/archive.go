package run

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/unit"
	"absolink/mime"
	"absolink/mime/document"
	"absolink/mime/httpmsg"
	"absolink/mime/warc"
)

// records reads the records of a web archive that hold documents, and those with which
// something is wrong.
type records struct {
	in     *input.Document
	empty  bool // nothing is to be read
	http   httpmsg.Options
	reader *warc.Reader
	number int   // of the last record
	first  int   // number of the first record of the member at hand
	at     int64 // and its offset, -1 before the first
}

// records returns those of the archive in, whose content is given.
func (r *Run) records(in *input.Document, content io.Reader) *records {
	o := warc.Options{Limit: int(r.o.MaxSize)}
	u := in.Range()
	if u != nil {
		o.Start = u.Offset
		o.End = u.End()
		o.Exact = u.Exact
		o.Index = r.index(in.Source)
	}
	if u != nil && u.Offset > 0 {
		o.Number, o.Line = u.Item, u.Line
	}
	return &records{in: in, empty: u != nil && u.Length == 0,
		http: r.o.http(), reader: warc.NewReader(content, o), at: -1}
}

// archives has workers take the records of the web archives in a WACZ, each of which is
// accounted for as an input.
func (r *Run) archives(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	batch.Turn(out)
	for _, name := range e.Archives(in) {
		if ctx.Err() != nil {
			e.Result.Mark(report.Cancelled)
			return
		}
		r.Emit(r.archiveIn(ctx, in, name, out), out)
	}
}

// archiveIn has workers take the records of one web archive in a WACZ.
func (r *Run) archiveIn(ctx context.Context, in *input.Document, name string, out io.Writer) *report.Entry {
	e := &report.Entry{Subject: report.Subject{Source: in.Source + "/" + name, Kind: input.WARC.String()}}
	reader := &input.Reader{Options: r.inputOptions()}
	sub, err := reader.OpenArchive(ctx, in, name)
	if err != nil {
		e.Subject.Unit = fileUnit(in.File)
		e.Result.Fail(err)
		return e
	}
	defer sub.Close()
	e.Subject.Unit = fileUnit(sub.File)
	e.Subject.Bytes = max(sub.StoredSize, 0)
	if sub.Empty {
		e.Problems.Note("", "is empty")
	}
	r.Items(ctx, sub, out, e)
	if ctx.Err() != nil {
		e.Result.Mark(report.Cancelled)
	}
	return e
}

// Next returns the next record.
func (r *records) Next() (Item, error) {
	for !r.empty {
		if m, err := r.one(); m != nil || err != nil {
			return m, err
		}
	}
	return nil, io.EOF
}

// one returns the next record, nil if it holds no document and nothing is wrong with it.
func (r *records) one() (Item, error) {
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
	first int // number of the first record that begins where it does

	entry    *report.Entry
	doc      input.Document  // what it holds, once it is open
	response httpmsg.Message // and what doc holds
}

// spare are items that were released, whose memory others take.
var spare = sync.Pool{New: func() any { return new(archived) }}

// Release gives back the memory of the item, which must not be used after it. The account stays.
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

// index returns the index of where records begin in a web archive, for all of its
// units.
func (r *Run) index(source string) *warc.Index {
	x, _ := r.indexes.LoadOrStore(source, new(warc.Index))
	return x.(*warc.Index)
}

func (m *archived) Work(ctx context.Context, w Worker, out io.Writer) {
	if m.open() {
		w.Work(ctx, &m.doc, out, m.entry)
	}
}

// open makes the account of the record and the document that it holds, and reports whether
// it holds one.
func (m *archived) open() bool {
	in, number, line := m.in, m.Number, m.Line
	if !counts(in) {
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

// maxTarget bounds the WARC-Target-URI, in bytes: no longer one is a base.
const maxTarget = 32 << 10

// limit takes away a target that is no URI that anybody can use: every link would carry it.
func (m *archived) limit() {
	if n := len(m.TargetURI); n > maxTarget {
		m.Defects = append(m.Defects,
			mime.Defect{Offset: m.Offset,
				Text: fmt.Sprintf("WARC-Target-URI of %d bytes is left out: at most %d are read", n, maxTarget)})
		m.TargetURI = ""
	}
}

// unit returns what to read to read the record again: of several in one member all.
func (m *archived) unit() unit.Unit {
	length, number, line := m.End-m.Offset, m.first, m.Line
	if number != m.Number || length == 0 {
		length = 1
	}
	if !counts(m.in) {
		number, line = 0, 0
	}
	return unitOf(m.in, m.Offset, length, number, line)
}

// damage returns what is wrong with the record, which begins in line.
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

// fill makes the document that the response in the record is.
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
