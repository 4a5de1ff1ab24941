package warc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"absolink/extract"
	"absolink/mime"
	"absolink/mime/internal/header"
)

// parse reads the record at the position of r into rec, and advances to the next record. off is the
// offset of the position.
func (r *Reader) parse(rec *Record, off int64) {
	m := memories.Get().(*memory)
	*rec = Record{Offset: off, Line: r.w.line, Compressed: r.w.compressed(), Header: m.header, memory: m}
	headerLen, length := r.parseHeader(rec)
	end := headerLen
	switch {
	case length < 0:
		end = r.findBlockEnd(headerLen, headerLen+r.o.Limit)
		if end < 0 {
			end = headerLen
			rec.Skipped = int64(r.o.Limit) + 1 // skipBlock sets the number
		}
	case length > int64(r.o.Limit) && r.mustSkip(headerLen, length):
		rec.Skipped = length
	default:
		end = r.blockEnd(rec, headerLen, length)
	}
	block := r.offsetIn(rec, headerLen)
	m.keepFields(rec.Header)
	rec.Block = extract.Span{Start: headerLen, End: end}
	if r.o.OnlyPlaces {
		r.endPlace(rec, length)
		return
	}
	rec.Data = r.w.detach(end, m)
	if !r.arc { // the fields refer to the window; Data has the same bytes at the same offsets
		rec.Header = rec.Over(rec.Data)
	}
	if rec.Skipped > 0 {
		r.skipBlock(rec, length)
	}
	r.skipTrailing(rec)
	rec.End = r.endOffset()
	r.interpret(rec)
	rec.checkJSON(block)
	rec.addAll(r.w.drainDefects())
}

// endPlace does the rest of parse with Options.OnlyPlaces. length is the length of the block, or -1
// if it is unknown.
func (r *Reader) endPlace(rec *Record, length int64) {
	r.w.skip(rec.Block.End)
	if rec.Skipped > 0 {
		r.skipBlock(rec, length)
	}
	r.skipTrailing(rec)
	place := Record{Offset: rec.Offset, End: r.endOffset(), Line: rec.Line}
	r.w.drainDefects()
	rec.Release()
	*rec = place
}

// checkJSON reports a metadata record whose JSON is not valid. The record may be a WAT record that
// isWAT did not recognise, because the damage is before its "Envelope". block is the offset of the
// block in the container.
func (r *Record) checkJSON(block int64) {
	if r.Type == "metadata" && r.Skipped == 0 && !r.segment && r.isJSON() && !r.isWAT() && !json.Valid(r.block()) {
		r.add(mime.Defect{Offset: block, Text: "metadata in JSON that is not valid", Minor: r.Shortened()})
	}
}

// maxHeader is the largest size of a header.
const maxHeader = 1 << 20

// parseHeader parses the version line and the header fields at the position of r. headerLen is the
// length of both, with the blank line. length is the length of the block, or -1 if it is unknown.
func (r *Reader) parseHeader(rec *Record) (headerLen int, length int64) {
	if r.arc {
		return r.parseARC(rec)
	}
	headerLen, whole := r.fillHeader()
	cut := recordInHeader(r.w.buf[:headerLen])
	if cut > 0 {
		headerLen = cut
	}
	b := r.w.buf[:headerLen]
	fields := bytes.IndexByte(b, '\n') + 1
	if fields == 0 {
		fields = len(b)
	}
	rec.Version = intern(header.Trim(b[min(versionLen, fields):fields]), versions[:])
	headerLen, _ = rec.ParseFields(b, fields)
	if !slices.Contains(versions[:], rec.Version) {
		rec.report(rec.Offset, fmt.Sprintf("unknown version %.40q", rec.Version))
	}
	for start := range rec.Nameless() {
		rec.report(r.offsetIn(rec, start), "header line without a field name")
	}
	switch {
	case cut > 0:
		rec.report(r.offsetIn(rec, cut), "header without an end")
		return cut, 0
	case !whole:
		rec.report(r.offsetIn(rec, headerLen), "header without an end")
		return headerLen, unknownLength
	}
	return headerLen, contentLength(rec)
}

// unknownLength is the length of a block whose header does not say it. A known length is not
// negative.
const unknownLength = -1

// contentLength returns the first Content-Length of rec. If rec has no Content-Length, or the first
// is not a number, contentLength reports a defect and returns unknownLength. It also reports that
// rec has several Content-Length fields.
func contentLength(rec *Record) int64 {
	v, n := rec.GetBytes("Content-Length")
	if n == 0 {
		rec.report(rec.Offset, "no Content-Length")
		return unknownLength
	}
	if n > 1 {
		rec.reportLengths(n)
	}
	length, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil || length < 0 || v[0] == '+' {
		rec.report(rec.Offset, fmt.Sprintf("Content-Length %.40q is not a number", v))
		return unknownLength
	}
	return length
}

// reportLengths reports that r has n fields Content-Length. The defect is minor if they are equal.
func (r *Record) reportLengths(n int) {
	first, _ := r.Get("Content-Length")
	equal := true
	for v := range r.Values("Content-Length") {
		equal = equal && v == first
	}
	text := fmt.Sprintf("%d Content-Length fields, the first one counts", n)
	r.add(mime.Defect{Offset: r.Offset, Text: text, Minor: equal})
}

// fillHeader makes the header of a record available. n is the length of the header, with the blank
// line that ends it. If another record begins before a blank line, whole is false, and the first n
// bytes contain the start of that record. If neither a blank line nor another record follows, whole
// is false, and n is the number of available bytes, up to maxHeader.
func (r *Reader) fillHeader() (n int, whole bool) {
	for size := 4 << 10; ; size *= 4 {
		avail := min(r.w.fill(size), size, maxHeader)
		b := r.w.buf[:avail]
		n = blankLine(b)
		if n >= 0 {
			return n, true
		}
		if avail < size || stopsIn(b) {
			return avail, false
		}
	}
}

// stopsIn reports whether a header that begins with b stops where another record begins. If the
// result is true, it stays true however the header continues after b.
func stopsIn(b []byte) bool {
	k := recordInHeader(b)
	return k > 0 && k <= len(b)-headerPrefix
}

// blankLine returns the index after the first blank line of b, or -1. A blank line at the start of
// b does not count.
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

// recordInHeader returns the index in a header at which another record begins, or -1. The writer
// stopped at that index, and then wrote the other record. The end of a URI may look like a version
// line. So a record in the middle of a line counts only if one of the fields WARC-Type and
// WARC-Record-ID stands both before and after the index.
func recordInHeader(b []byte) int {
	k := findHeader(b, min(versionLen, len(b)), len(b), true)
	if k < 0 || b[k-1] == '\n' {
		return k
	}
	for _, name := range []string{"\nWARC-Type:", "\nWARC-Record-ID:"} {
		if bytes.Contains(b[:k], []byte(name)) && bytes.Contains(b[k:], []byte(name)) {
			return k
		}
	}
	return -1
}

// offsetIn returns the offset of byte i of a record. In a compressed container it returns the
// offset of the record.
func (r *Reader) offsetIn(rec *Record, i int) int64 {
	if r.w.plain {
		return rec.Offset + int64(i)
	}
	return rec.Offset
}

// versions lists the known versions.
var versions = [...]string{"1.1", "1.0", "0.18", "0.17"}

// types lists the types of records (WARC 1.1 Sections 5.5 and 6).
var types = [...]string{"response", "request", "metadata",
	"resource", "revisit", "conversion", "warcinfo", "continuation"}

// intern returns string(b). It does not allocate if b is one of names.
func intern(b []byte, names []string) string {
	for _, s := range names {
		if string(b) == s {
			return s
		}
	}
	return string(b)
}

// interpret sets the fields of rec that come from the header. It reports the defects that matter to
// a reader of the document.
func (r *Reader) interpret(rec *Record) {
	v, n := rec.GetBytes("WARC-Type")
	rec.Type = strings.ToLower(intern(v, types[:]))
	if n == 0 {
		rec.report(rec.Offset, "no WARC-Type")
	}
	rec.TargetURI = targetURI(rec)
	switch rec.Type {
	case "metadata", "revisit":
		rec.reportSkipped(r.o.Limit)
	case "continuation":
		rec.segment = true
		rec.report(rec.Offset, "continuation of a segmented record, not joined")
	case "response", "resource", "conversion":
		rec.reportSkipped(r.o.Limit)
		if why, n := rec.Get("WARC-Truncated"); n > 0 {
			rec.add(mime.Defect{Offset: rec.Offset, Text: "truncated by its writer: " + why, Minor: rec.Shortened()})
		}
		if segment, n := rec.Get("WARC-Segment-Number"); n > 0 {
			rec.segment = segment != "" && segment != "1"
			rec.report(rec.Offset, fmt.Sprintf("segment %s of a record, the others are not joined", segment))
		}
	}
}

// targetURI returns the WARC-Target-URI without angle brackets. The grammar of WARC 1.0 requires
// the angle brackets. The grammar of WARC 1.1 (Clause 4) has none.
func targetURI(rec *Record) string {
	v, _ := rec.Get("WARC-Target-URI")
	if strings.HasPrefix(v, "<") && strings.HasSuffix(v, ">") {
		v = strings.TrimSpace(v[1 : len(v)-1])
	}
	return v
}

// report adds a defect at an offset of the container.
func (r *Record) report(at int64, text string) { r.add(mime.Defect{Offset: at, Text: text}) }

// reportSkipped adds a defect if the block was skipped.
func (r *Record) reportSkipped(limit int) {
	if r.Skipped > 0 {
		r.report(r.Offset, fmt.Sprintf("block of %d bytes is larger than the limit of %d, not read", r.Skipped, limit))
	}
}

// maxDefects is the largest number of defects in a record. Further defects are dropped.
const maxDefects = 100

// add adds a defect to r, unless r has maxDefects.
func (r *Record) add(d mime.Defect) {
	if len(r.Defects) < maxDefects {
		r.Defects = append(r.Defects, d)
	}
}

// addAll adds defects to r, up to maxDefects.
func (r *Record) addAll(list []mime.Defect) {
	for _, d := range list {
		r.add(d)
	}
}
