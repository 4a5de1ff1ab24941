package warc

import (
	"io"
	"iter"
	"math"

	"absolink/mime/httpmsg"
)

// Reader reads the records of an archive in their order. It is not safe for concurrent use.
type Reader struct {
	raw      *raw
	w        window
	o        Options
	mode     startMode
	arc      bool        // the archive is an ARC
	started  bool        // toFirstRecord was called
	prefetch *prefetcher // nil if nothing is read ahead

	number       int     // Number of the last record
	preamble     *Record // the bytes before the first record; nil if there are none to return
	recordAfter  int64   // see RecordAfter
	wrongLengths int     // number of skipped blocks with a wrong Content-Length

	// findAtLineStart has searched the positions in [noRecordFrom, noRecordTo). No record begins
	// there at the start of a line.
	noRecordFrom, noRecordTo int64

	probe         gzipCodec      // finds members in a plain archive
	skippedHeader httpmsg.Header // memory for the fields of the records before the range
}

// defaultLimit is the default of Options.Limit.
const defaultLimit = 64 << 20

// maxLimit is the largest limit. A larger Options.Limit counts as maxLimit. The sum of a header and
// this limit does not overflow.
const maxLimit = math.MaxInt / 2

// NewReader returns a Reader of the archive in r, which begins at the current position of r. If r
// is an io.ReaderAt and an io.Seeker, r counts as a file. Otherwise r counts as a pipe.
func NewReader(r io.Reader, o Options) *Reader {
	z := new(Reader)
	z.Reset(r, o)
	return z
}

// Reset makes r read another archive, with other options, as NewReader does. It reuses the memory
// of r. Records that r has returned stay valid.
func (r *Reader) Reset(archive io.Reader, o Options) {
	r.Stop()
	r.reset(newRaw(archive), o)
}

// reset does the work of Reset. It keeps the prefetcher.
func (r *Reader) reset(archive *raw, o Options) {
	if o.Limit <= 0 {
		o.Limit = defaultLimit
	}
	o.Limit = min(o.Limit, maxLimit)
	o.Start = max(o.Start, 0)
	archive.rangeEnd = o.End
	w := window{src: r.w.src, mem: r.w.mem}
	*r = Reader{raw: archive, w: w, o: o, mode: modeFor(archive, o), probe: r.probe, prefetch: r.prefetch}
}

// continueAt makes r continue at a gzip member that begins with a record. off is the offset of the
// member. last is the Number of the record before the member.
func (r *Reader) continueAt(off int64, last int) {
	o := r.o
	o.Start = off
	r.reset(r.raw.reopen(), o)
	r.mode = modeMember
	r.number = last
}

// Stop waits for the end of the goroutines of Options.Ahead, and releases the records that Read has
// not returned. Read does the same before it returns an error or io.EOF. Without Options.Ahead,
// Stop does nothing. After Stop, only Reset and RecordAfter may be called.
func (r *Reader) Stop() {
	if r.prefetch != nil {
		r.prefetch.stop()
		r.prefetch = nil
	}
}

// RecordAfter returns the offset of the first record after the range, or 0 if no record follows.
// Call it after Read has returned io.EOF. In a compressed archive, RecordAfter may also return 0 in
// three cases: the record after the range does not begin a member, no record begins in the range,
// or Options.Indexed is set.
func (r *Reader) RecordAfter() int64 { return r.recordAfter }

// All yields the next record and all records after it. If reading fails, the last pair is nil with
// the error of [Reader.Next]. The caller must release each record.
func (r *Reader) All() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			rec, err := r.Next()
			if err == io.EOF || !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Next returns the next record, or io.EOF after the last one. Any other error comes from the
// underlying reader. Before such an error, Next returns all records before the failure.
func (r *Reader) Next() (*Record, error) {
	rec := new(Record)
	if err := r.Read(rec); err != nil {
		return nil, err
	}
	return rec, nil
}

// Read reads the next record into rec, as [Reader.Next] does. rec must be the zero Record or a
// released one. After an error rec is invalid.
func (r *Reader) Read(rec *Record) error {
	if !r.started && r.prefetch == nil {
		r.prefetch = newPrefetcher(r) // not in Reset, because it reads
	}
	if r.prefetch != nil && r.prefetch.next(rec) {
		return nil
	}
	err := r.readNext(rec)
	if err != nil {
		r.Stop()
	}
	return err
}

// readNext does the work of Read without the prefetcher.
func (r *Reader) readNext(rec *Record) error {
	if !r.started {
		r.started = true
		r.toFirstRecord()
	}
	if r.preamble != nil {
		*rec = *r.preamble
		if r.o.OnlyPlaces {
			*rec = Record{Offset: rec.Offset, End: rec.End, Line: rec.Line}
		}
		r.preamble = nil
		return nil
	}
	if !r.beforeRecord() {
		if r.raw.err != nil {
			return r.raw.err
		}
		return io.EOF
	}
	off := r.w.offset()
	if r.o.End > 0 && off >= r.o.End {
		if r.w.plain || r.w.atRecordMember() {
			r.recordAfter = off
		}
		return io.EOF
	}
	r.parse(rec, off)
	r.number++
	rec.Number = r.number
	return nil
}

// endOffset returns the offset of the position of r. If the input or the last member of the range
// has ended, it returns the offset of that end.
func (r *Reader) endOffset() int64 {
	if !r.w.atEnd() {
		return r.w.offset()
	}
	if s, ok := r.w.src.(*members); ok {
		return s.offset() // raw may have read further
	}
	return r.raw.off
}
