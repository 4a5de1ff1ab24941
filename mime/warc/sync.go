package warc

import (
	"bufio"
	"bytes"
	"io"
)

// A Reader of a range must find the first record of the range. It must be a record that a Reader of
// the whole file also finds. Pages may contain text that looks like records. So may blocks that
// deflate stores without compression, above all in archives of archives.
//
// Plain files are read from the start, from header to header and over the blocks: one small read
// for each record.
//
// In gzip files, the members that begin in the range are examined. Deflate stores bytes without
// compression in blocks of at most 65,535 bytes, with five bytes before each block. So a chain of
// whole members with right checksums is real if it is longer than a block, or ends with the file.
// If the first such chain begins with a record, the range begins there. If it does not, records
// span several members. If a chain is not whole, it is damaged or was never real. In both cases the
// archive is read from the start. The same happens if a plain record may come before the chain, in
// an archive of mixed records. One case remains undetected: a stored block of a mixed archive that
// itself holds a longer chain.
//
// zstd frames tell where they end, so the chain of frames is followed from the start without
// decoding.

// stored is the longest block that deflate stores without compression (RFC 1951 Section 3.2.4).
const stored = 65535

// sync goes to the first record of the range, or to one before it. known is the offset of a known
// record. sync reports whether a record surely begins at the new position.
func (r *Reader) sync(known int64) bool {
	s, ok := r.w.src.(*members)
	switch {
	case !ok:
		r.w.move(known)
		return known > 0
	case known == r.o.Start:
		return s.open(known)
	}
	at := int64(-1)
	switch s.kind.(type) {
	case *gzipCodec:
		at = r.chain()
	case *zstdCodec:
		at = r.walk(s, max(s.first, known))
	}
	if at < 0 {
		at = max(s.first, known)
	}
	return s.open(at) && at > s.first
}

// jump skips the record at the position of a plain file, which is before the range. It succeeds
// only if another record follows correctly.
func (r *Reader) jump() bool {
	if !r.w.plain || r.raw.file == nil {
		return false
	}
	rec := Record{Header: r.passed}
	head, length := r.heading(&rec)
	r.passed = rec.Header
	if length < 0 || length > r.raw.size-r.w.pos-int64(head) {
		return false
	}
	to, record, _ := r.next(r.w.pos + int64(head) + length)
	if !record {
		return false
	}
	r.w.move(to)
	return true
}

// next examines the bytes after a block of a plain file that ends at an offset. It skips line ends.
// to is the offset after them; record reports whether a record begins there; right reports whether
// a record or the end is there.
func (r *Reader) next(at int64) (to int64, record, right bool) {
	if at > r.raw.size {
		return 0, false, false
	}
	var b [separator]byte
	n, _ := r.raw.file.ReadAt(b[:], r.raw.base+at)
	rest := bytes.TrimLeft(b[:n], "\r\n")
	record = begins(rest)
	if len(rest) > 0 && rest[0] == 0x1f {
		member := make([]byte, gzipHead)
		k, _ := r.raw.file.ReadAt(member, r.raw.base+at+int64(n-len(rest)))
		record = r.gzipRecord(member[:k])
	}
	return at + int64(n-len(rest)), record, record || len(rest) == 0
}

// chain returns the offset of the first record of the range, or the size of the file if there is
// none. It returns -1 if the archive must be read from the start.
func (r *Reader) chain() int64 {
	end := r.raw.size
	if r.o.End > 0 {
		end = min(end, r.o.End)
	}
	c := newChain(r.raw)
	at := c.magic(r.o.Start, end)
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

// plainBetween reports whether a plain record may begin in [from, to). The archive then holds more
// than members, and must be read from the start.
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
			if recordStart(b[i:n], true) {
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

// chain follows gzip members.
type chain struct {
	raw *raw
	br  *bufio.Reader
	z   gzipCodec
	off int64 // offset after the bytes that br has read
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

func (c *chain) seek(at int64) {
	c.off = at
	c.br.Reset(c)
}

// magic returns the first offset in [at, end) at which a member may begin, or -1.
func (c *chain) magic(at, end int64) int64 {
	c.seek(at)
	for at < end {
		c.br.Peek(4)
		b, _ := c.br.Peek(c.br.Buffered())
		if len(b) < 4 {
			return -1
		}
		if n := c.z.magic(b); n >= 0 && n+4 <= len(b) {
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

// follow decodes members from an offset on. It reports whether they are real and the first begins
// with a record.
func (c *chain) follow(from int64) bool {
	c.seek(from)
	for at := from; ; {
		start, err := c.member()
		if err != nil || at == from && !begins(start) {
			return false
		}
		at = c.off - int64(c.br.Buffered())
		if b, _ := c.br.Peek(1); len(b) == 0 || at-from > stored {
			return true
		}
		if b, _ := c.br.Peek(8); c.z.magic(b) != 0 {
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

// walk is chain for zstd frames. at is the offset of a frame.
func (r *Reader) walk(s *members, at int64) int64 {
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
	b, _ := s.br.Peek(s.kind.look())
	if !begins(s.kind.trial(b)) {
		return -1
	}
	return at
}

// frameAt reports whether a zstd frame begins at an offset of the file. A damaged frame gives a
// wrong end, at which no frame begins.
func (r *Reader) frameAt(at int64) bool {
	var b [4]byte
	n, _ := r.raw.file.ReadAt(b[:], r.raw.base+at)
	return new(zstdCodec).magic(b[:n]) == 0
}
