package warc

import (
	"bufio"
	"bytes"
	"io"
)

// A Reader of a range must find the first record of the range. A Reader of the whole file must find
// the same record. Pages may contain text that looks like records. So may blocks that deflate
// stores without compression, above all in archives of archives.
//
// A plain file is read from its start. The Reader seeks from header to header, with one small read
// for each record.
//
// In a gzip file, the Reader examines the members that begin in the range. Deflate stores bytes
// without compression in blocks of at most 65,535 bytes, and writes five bytes before each block.
// So a chain of whole members with right checksums is real if it is longer than a block, or if it
// ends with the file. If the first such chain begins with a record, the range begins there. If it
// does not, records span several members. If a chain is not whole, it is damaged or was never real.
// In both cases the Reader reads the archive from its start. It also does that if a plain record
// may come before the chain, in an archive of mixed records. One case remains undetected: a stored
// block of a mixed archive that itself holds a longer chain.
//
// zstd frames tell where they end, so the Reader follows the frames from the start of the file,
// without decoding.

// maxStored is the size of the longest block that deflate stores without compression (RFC 1951
// Section 3.2.4).
const maxStored = 65535

// seekFirst moves to the first record of the range in a file, or to a record before it. It returns
// true if a record surely begins at the new position.
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
	switch s.kind.(type) {
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

// seekNext moves a plain file from one record to the next, without reading the block between them.
// It returns false, and does not move, if the file is not plain or the next record is not where the
// Content-Length says.
func (r *Reader) seekNext() bool {
	if !r.w.plain || r.raw.file == nil {
		return false
	}
	rec := Record{Header: r.skippedHeader}
	headerLen, length := r.parseHeader(&rec)
	r.skippedHeader = rec.Header
	if length < 0 || length > r.raw.size-r.w.pos-int64(headerLen) {
		return false
	}
	next, record, _ := r.afterBlock(r.w.pos + int64(headerLen) + length)
	if !record {
		return false
	}
	r.w.seekTo(next)
	return true
}

// afterBlock examines the bytes of a plain file after a block that ends at an offset. next is the
// offset after the line ends. record says that a record begins at next. right says that a record
// begins at next, or that the file ends there.
func (r *Reader) afterBlock(at int64) (next int64, record, right bool) {
	if at > r.raw.size {
		return 0, false, false
	}
	var b [separator]byte
	n, _ := r.raw.file.ReadAt(b[:], r.raw.base+at)
	rest := bytes.TrimLeft(b[:n], "\r\n")
	record = startsWithWARC(rest)
	if len(rest) > 0 && rest[0] == 0x1f {
		member := make([]byte, gzipHead)
		k, _ := r.raw.file.ReadAt(member, r.raw.base+at+int64(n-len(rest)))
		record = r.gzipRecord(member[:k])
	}
	return at + int64(n-len(rest)), record, record || len(rest) == 0
}

// findInGzip returns the offset of the first record of the range in a gzip file, or the size of the
// file if the range has no record. It returns -1 if the archive must be read from the start.
func (r *Reader) findInGzip() int64 {
	end := r.raw.size
	if r.o.End > 0 {
		end = min(end, r.o.End)
	}
	c := newChain(r.raw)
	at := c.findMagic(r.o.Start, end)
	to := at
	if at < 0 {
		to = end
	}
	switch {
	case c.plainBetween(r.o.Start, to):
		return -1
	case at < 0:
		return r.raw.size
	case !c.follow(at):
		return -1
	}
	return at
}

// plainBetween reports whether a plain record may begin in [from, to). The archive may then be
// mixed, and must be read from the start.
func (c *chain) plainBetween(from, to int64) bool {
	b := make([]byte, readBuffer)
	for from < to {
		n, _ := c.raw.file.ReadAt(b, c.raw.base+from)
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
		if n <= lookahead {
			return false
		}
		from += int64(n - lookahead)
	}
	return false
}

// chain follows the gzip members of a file.
type chain struct {
	raw *raw
	br  *bufio.Reader // reads the chain
	z   gzipCodec
	off int64 // offset of the next byte that br reads
}

func newChain(r *raw) *chain {
	return &chain{raw: r, br: bufio.NewReaderSize(nil, readBuffer)}
}

// Read reads the file from off on.
func (c *chain) Read(p []byte) (int, error) {
	n, err := c.raw.file.ReadAt(p, c.raw.base+c.off)
	c.off += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

// seek goes to an offset of the file.
func (c *chain) seek(at int64) {
	c.off = at
	c.br.Reset(c)
}

// findMagic returns the first offset in [at, end) at which a member may begin, or -1.
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

// follow decodes members from an offset on. It returns true if they are real, and the first of them
// begins with a record.
func (c *chain) follow(from int64) bool {
	c.seek(from)
	for at := from; ; {
		start, err := c.member()
		if err != nil || at == from && !startsWithWARC(start) {
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
	var start [versionLen]byte
	var err error
	n := 0
	for n < len(start) && err == nil {
		var k int
		k, err = c.z.Read(start[n:])
		n += k
	}
	if err == nil {
		_, err = io.Copy(io.Discard, struct{ io.Reader }{&c.z}) // only Read checks the checksum
	}
	if err == io.EOF {
		err = nil
	}
	return start[:n], err
}

// findInZstd is findInGzip for zstd frames. It follows the frames from the frame at an offset on.
func (r *Reader) findInZstd(s *members, at int64) int64 {
	for at < r.o.Start {
		end, ok := frameEnd(r.raw.file, r.raw.base+at)
		if !ok || end-r.raw.base > r.raw.size {
			return -1
		}
		at = end - r.raw.base
		if at < r.raw.size && !r.frameAt(at) {
			return -1
		}
	}
	if at == r.raw.size || r.o.End > 0 && at >= r.o.End {
		return r.raw.size
	}
	s.open(at)
	b, _ := s.br.Peek(s.kind.startSize())
	if !startsWithWARC(s.kind.decodeStart(b)) {
		return -1
	}
	return at
}

// frameAt reports whether a zstd frame begins at an offset of the file. A damaged frame gives a
// wrong end, at which no frame begins.
func (r *Reader) frameAt(at int64) bool {
	var b [4]byte
	n, _ := r.raw.file.ReadAt(b[:], r.raw.base+at)
	return zstdMagic(b[:n]) == 0
}
