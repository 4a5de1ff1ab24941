package warc

import (
	"bufio"
	"bytes"
	"io"
)

// A Reader of a range must return the same records as a Reader of the whole file. Text that looks
// like a record is no proof that a record begins there: a page may contain such text. The bytes
// that deflate stores without compression may contain it, too, above all in an archive that holds
// other archives.
//
// A plain file is read from Options.KnownRecord, or from its start. The Reader goes from header to
// header, and does not read the rest of a large block.
//
// In a gzip file, the Reader examines the members that begin in the range. The bytes of a member
// may also occur inside another member, where deflate stores bytes without compression. Deflate
// does that in pieces of at most 65,535 bytes, and writes five bytes before each piece. So a chain
// of whole members with right checksums is real if it is longer than one piece: it cannot lie
// inside another member. A chain that ends with the file is real, too. If the first member in the
// range begins such a chain and begins with a record, the range begins there.
//
// Otherwise records may span several members, a member may be damaged, or it may lie inside another
// member. In these cases the Reader reads the archive from KnownRecord, or from its start. It also
// does that in an archive of mixed records, if a plain record may come before the chain. One case
// remains undetected: in a mixed archive, the block of a plain record may contain a long chain of
// members.
//
// zstd frames tell where they end. So the Reader follows the frames from KnownRecord, or from the
// start of the file, without decoding.

// maxStored is the size of the longest piece that deflate stores without compression (RFC 1951
// Section 3.2.4).
const maxStored = 65535

// seekFirst goes to the first record of the range in a file, or to an earlier record. If it returns
// false, the new position is the start of the file, or the end of its dictionary. Other bytes may
// then come before the first record.
func (r *Reader) seekFirst() bool {
	known := r.o.KnownRecord
	if known > r.o.Start {
		known = 0
	}
	s, compressed := r.w.src.(*members)
	if !compressed {
		r.w.seekTo(known)
		return known > 0
	}
	if known == r.o.Start {
		return s.open(known)
	}
	at := int64(-1)
	switch s.codec.(type) {
	case *gzipCodec:
		at = r.findInGzip()
	case *zstdCodec:
		at = r.findInZstd(s, max(s.first, known))
	}
	if at < 0 {
		at = max(s.first, known)
	}
	return s.open(at) && at > s.first
}

// seekNext goes from one record of a plain file to the next, without reading the block. It returns
// false, and stays at the record, if the file is not plain, or if no record begins where the
// Content-Length says.
func (r *Reader) seekNext() bool {
	if !r.w.plain || r.raw.file == nil {
		return false
	}
	rec := Record{Header: r.skippedHeader}
	headerLen, length := r.parseHeader(&rec)
	r.skippedHeader = rec.Header
	if length < 0 {
		return false
	}
	next, record, _ := r.afterBlock(r.w.pos + int64(headerLen) + length)
	if !record {
		return false
	}
	r.w.seekTo(next)
	return true
}

// afterBlock examines the bytes of a plain file after a block that ends at the offset end. next is
// the offset after the line ends that follow. record reports whether a record begins at next. right
// reports whether the block may end at end: a record begins at next, the file ends there, or more
// than maxLineEnds bytes of line ends follow. end is negative if the sum of an offset and a
// Content-Length overflows. Then the block is longer than the file.
func (r *Reader) afterBlock(end int64) (next int64, record, right bool) {
	if end < 0 || end > r.raw.size {
		return 0, false, false
	}
	for _, most := range []int{fewLineEnds, maxLineEnds} {
		b := make([]byte, most+r.startLen())
		n, _ := r.raw.file.ReadAt(b, r.raw.fileStart+end)
		rest := bytes.TrimLeft(b[:n], "\r\n")
		next = end + int64(n-len(rest))
		if next >= end+int64(most) && n == len(b) {
			continue
		}
		record = r.startsRecord(rest)
		if len(rest) > 0 && rest[0] == 0x1f {
			member := make([]byte, gzipHead)
			k, _ := r.raw.file.ReadAt(member, r.raw.fileStart+next)
			record = r.startsWithGzipRecord(member[:k])
		}
		return next, record, record || len(rest) == 0
	}
	return next, false, true
}

// findInGzip returns the offset of the first record of the range in a gzip file. If no record
// begins in the range, it returns the size of the file. It returns -1 if the members of the range
// do not show where the record begins.
func (r *Reader) findInGzip() int64 {
	end := r.raw.size
	if r.o.End > 0 {
		end = min(end, r.o.End)
	}
	c := newChain(r.raw)
	c.arc = r.arc
	at := c.findMagic(r.o.Start, end)
	to := at
	if at < 0 {
		to = end
	}
	switch {
	case !r.arc && c.plainBetween(r.o.Start, to):
		return -1
	case at < 0:
		return r.raw.size
	case !c.isReal(at):
		return -1
	}
	return at
}

// plainBetween reports whether a plain record may begin in [from, to). The archive may then be
// mixed.
func (c *chain) plainBetween(from, to int64) bool {
	b := make([]byte, readBuffer)
	for from < to {
		n, _ := c.raw.file.ReadAt(b, c.raw.fileStart+from)
		for i := 0; ; i++ {
			k := bytes.Index(b[i:n], []byte("WARC/"))
			if k < 0 || from+int64(i+k) >= to {
				break
			}
			i += k
			if startsWithHeader(b[i:n], true) {
				return true
			}
		}
		if n <= headerPrefix {
			return false
		}
		from += int64(n - headerPrefix)
	}
	return false
}

// chain decodes the gzip members of a file, one after the other.
type chain struct {
	raw *raw
	br  *bufio.Reader // reads from the chain itself, which is an io.Reader
	z   gzipCodec
	off int64 // offset of the next byte that br reads
	arc bool  // the archive is an ARC
}

func newChain(r *raw) *chain {
	return &chain{raw: r, br: bufio.NewReaderSize(nil, readBuffer)}
}

// Read reads the file from off on.
func (c *chain) Read(p []byte) (int, error) {
	n, err := c.raw.file.ReadAt(p, c.raw.fileStart+c.off)
	c.off += int64(n)
	return n, err
}

// seek goes to an offset of the file.
func (c *chain) seek(at int64) {
	c.off = at
	c.br.Reset(c)
}

// findMagic returns the first offset in [at, end) at which a gzip member may begin, or -1.
func (c *chain) findMagic(at, end int64) int64 {
	c.seek(at)
	for at < end {
		c.br.Peek(4)
		b, _ := c.br.Peek(c.br.Buffered())
		if len(b) < 4 {
			return -1
		}
		if n := gzipMagic(b); n >= 0 && n+4 <= len(b) {
			at += int64(n)
			if at < end {
				return at
			}
			return -1
		}
		n, _ := c.br.Discard(len(b) - 3)
		at += int64(n)
	}
	return -1
}

// isReal decodes members from an offset on. It returns true if they are real, as the head of this
// file explains, and the first of them begins with a record.
func (c *chain) isReal(from int64) bool {
	c.seek(from)
	for at := from; ; {
		start, err := c.member()
		if err != nil || at == from && !c.startsRecord(start) {
			return false
		}
		at = c.off - int64(c.br.Buffered())
		if b, _ := c.br.Peek(1); len(b) == 0 || at-from > maxStored {
			return true
		}
		if b, _ := c.br.Peek(magicLen); gzipMagic(b) != 0 {
			return false
		}
	}
}

// member decodes one member and returns its first bytes.
func (c *chain) member() ([]byte, error) {
	if err := c.z.reset(c.br); err != nil {
		return nil, err
	}
	start := make([]byte, versionLen)
	if c.arc {
		start = make([]byte, maxLine)
	}
	var err error
	n := 0
	for n < len(start) && err == nil {
		var k int
		k, err = c.z.Read(start[n:])
		n += k
	}
	if err == nil {
		_, err = io.Copy(io.Discard, &c.z)
	}
	if err == io.EOF {
		err = nil
	}
	return start[:n], err
}

// startsRecord reports whether b, the beginning of a member, begins with a record.
func (c *chain) startsRecord(b []byte) bool {
	if c.arc {
		return startsWithARC(b)
	}
	return startsWithWARC(b)
}

// findInZstd returns the offset of the first record of the range in a zstd file, as findInGzip does
// for a gzip file. It goes from frame to frame, beginning with the frame at the offset off.
func (r *Reader) findInZstd(s *members, off int64) int64 {
	for off < r.o.Start {
		end, ok := frameEnd(r.raw.file, r.raw.fileStart+off)
		if !ok || end-r.raw.fileStart > r.raw.size {
			return -1
		}
		off = end - r.raw.fileStart
		if off < r.raw.size && !r.frameAt(off) {
			return -1
		}
	}
	if off == r.raw.size || r.o.End > 0 && off >= r.o.End {
		return r.raw.size
	}
	s.open(off)
	b, _ := s.br.Peek(s.codec.startSize())
	if !startsWithWARC(s.codec.decodeStart(b, versionLen)) {
		return -1
	}
	return off
}

// frameAt reports whether the bytes at an offset of the file can begin a zstd frame. If not, the
// frame before them is damaged: its headers give a wrong end.
func (r *Reader) frameAt(off int64) bool {
	var b [4]byte
	n, _ := r.raw.file.ReadAt(b[:], r.raw.fileStart+off)
	return zstdMagic(b[:n]) == 0
}
