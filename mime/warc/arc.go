package warc

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ARC is the format of the Internet Archive before WARC. A record begins with one line. In version
// 1 the line has five fields, separated by blanks: URL, IP address, date, media type, and the
// length of the block in bytes. In version 2 it has ten: result code, checksum, location, offset
// and file name come before the length. One line end follows the block. The first record,
// filedesc:, names the version. A Reader gives ARC records the fields of WARC that have the same
// meaning. Records may be plain, in gzip members, or in one gzip stream.
//
// The rules of block.go correct wrong lengths. An archive is an ARC if it begins with the line of
// an ARC record. Records of WARC and ARC do not mix in one archive.

// maxLine is the size in bytes of the longest line of an ARC record.
const maxLine = 8 << 10

// arcLine holds the fields of the line of an ARC record.
type arcLine struct {
	url, ip, date, media []byte
	written              []byte // the length as written
	length               int64  // unknownLength if it is not a number
}

// parseLine parses the line of an ARC record, without its line end. A URL may contain blanks. So
// parseLine first finds the date: the URL and the IP address come before the date. If the length is
// not a number, the line must have exactly the fields of version 1 or 2. ok is false if line is not
// the line of a record.
func parseLine(line []byte) (a arcLine, ok bool) {
	if !beginsWithScheme(line) {
		return a, false
	}
	at := dateField(line)
	if at < 0 {
		return a, false
	}
	before := bytes.TrimRight(line[:at], " ")
	n := bytes.LastIndexByte(before, ' ')
	fields := bytes.Fields(line[at:])
	if n < 0 || len(fields) < 3 {
		return a, false
	}
	a = arcLine{url: bytes.TrimRight(before[:n], " "), ip: before[n+1:], date: fields[0], media: fields[1],
		written: fields[len(fields)-1]}
	length, err := strconv.ParseUint(string(a.written), 10, 63)
	a.length = int64(length)
	if err != nil {
		a.length = unknownLength
	}
	return a, err == nil || len(fields) == fieldsFromDate1 || len(fields) == fieldsFromDate2
}

// The number of fields from the date on, in the line of a record of version 1 or 2.
const (
	fieldsFromDate1 = 3
	fieldsFromDate2 = 8
)

// beginsWithScheme reports whether b begins with the scheme of a URL.
func beginsWithScheme(b []byte) bool {
	n := bytes.IndexByte(b[:min(len(b), 32)], ':')
	if n <= 0 || b[0]|0x20 < 'a' || b[0]|0x20 > 'z' {
		return false
	}
	return bytes.IndexFunc(b[:n], func(c rune) bool { return notInName(c) && c != '+' && c != '.' }) < 0
}

// dateField returns the offset of the last field of line that is a date and follows an IP address,
// or -1.
func dateField(line []byte) int {
	for end := len(line); ; {
		start := bytes.LastIndexByte(line[:end], ' ') + 1
		if start == 0 {
			return -1
		}
		before := bytes.TrimRight(line[:start], " ")
		ip := before[bytes.LastIndexByte(before, ' ')+1:]
		if isDate(line[start:end]) && isIP(ip) {
			return start
		}
		end = start - 1
	}
}

// isDate reports whether b is a date of 12 to 17 digits.
func isDate(b []byte) bool { return 12 <= len(b) && len(b) <= 17 && digits(b) }

// isIP reports whether b may be an IP address.
func isIP(b []byte) bool {
	return len(b) > 0 && (string(b) == "-" || len(bytes.Trim(b, "0123456789abcdefABCDEF.:[]")) == 0)
}

// startsWithARC reports whether b begins with the line of an ARC record, of at most maxLine bytes.
func startsWithARC(b []byte) bool {
	if !beginsWithScheme(b) {
		return false
	}
	line, _, ok := bytes.Cut(b[:min(len(b), maxLine)], newline)
	if !ok {
		return false
	}
	_, ok = parseLine(bytes.TrimRight(line, "\r"))
	return ok
}

// startsWithRecord reports whether b begins with a record of a WARC or ARC that is not compressed.
// maxLine bytes of b are enough.
func startsWithRecord(b []byte) bool { return startsWithWARC(b) || startsWithARC(b) }

// findLine returns the first index in [from, to) of b at which the line of an ARC record begins, or
// -1. The line must begin at the start of b or after a line end.
func findLine(b []byte, from, to int) int {
	for i := from; i < to; i++ {
		if i > 0 && b[i-1] != '\n' {
			n := bytes.IndexByte(b[i:to], '\n')
			if n < 0 {
				return -1
			}
			i += n + 1
		}
		if i < to && startsWithARC(b[i:]) {
			return i
		}
	}
	return -1
}

// isARC reports whether the archive is an ARC. first is the result of firstBytes.
func (r *Reader) isARC(first []byte) bool {
	if startsWithWARC(first) || zstdMagic(first) == 0 {
		return false
	}
	off := int64(0)
	if r.mode == modeKnown {
		off = r.o.Start
	}
	if gzipMagic(first) != 0 {
		return startsWithARC(r.peekLine(off))
	}
	for _, size := range []int{r.inRange(off, gzipHead), gzipHead, 2 * maxLine} {
		start := r.probe.decodeStart(r.peek(off, size), maxLine)
		if startsWithWARC(start) || startsWithARC(start) {
			return !startsWithWARC(start)
		}
	}
	return false
}

// arcVersion is the Version of ARC records.
const arcVersion = "ARC"

// parseARC parses the line of the ARC record at the position of r. headerLen is the length of
// the line. length is the length of the block, or unknownLength.
func (r *Reader) parseARC(rec *Record) (headerLen int, length int64) {
	avail := min(r.w.fill(maxLine), maxLine)
	headerLen = bytes.IndexByte(r.w.buf[:avail], '\n') + 1
	if headerLen == 0 {
		headerLen = avail
	}
	line, ok := parseLine(bytes.TrimRight(r.w.buf[:headerLen], "\r\n"))
	rec.Version = arcVersion
	if !ok {
		rec.report(rec.Offset, "not the first line of an ARC record")
		length = unknownLength
	} else {
		length = line.length
		if length < 0 {
			rec.report(rec.Offset, fmt.Sprintf("Archive-length %.40q is not a number", line.written))
		}
	}
	rec.ParseFields(line.fields(), 0)
	return headerLen, length
}

// fields returns the values of a as header fields of a WARC record.
func (a *arcLine) fields() []byte {
	var b bytes.Buffer
	add := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", name, value)
		}
	}
	typ := "resource"
	scheme, _, _ := strings.Cut(strings.ToLower(string(a.url)), ":")
	switch scheme {
	case "http", "https":
		typ = "response"
	case "filedesc":
		typ = "warcinfo"
	}
	add("WARC-Type", typ)
	add("WARC-Target-URI", string(a.url))
	add("WARC-Date", warcDate(string(a.date)))
	add("WARC-IP-Address", string(a.ip))
	add("Content-Type", string(a.media))
	return b.Bytes()
}

// warcDate returns the date of an ARC record as a WARC-Date, or "" if it is not a date.
func warcDate(date string) string {
	const minutes = len("200601021504")
	form := "20060102150405"
	if len(date) < len(form) {
		form = form[:minutes]
	}
	t, err := time.Parse(form, date[:min(len(date), len(form))])
	if err != nil {
		return ""
	}
	return t.Format(time.RFC3339)
}

// startLen returns the number of bytes of a record that startsRecord needs.
func (r *Reader) startLen() int {
	if r.arc {
		return maxLine
	}
	return versionLen
}

// startsRecord reports whether b begins with a record of the format of the archive.
func (r *Reader) startsRecord(b []byte) bool {
	if r.arc {
		return startsWithARC(b)
	}
	return startsWithWARC(b)
}

// findStart returns the first index in [from, to) of b at which a plain record begins, or -1. It
// calls findLine for an ARC, and findHeader otherwise.
func (r *Reader) findStart(b []byte, from, to int, midLine bool) int {
	if r.arc {
		return findLine(b, from, to)
	}
	return findHeader(b, from, to, midLine)
}

// prefixLen returns the number of bytes of a record that findStart needs to find the record.
func (r *Reader) prefixLen() int {
	if r.arc {
		return maxLine
	}
	return headerPrefix
}

// lengthName returns the name of the length of a block, for the texts of defects.
func (r *Reader) lengthName() string {
	if r.arc {
		return "Archive-length"
	}
	return "Content-Length"
}
