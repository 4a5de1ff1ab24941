package warc

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"absolink/extract"
	"absolink/mime"
	"absolink/mime/httpmsg"
	"absolink/mime/internal/header"
)

// Reader reads records in their order. It is not safe for concurrent use.
type Reader struct {
	raw    *raw
	w      window
	o      Options
	number int
	open   bool
	wrong  int     // number of large lengths that were wrong
	lead   *Record // the bytes before the first record, as a Record; nil once it is returned

	guesses  bool        // the first record of the range is found on a guess
	among    bool        // the range begins among gzip members
	behind   int64       // see Behind
	prefetch *prefetcher // nil if nothing is read ahead

	probe gzipCodec // finds members in a plain archive

	passed httpmsg.Header // memory for the fields of a record before the range
}

// NewReader returns a Reader of an archive. If r has the methods of io.ReaderAt and io.Seeker, the
// archive begins at the current position of r.
func NewReader(r io.Reader, o Options) *Reader {
	z := new(Reader)
	z.Reset(r, o)
	return z
}

// Reset makes r the Reader that NewReader would return, reusing its memory. Records that it has
// returned stay valid.
func (r *Reader) Reset(in io.Reader, o Options) {
	r.Stop()
	r.reset(newRaw(in), o)
}

func (r *Reader) reset(in *raw, o Options) {
	if o.Limit <= 0 {
		o.Limit = 64 << 20
	}
	in.stop = o.End
	w := window{src: r.w.src, mem: r.w.mem}
	*r = Reader{raw: in, w: w, o: o, probe: r.probe}
}

// moveTo continues with the record that begins at an offset of the file, after the record with a
// number.
func (r *Reader) moveTo(at int64, number int) {
	o := r.o
	p := r.prefetch
	o.Start = at
	o.Aligned = true
	r.reset(r.raw.anew(), o)
	r.among = true
	r.number = number
	r.prefetch = p
}

// Stop ends the reading ahead: it waits for the goroutines, and releases the records that they have
// read. The end of the archive and an error of Read do so, too. Without Options.Ahead it does
// nothing. After Stop only Reset may follow.
func (r *Reader) Stop() {
	if r.prefetch != nil {
		r.prefetch.stop()
		r.prefetch = nil
	}
}

// Behind returns the offset of the first record after the range, once Read has returned io.EOF. It
// is 0 if the range ends with the file, or if no member begins with that record.
func (r *Reader) Behind() int64 { return r.behind }

// All yields the records from the next one on. If reading fails, the last pair is nil with the
// error of [Reader.Next]. The caller must release each record.
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
// underlying reader, after the records of the bytes before it.
func (r *Reader) Next() (*Record, error) {
	rec := new(Record)
	if err := r.Read(rec); err != nil {
		return nil, err
	}
	return rec, nil
}

// Read is [Reader.Next] into rec, which must be the zero Record or a released one. After an error
// rec is invalid.
func (r *Reader) Read(rec *Record) error {
	if !r.open && r.prefetch == nil {
		r.prefetch = newPrefetcher(r)
	}
	if r.prefetch != nil && r.prefetch.take(rec) {
		return nil
	}
	err := r.read(rec)
	if err != nil {
		r.Stop()
	}
	return err
}

// read is Read without the ranges that are read ahead.
func (r *Reader) read(rec *Record) error {
	if !r.open {
		r.open = true
		r.begin()
	}
	if r.lead != nil {
		*rec, r.lead = *r.lead, nil
		return nil
	}
	for !r.w.atEnd() {
		r.turn()
		off := r.w.offset()
		if r.o.End > 0 && off >= r.o.End {
			if r.w.plain || r.w.fresh() {
				r.behind = off
			}
			return io.EOF
		}
		before := off < r.o.Start
		if before && r.jump() {
			continue
		}
		r.record(rec, off)
		if before {
			rec.Release()
			continue
		}
		r.number++
		rec.Number = r.number
		return nil
	}
	if r.raw.err != nil {
		return r.raw.err
	}
	return io.EOF
}

// begin goes to the first record.
func (r *Reader) begin() {
	head := r.head()
	r.w.src = r.source(head)
	_, r.w.plain = r.w.src.(plain)
	switch {
	case r.guesses:
		r.guess()
		return
	case r.known() && r.w.src.open(r.o.Start):
		if r.w.plain {
			r.w.pos = r.o.Start
			r.w.line = 1
		} else if !r.w.atEnd() && !r.starts() {
			r.scan() // skip the end of the record before, which the writer put into this member
		}
		return
	case r.o.Start > 0 && r.raw.file != nil:
		known := r.o.Known
		if known > r.o.Start {
			known = 0
		}
		if r.sync(known) {
			return
		}
	case r.o.Start > 0:
	case r.w.plain:
		r.w.line = 1
	}
	r.preamble()
}

// known reports whether a record is known to begin at Start.
func (r *Reader) known() bool { return r.o.Aligned || r.o.Exact }

// head returns the first bytes of the container, which tell its kind. A gzip member or a plain
// record at Start tells the kind too. If a record is known to begin at Start, head returns the
// bytes there in that case, so that nothing else is read.
func (r *Reader) head() []byte {
	if r.known() && !r.among && r.raw.file != nil && r.raw.seek(r.o.Start) {
		if b := r.peek(); begins(b) || (*gzipCodec)(nil).magic(b) == 0 {
			return b
		}
	}
	return r.peek()
}

// peek returns the bytes at the position of the container, and then goes to its beginning.
func (r *Reader) peek() []byte {
	var b [8]byte
	n, _ := io.ReadFull(r.raw, b[:])
	r.raw.seek(0)
	return b[:n]
}

// source finds how the container is compressed.
func (r *Reader) source(head []byte) source {
	switch z := (*zstdCodec)(nil); {
	case (*gzipCodec)(nil).magic(head) == 0:
		r.raw.keepFor((*gzipCodec)(nil), readBuffer)
		s := r.gzip()
		s.exact = r.o.Exact
		return s
	case z.magic(head) == 0:
		r.raw.keepFor(z, 4*readBuffer)
		s := newMembers(r.raw, nil, 4*readBuffer)
		s.exact = r.o.Exact
		codec, err := newZstd(s.br)
		s.first = s.offset()
		s.kind = codec
		if err != nil {
			s.report(0, err.Error())
		}
		return s
	}
	return plain{r.raw}
}

// gzip returns the members of a gzip file. They reuse the memory of the members that r has read
// before Reset.
func (r *Reader) gzip() *members {
	if s, ok := r.w.src.(*members); ok {
		if kind, ok := s.kind.(*gzipCodec); ok {
			s.br.Reset(r.raw)
			*s = members{raw: r.raw, br: s.br, kind: kind}
			return s
		}
	}
	return newMembers(r.raw, new(gzipCodec), readBuffer)
}

// preamble reads the bytes before the first record.
func (r *Reader) preamble() {
	rec := &Record{Line: r.w.line, Compressed: !r.w.plain}
	off := r.w.offset()
	switch n := r.w.fill(len(arcStart)); {
	case r.w.atEnd() || r.starts():
	case bytes.HasPrefix(r.w.buf[:n], []byte(arcStart)):
		rec.defect(off, "ARC, the format before WARC, is not read")
		r.scan()
	default:
		n := r.scan()
		rec.defect(off, fmt.Sprintf("%d bytes before the first record", n))
	}
	rec.End = r.end()
	rec.Defects = append(rec.Defects, r.w.defects()...)
	if len(rec.Defects) > 0 && r.o.Start == 0 {
		r.lead = rec
	}
}

const arcStart = "filedesc:"

func (r *Record) defect(at int64, text string) { r.add(mime.Defect{Offset: at, Text: text}) }

func (r *Record) add(d mime.Defect) {
	if len(r.Defects) < 100 {
		r.Defects = append(r.Defects, d)
	}
}

func (r *Record) tooLarge(limit int) {
	r.defect(r.Offset, fmt.Sprintf("block of %d bytes is larger than the limit of %d, not read", r.Skipped, limit))
}

// end returns the offset at the position. At the end of the input it is the offset after all bytes.
func (r *Reader) end() int64 {
	if r.w.atEnd() {
		return r.raw.off
	}
	return r.w.offset()
}

// record reads the record at the position into rec. off is the offset of the position.
func (r *Reader) record(rec *Record, off int64) {
	*rec = Record{Offset: off, Line: r.w.line, Compressed: r.w.compressed(), memory: memories.Get().(*memory)}
	rec.Header = rec.memory.header
	head, length := r.heading(rec)
	e := head
	switch {
	case length < 0:
		e = r.unmeasured(head)
	case length > int64(r.o.Limit) && r.large(head, length):
		rec.Skipped = length
	default:
		e = r.measured(rec, head, length)
	}
	rec.memory.header = rec.Over(nil)
	rec.Data = r.w.take(e, rec.memory)
	rec.Block = extract.Span{Start: head, End: e}
	rec.Header = rec.Over(rec.Data)
	if rec.Skipped > 0 {
		r.pass(rec, length)
	}
	r.trail(rec)
	r.examine(rec)
	rec.End = r.end()
	rec.Defects = append(rec.Defects, r.w.defects()...)
}

// maxHead bounds the header of a record.
const maxHead = 1 << 20

// heading reads the version line and the header at the position. It returns the length of both
// together, and the length of the block, or -1 if that is unknown.
func (r *Reader) heading(rec *Record) (head int, length int64) {
	head, ended := r.headEnd()
	cut := headCut(r.w.buf[:head])
	if cut > 0 {
		head = cut
	}
	b := r.w.buf[:head]
	version := bytes.IndexByte(b, '\n') + 1
	if version == 0 {
		version = len(b)
	}
	rec.Version = name(header.Trim(b[min(versionLen, version):version]), versions[:])
	head, _ = rec.ParseFields(b, version)
	if !known(rec.Version) {
		rec.defect(rec.Offset, fmt.Sprintf("unknown version %.40q", rec.Version))
	}
	for start := range rec.Nameless() {
		rec.defect(r.at(rec, start), "header line without a field name")
	}
	switch {
	case cut > 0:
		rec.defect(r.at(rec, cut), "header without an end")
		return cut, 0
	case !ended:
		rec.defect(r.at(rec, head), "header without an end")
		return head, -1
	}
	v, n := rec.GetBytes("Content-Length")
	length, err := strconv.ParseInt(string(v), 10, 64)
	switch {
	case n == 0:
		rec.defect(rec.Offset, "no Content-Length")
	case err != nil || length < 0 || v[0] == '+':
		rec.defect(rec.Offset, fmt.Sprintf("Content-Length %.40q is not a number", v))
	default:
		return head, length
	}
	return head, -1
}

// headCut returns the offset in a header at which another record begins, or -1. The writer stopped
// in the header then. In the middle of a line, a second type or record ID must follow: a URI may
// end like a version line.
func headCut(head []byte) int {
	k := findStart(head, min(versionLen, len(head)), len(head), true)
	if k < 0 || head[k-1] == '\n' {
		return k
	}
	for _, name := range []string{"\nWARC-Type:", "\nWARC-Record-ID:"} {
		if bytes.Contains(head[:k], []byte(name)) && bytes.Contains(head[k:], []byte(name)) {
			return k
		}
	}
	return -1
}

// at returns the offset in the container for an offset in the record.
func (r *Reader) at(rec *Record, i int) int64 {
	if r.w.plain {
		return rec.Offset + int64(i)
	}
	return rec.Offset
}

// versions lists the known versions.
var versions = [...]string{"1.1", "1.0", "0.18", "0.17"}

func known(version string) bool { return slices.Contains(versions[:], version) }

// types lists the types of records (WARC 1.1 Sections 5.5 and 6).
var types = [...]string{"response", "request", "metadata",
	"resource", "revisit", "conversion", "warcinfo", "continuation"}

// name is string(b), without an allocation for a known name.
func name(b []byte, known []string) string {
	for _, s := range known {
		if string(b) == s {
			return s
		}
	}
	return string(b)
}

// headEnd makes the header available and returns its length, with the blank line that ends it.
// Without a blank line it returns the length of all available bytes.
func (r *Reader) headEnd() (n int, ended bool) {
	for size := 4 << 10; ; size *= 4 {
		avail := min(r.w.fill(size), maxHead)
		n = blankLine(r.w.buf[:avail])
		if n >= 0 {
			return n, true
		}
		if avail < size {
			return avail, false
		}
	}
}

// blankLine returns the offset after the first blank line of b that is not at its start, or -1.
func blankLine(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			return -1
		}
		i += n + 1
		switch rest := b[i:]; {
		case bytes.HasPrefix(rest, []byte("\n")):
			return i + 1
		case bytes.HasPrefix(rest, []byte("\r\n")):
			return i + 2
		}
	}
}

// examine interprets the header and reports defects that concern a reader of the document.
func (r *Reader) examine(rec *Record) {
	v, n := rec.GetBytes("WARC-Type")
	rec.Type = strings.ToLower(name(v, types[:]))
	if n == 0 {
		rec.defect(rec.Offset, "no WARC-Type")
	}
	rec.TargetURI = target(rec)
	switch rec.Type {
	case "response", "resource", "conversion":
	case "metadata", "revisit":
		if rec.Skipped > 0 {
			rec.tooLarge(r.o.Limit)
		}
		return
	case "continuation":
		rec.defect(rec.Offset, "continuation of a segmented record, not joined")
		return
	default:
		return
	}
	if rec.Skipped > 0 {
		rec.tooLarge(r.o.Limit)
	}
	if why, n := rec.Get("WARC-Truncated"); n > 0 {
		rec.add(mime.Defect{Offset: rec.Offset, Text: "truncated by who wrote it: " + why, Minor: rec.Shortened()})
	}
	if seg, n := rec.Get("WARC-Segment-Number"); n > 0 {
		rec.segment = seg != "" && seg != "1"
		rec.defect(rec.Offset, fmt.Sprintf("segment %s of a record, the others are not joined", seg))
	}
}

// target returns the WARC-Target-URI without angle brackets. The grammar of WARC 1.0 requires them;
// WARC 1.1 (Section 5.11) removes them.
func target(rec *Record) string {
	v, _ := rec.Get("WARC-Target-URI")
	if strings.HasPrefix(v, "<") && strings.HasSuffix(v, ">") {
		v = strings.TrimSpace(v[1 : len(v)-1])
	}
	return v
}
