package warc

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"absolink/extract"
	"absolink/mime"
	"absolink/mime/httpmsg"
)

// A record ends where its Content-Length says, if blank lines and then another
// record or the end follow. If not, the length is wrong or stray bytes follow, and
// what can be seen decides: a record that begins inside the block means that the
// length is too large; two line ends behind it mean that it is right; else it is
// too small, and the block goes on to the next record. In compressed containers a
// member that begins a record ends the one before in any case.
//
// A record inside a block whose length is right is never taken for one: what a
// server sends must not be able to speak for another.

// Reader reads records in their order. It is not safe for concurrent use.
type Reader struct {
	raw    *raw
	w      window
	o      Options
	number int
	open   bool
	wrong  int     // large lengths that were too large
	lead   *Record // what stands before the first record
}

// NewReader returns a Reader of an archive. If r has the methods of io.ReaderAt
// and io.Seeker, the archive begins where r stands.
func NewReader(r io.Reader, o Options) *Reader {
	if o.Limit <= 0 {
		o.Limit = 64 << 20
	}
	return &Reader{raw: newRaw(r), o: o, number: max(o.Number-1, 0)}
}

// Next returns the next record, io.EOF after the last one. Any other error is that
// of the underlying reader, and the records are those of the bytes before it.
func (r *Reader) Next() (*Record, error) {
	if !r.open {
		r.open = true
		r.begin()
	}
	if rec := r.lead; rec != nil {
		r.lead = nil
		return rec, nil
	}
	for !r.w.atEnd() {
		off := r.w.offset()
		if r.o.End > 0 && off >= r.o.End {
			if r.w.plain || r.w.fresh() {
				r.o.Index.add(off)
			}
			return nil, io.EOF
		}
		before := off < r.o.Start
		if before && r.jump() {
			continue
		}
		rec := r.record(off)
		if before {
			rec.Release()
			continue
		}
		r.number++
		rec.Number = r.number
		return rec, nil
	}
	if r.raw.err != nil {
		return nil, r.raw.err
	}
	return nil, io.EOF
}

// begin goes to the first record.
func (r *Reader) begin() {
	head := r.head()
	r.w.src = r.source(head)
	_, r.w.plain = r.w.src.(plain)
	switch {
	case r.o.Number > 0 && r.w.src.open(r.o.Start):
		if r.w.plain {
			r.w.pos, r.w.line = r.o.Start, r.o.Line
		}
		return
	case r.o.Start > 0 && r.raw.file != nil:
		if r.sync(r.o.Index.before(r.o.Start)) {
			return
		}
	case r.o.Start > 0:
	case r.w.plain:
		r.w.line = 1
	}
	r.preamble()
}

// head returns the first bytes of the container.
func (r *Reader) head() []byte {
	var b [8]byte
	n, _ := io.ReadFull(r.raw, b[:])
	r.raw.seek(0)
	return b[:n]
}

// source finds how the container is compressed.
func (r *Reader) source(head []byte) source {
	switch z := (*zstdCodec)(nil); {
	case (*gzipCodec)(nil).magic(head) == 0:
		r.raw.kept = int((*gzipCodec)(nil).back()) + readBuffer
		return newMembers(r.raw, new(gzipCodec), readBuffer)
	case z.magic(head) == 0:
		r.raw.kept = int(z.back()) + 4*readBuffer
		s := newMembers(r.raw, nil, 4*readBuffer)
		codec, err := newZstd(s.br)
		s.kind, s.first = codec, s.offset()
		if err != nil {
			s.report(0, err.Error())
		}
		return s
	}
	return plain{r.raw}
}

// preamble reads what stands before the first record.
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
	if rec.Defects = append(rec.Defects, r.w.defects()...); len(rec.Defects) > 0 && r.o.Start == 0 {
		r.lead = rec
	}
}

const arcStart = "filedesc:"

func (r *Record) defect(at int64, text string) {
	if len(r.Defects) < 100 {
		r.Defects = append(r.Defects, mime.Defect{Offset: at, Text: text})
	}
}

// end returns the offset at the position, that behind all bytes at the end.
func (r *Reader) end() int64 {
	if r.w.atEnd() {
		return r.raw.off
	}
	return r.w.offset()
}

// record reads the record at the position, which is at an offset.
func (r *Reader) record(off int64) *Record {
	rec := &Record{Offset: off, Line: r.w.line, Compressed: !r.w.plain}
	head, length := r.heading(rec)
	e := head
	switch {
	case length < 0:
		e = r.unmeasured(head)
	case length > int64(r.o.Limit) && r.w.fill(head+r.o.Limit+1) > head+r.o.Limit && !r.distrusts(head):
		rec.Skipped = length
	default:
		e = r.measured(rec, head, length)
	}
	rec.Data = r.w.take(e)
	rec.Block = extract.Span{Start: head, End: e}
	rec.Header = rec.Over(rec.Data)
	if rec.Skipped > 0 {
		r.pass(rec, length)
	}
	r.trail(rec)
	r.examine(rec)
	rec.End = r.end()
	rec.Defects = append(rec.Defects, r.w.defects()...)
	return rec
}

// maxHead bounds the header of a record.
const maxHead = 1 << 20

// heading reads the version line and the header at the position, and returns the
// length of both and that of the block, -1 if it is not known.
func (r *Reader) heading(rec *Record) (head int, length int64) {
	head, ended := r.headEnd()
	b := r.w.buf[:head]
	version := bytes.IndexByte(b, '\n') + 1
	if version == 0 {
		version = len(b)
	}
	rec.Version = string(bytes.Trim(b[versionLen:version], " \t\r\n"))
	rec.Header, head, _ = httpmsg.ParseHeader(b, version)
	if !known(rec.Version) {
		rec.defect(rec.Offset, fmt.Sprintf("unknown version %q", rec.Version))
	}
	for _, f := range rec.Fields {
		if f.Colon < 0 {
			rec.defect(r.at(rec, f.Start), "header line without a field name")
		}
	}
	if !ended {
		rec.defect(r.at(rec, head), "header without an end")
		return head, -1
	}
	v, n := rec.Get("Content-Length")
	length, err := strconv.ParseInt(v, 10, 64)
	switch {
	case n == 0:
		rec.defect(rec.Offset, "no Content-Length")
	case err != nil || length < 0 || v[0] == '+':
		rec.defect(rec.Offset, fmt.Sprintf("Content-Length %q is no number", v))
	default:
		return head, length
	}
	return head, -1
}

// at returns the offset in the container of one in the record.
func (r *Reader) at(rec *Record, i int) int64 {
	if r.w.plain {
		return rec.Offset + int64(i)
	}
	return rec.Offset
}

// known reports whether a version is one that is read as it should be.
func known(version string) bool {
	switch version {
	case "1.1", "1.0", "0.18", "0.17":
		return true
	}
	return false
}

// headEnd makes the header available and returns its length with the blank line
// that ends it. Without one it is what there is.
func (r *Reader) headEnd() (n int, ended bool) {
	for size := 4 << 10; ; size *= 4 {
		avail := min(r.w.fill(size), maxHead)
		if n = blankLine(r.w.buf[:avail]); n >= 0 {
			return n, true
		}
		if avail < size {
			return avail, false
		}
	}
}

// blankLine returns the offset behind the first blank line of b that is not at its
// start, -1 if there is none.
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

// measured returns the end of a block that begins at head and claims to be n bytes
// long, which is not to be believed above the limit. It is available.
func (r *Reader) measured(rec *Record, head int, n int64) int {
	e := head + int(min(n, int64(r.o.Limit)+1))
	avail := r.w.fill(e + separator)
	switch {
	case avail >= e && r.follows(e):
		return e
	case avail < e:
		if k := findStart(r.w.buf, head, avail); k >= 0 {
			return r.tooLarge(rec, head, k, n)
		}
		rec.defect(r.at(rec, avail), fmt.Sprintf("block cut short: %d bytes of %d", avail-head, n))
		return avail
	}
	if k := findStart(r.w.buf, head, e); k >= 0 {
		return r.tooLarge(rec, head, k, n)
	}
	if lineEnds(r.w.buf[e:]) >= 2 {
		return e // stray bytes follow
	}
	end := r.find(e, r.o.Limit+head)
	if end < 0 {
		return e
	}
	rec.defect(rec.Offset, fmt.Sprintf("Content-Length %d is too small, the block has %d bytes", n, end-head))
	return end
}

func (r *Reader) tooLarge(rec *Record, head, start int, n int64) int {
	end := head + len(trimEnd(r.w.buf[head:start]))
	rec.defect(rec.Offset, fmt.Sprintf("Content-Length %d is too large, the block has %d bytes", n, end-head))
	return end
}

// unmeasured returns the end of a block that begins at head and has no length.
func (r *Reader) unmeasured(head int) int {
	if end := r.find(head, r.o.Limit+head); end >= 0 {
		return end
	}
	return head
}

// find makes what begins at from available, up to the next record or the end, and
// returns where it ends, without the line ends that separate records. It returns
// -1 if that is more than limit bytes on.
func (r *Reader) find(from, limit int) int {
	searched := from
	for size := from + minWindow; ; size *= 2 {
		avail := r.w.fill(size)
		k := findStart(r.w.buf, searched, avail)
		switch {
		case k < 0 && avail >= size && avail <= limit+lookahead:
			searched = max(from, avail-lookahead)
			continue
		case k < 0:
			k = avail
		}
		if k > limit {
			return -1
		}
		return from + len(trimEnd(r.w.buf[from:k]))
	}
}

// trimEnd returns b without the two line ends that separate records.
func trimEnd(b []byte) []byte {
	for range 2 {
		n := len(b)
		b = bytes.TrimSuffix(b, newline)
		if len(b) < n {
			b = bytes.TrimSuffix(b, []byte("\r"))
		}
	}
	return b
}

// separator is how much behind a block is looked at.
const separator = 64

// follows reports whether another record or the end follows what ends at e, which
// is available, behind line ends.
func (r *Reader) follows(e int) bool {
	avail := min(r.w.fill(e+separator), e+separator)
	rest := bytes.TrimLeft(r.w.buf[e:avail], "\r\n")
	return len(rest) == 0 || begins(rest)
}

// lineEnds counts the line ends that b begins with.
func lineEnds(b []byte) (n int) {
	for ; len(b) > 0; n++ {
		b = bytes.TrimPrefix(b, []byte("\r"))
		if len(b) == 0 || b[0] != '\n' {
			break
		}
		b = b[1:]
	}
	return n
}

// lookahead is more than what is looked at to see whether a record begins.
const lookahead = 128

// findStart returns the first offset in [from, to) of b at which a line begins
// that begins a record, -1 if there is none.
func findStart(b []byte, from, to int) int {
	for i := from; i < to; {
		if (i == 0 || b[i-1] == '\n') && recordStart(b[i:]) {
			return i
		}
		n := bytes.Index(b[i:], []byte("\nWARC/"))
		if n < 0 {
			return -1
		}
		i += n + 1
	}
	return -1
}

// recordStart reports whether b begins as a record does: with a version line and
// the name of a field.
func recordStart(b []byte) bool {
	if !begins(b) {
		return false
	}
	b = b[versionLen:min(len(b), lookahead)]
	version, rest, ok := bytes.Cut(b, newline)
	major, minor, dot := bytes.Cut(bytes.TrimRight(version, " \r"), []byte("."))
	if !ok || !dot || !digits(major) || !digits(minor) {
		return false
	}
	n := bytes.IndexByte(rest, ':')
	return n > 0 && bytes.IndexFunc(bytes.TrimRight(rest[:n], " "), notInName) < 0
}

func digits(b []byte) bool {
	return len(b) > 0 && len(bytes.Trim(b, "0123456789")) == 0
}

func notInName(c rune) bool {
	return c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
}

// starts reports whether a record begins at the position.
func (r *Reader) starts() bool {
	if r.w.fresh() {
		return true
	}
	n := r.w.fill(versionLen)
	return begins(r.w.buf[:n])
}

// trail goes behind the block to the next record, over line ends and stray bytes.
func (r *Reader) trail(rec *Record) {
	for {
		n := r.w.fill(1)
		k := n - len(bytes.TrimLeft(r.w.buf[:n], "\r\n"))
		r.w.skip(k)
		if k < n || k == 0 {
			break
		}
	}
	if r.w.atEnd() || r.starts() {
		return
	}
	at := r.w.offset()
	rec.defect(at, fmt.Sprintf("%d stray bytes after the record", r.scan()))
}

// scan goes to the next record, or to the end, and returns how many bytes it
// passed.
func (r *Reader) scan() (passed int64) {
	from := r.w.pos
	for {
		avail := r.w.fill(minWindow)
		k := findStart(r.w.buf, 1, avail)
		switch {
		case k >= 0:
			r.w.skip(k)
			return r.w.pos - from
		case avail < minWindow || r.w.bound() == avail:
			r.w.skip(avail)
			if r.w.atEnd() || r.starts() {
				return r.w.pos - from
			}
		default:
			r.w.skip(avail - lookahead)
		}
	}
}

// pass goes over a block that is not held. If it does not end as it should, but
// the next record begins in it, the block ends there.
func (r *Reader) pass(rec *Record, length int64) {
	start := r.w.here(0)
	inside, left := r.over(length)
	r.w.fill(separator)
	switch n := inside - start.pos; {
	case left == 0 && r.follows(0):
	case n < 0 && left == 0: // stray bytes follow
	case n < 0:
		rec.Skipped -= left
		rec.defect(rec.Offset, fmt.Sprintf("block cut short: %d bytes of %d", length-left, length))
	case !r.w.back(start):
		rec.defect(rec.Offset, fmt.Sprintf("Content-Length %d is wrong, what begins in it cannot be read from a pipe", length))
	default:
		r.wrong++
		rec.Skipped = n
		if n <= int64(r.o.Limit) {
			r.w.fill(int(n))
			block := trimEnd(r.w.buf[:n])
			rec.Data = append(rec.Data, block...)
			rec.Block.End, rec.Skipped, n = len(rec.Data), 0, int64(len(block))
		}
		rec.defect(rec.Offset, fmt.Sprintf("Content-Length %d is too large, the block has %d bytes", length, n))
		r.w.forward(inside)
	}
}

// maxWrong is how many large lengths may be wrong. To see that they are takes
// reading as much as they say.
const maxWrong = 100

// distrusts reports whether a large length is taken for wrong without a further
// look, because many were, and a record begins in what is held of the block.
func (r *Reader) distrusts(head int) bool {
	return r.wrong >= maxWrong && findStart(r.w.buf, head, head+r.o.Limit) >= 0
}

// over goes over a block of a length, or as far as it is known to be wrong. inside
// is the position at which a record seems to begin in it, -1 if none does; left is
// what of the length is not there.
func (r *Reader) over(length int64) (inside, left int64) {
	wrong := false // for certain
	if r.w.plain && r.raw.file != nil {
		if _, _, right := r.next(r.w.pos + length); right {
			r.w.forward(r.w.pos + length)
			return -1, 0
		}
		wrong = true
	}
	inside, left = -1, length
	for first := 0; left > 0; first = 1 {
		avail := r.w.fill(minWindow)
		n := int(min(int64(avail), left))
		if inside < 0 {
			if k := findStart(r.w.buf[:avail], first, n); k >= 0 {
				inside = r.w.pos + int64(k)
			}
		}
		if inside >= 0 && wrong {
			return inside, left
		}
		if avail >= minWindow && r.w.bound() != avail && int64(n) < left {
			n -= lookahead
		}
		r.w.skip(n)
		if left -= int64(n); n == 0 || r.w.fresh() {
			break
		}
	}
	return inside, left
}

// examine reads what the header says and reports what a reader of the document
// should know.
func (r *Reader) examine(rec *Record) {
	v, n := rec.Get("WARC-Type")
	rec.Type = strings.ToLower(v)
	if n == 0 {
		rec.defect(rec.Offset, "no WARC-Type")
	}
	rec.TargetURI = target(rec)
	switch rec.Type {
	case "response", "resource", "conversion":
	case "continuation":
		rec.defect(rec.Offset, "continuation of a segmented record, not joined")
		return
	default:
		return
	}
	if rec.Skipped > 0 {
		rec.defect(rec.Offset, fmt.Sprintf("block of %d bytes is larger than the limit of %d, not read", rec.Skipped, r.o.Limit))
	}
	if why, n := rec.Get("WARC-Truncated"); n > 0 {
		rec.defect(rec.Offset, "truncated by who wrote it: "+why)
	}
	if seg, n := rec.Get("WARC-Segment-Number"); n > 0 {
		rec.defect(rec.Offset, fmt.Sprintf("segment %s of a record, the others are not joined", seg))
	}
}

// target returns the WARC-Target-URI. The grammar of WARC 1.0 puts it in angle
// brackets, and WARC 1.1 (Section 5.11) takes them away again.
func target(rec *Record) string {
	v, _ := rec.Get("WARC-Target-URI")
	if strings.HasPrefix(v, "<") && strings.HasSuffix(v, ">") {
		v = strings.TrimSpace(v[1 : len(v)-1])
	}
	return v
}
