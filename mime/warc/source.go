package warc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"absolink/mime"
	"absolink/mime/internal/inflate"
)

// The container of an archive stores its records plain or compressed. A compressed container
// consists of members: gzip members, usually one for each record (WARC 1.1 Annex D), or zstd
// frames. A source returns the decoded bytes, and tells where members begin. If a member begins
// with a record, the previous record ends there, whatever its Content-Length says. So damage does
// not reach beyond that member.
//
// In this package an offset counts the stored bytes of the container. A position counts the decoded
// bytes that a Reader has passed (window.go).

// source returns the decoded bytes of the archive.
type source interface {
	// read reads decoded bytes into p. p must have room for maxLine bytes. If a member begins with
	// these bytes, m describes the member. Then n may be 0. m is valid until the next call. At the
	// end of the archive read returns io.EOF.
	read(p []byte) (n int, m *member, err error)
	// open goes to the member that begins at off, and returns true if it succeeded. In a plain file
	// off may be any offset.
	open(off int64) bool
}

// member describes where a member begins, and the faults before it.
type member struct {
	off          int64 // offset of the member
	beginsRecord bool  // the first bytes of the member begin a record
	afterGap     bool  // bytes are missing before the member
	plain        bool  // the member is a plain record among gzip members
	defects      []mime.Defect
}

// versionLen is the length of the part of a version line that is the same in all versions.
const versionLen = len("WARC/")

// startsWithWARC reports whether b begins with "WARC/", in capital or small letters.
func startsWithWARC(b []byte) bool {
	return len(b) >= versionLen && bytes.EqualFold(b[:versionLen], []byte("WARC/"))
}

// plain is the source of a file that is not compressed. It has no members.
type plain struct{ raw *raw }

func (s plain) read(p []byte) (int, *member, error) {
	n, err := s.raw.Read(p)
	return n, nil, err
}

func (s plain) open(off int64) bool { return s.raw.seek(off) }

// members is the source of a file of gzip members or zstd frames. After damage it searches for the
// next member.
type members struct {
	raw   *raw
	br    *bufio.Reader // the stored bytes
	codec codec
	arc   bool // the archive is an ARC

	first       int64  // offset of the first member
	startOffset int64  // offset of the current member
	inside      bool   // the current member has not ended
	current     member // the member that read returned last
	plainLeft   int64  // number of bytes that remain of a plain record; 0 in a compressed member
	pending     member // the defects and the gap before the next member, which has not begun yet

	stopAtRangeEnd bool  // a member that begins at the end of the range, or after it, is not read
	plainFrom      int64 // searches look for plain records only from this offset on
	onlyNULs       bool  // the last search passed only NULs
}

// codec decodes one kind of members.
type codec interface {
	// name returns the name of a member for the texts of defects.
	name() string
	// findMagic returns the offset of the first bytes in b that can begin a member, or -1.
	findMagic(b []byte) int
	// reset begins to decode the member at the start of br. It returns errEmpty for a skippable
	// frame, which holds no data. It returns another error if br does not begin with a member.
	reset(br *bufio.Reader) error
	// Read reads decoded bytes of the member.
	io.Reader
	// skipRest goes to the end of a member that cannot be decoded. It returns false if the end
	// cannot be found.
	skipRest() bool
	// maxHidden returns a number of stored bytes. If Read or skipRest fails, it may have passed the
	// start of the next member. That start is at most maxHidden bytes before the current offset.
	maxHidden() int64
	// decodeStart returns the first n decoded bytes of the member at the start of b. For versionLen
	// bytes it needs at most startSize bytes of b.
	decodeStart(b []byte, n int) []byte
	// startSize returns the number of stored bytes that decodeStart needs for versionLen bytes.
	startSize() int
}

// newMembers returns the members of r. size is the size of the buffer for stored bytes. For
// stopAtRangeEnd see the field of members.
func newMembers(r *raw, c codec, size int, stopAtRangeEnd bool) *members {
	s := &members{br: bufio.NewReaderSize(nil, size), codec: c}
	s.reset(r, stopAtRangeEnd)
	return s
}

// reset makes s read r. It reuses the memory of s.
func (s *members) reset(r *raw, stopAtRangeEnd bool) {
	s.br.Reset(r)
	*s = members{raw: r, br: s.br, codec: s.codec, arc: s.arc, stopAtRangeEnd: stopAtRangeEnd}
	r.keepSize = int(s.codec.maxHidden()) + s.br.Size()
}

// offset returns the offset of the next stored byte in s.br. All stored bytes before that offset
// were decoded or skipped.
func (s *members) offset() int64 { return s.raw.off - int64(s.br.Buffered()) }

func (s *members) open(off int64) bool {
	if !s.raw.seek(off) {
		return false
	}
	s.br.Reset(s.raw)
	s.inside = false
	s.plainLeft = 0
	s.pending = member{}
	s.current.plain = false
	return true
}

func (s *members) read(p []byte) (int, *member, error) {
	for {
		if !s.inside {
			m, err := s.beginNext()
			if !s.inside {
				return 0, m, err
			}
			n := s.fill(p, s.startLen())
			m.beginsRecord = s.startsRecord(p[:n])
			return n, m, nil
		}
		if n := s.fill(p, 1); n > 0 {
			return n, nil, nil
		}
	}
}

// startLen returns the number of decoded bytes that startsRecord needs.
func (s *members) startLen() int {
	if s.arc {
		return maxLine
	}
	return versionLen
}

// startsRecord reports whether b, the beginning of a member, begins with a record.
func (s *members) startsRecord(b []byte) bool {
	if s.arc {
		return startsWithARC(b)
	}
	return startsWithWARC(b)
}

// startSize returns the number of stored bytes of a member that are decoded for startsRecord. They
// usually suffice.
func (s *members) startSize() int {
	if s.arc {
		return 2 * maxLine
	}
	return s.codec.startSize()
}

// fill reads decoded bytes of the current member into p: at least atLeast bytes, or all up to the
// end of the member. It returns their number.
func (s *members) fill(p []byte, atLeast int) (n int) {
	for n < atLeast && s.inside {
		k, err := s.decode(p[n:])
		n += k
		switch err {
		case nil:
		case io.EOF:
			s.inside = false
		default:
			s.inside = false
			s.abandon(err)
		}
	}
	return n
}

// decode reads some decoded bytes of the current member. At the end of the member it returns
// io.EOF.
func (s *members) decode(p []byte) (n int, err error) {
	if s.plainLeft == 0 {
		return s.codec.Read(p)
	}
	n, err = s.br.Read(p[:min(int64(len(p)), s.plainLeft)])
	s.plainLeft -= int64(n)
	if s.plainLeft == 0 {
		err = io.EOF
	}
	return n, err
}

// beginNext begins the next member, sets s.inside, and returns the member. If the input ends
// instead, s.inside stays false. Then m holds the defects of the bytes before the end. If there are
// none, m is nil, and err is io.EOF.
func (s *members) beginNext() (m *member, err error) {
	for {
		s.plainLeft = 0
		lineEnds := s.skipLineEnds()
		at := s.offset()
		if s.atEnd() {
			if s.pending.defects == nil {
				return nil, io.EOF
			}
			return s.setCurrent(at), nil
		}
		if b, _ := s.br.Peek(magicLen); s.codec.findMagic(b) != 0 {
			n := s.plainLength()
			if n == 0 {
				s.skipJunk(at, lineEnds)
				continue
			}
			s.inside = true
			s.startOffset = at
			s.plainLeft = n
			m = s.setCurrent(at)
			m.plain = true
			return m, nil
		}
		switch err := s.codec.reset(s.br); err {
		case nil:
			s.inside = true
			s.startOffset = at
			return s.setCurrent(at), nil
		case errEmpty:
		default:
			s.startOffset = at
			s.abandon(err)
		}
	}
}

// magicLen is the number of bytes that are enough to see whether a member begins with them.
const magicLen = 8

// atEnd reports whether the input ends, or no further member belongs to the range.
func (s *members) atEnd() bool {
	if s.rangeEnded() {
		return true
	}
	b, _ := s.br.Peek(1)
	return len(b) == 0
}

// rangeEnded reports whether no further member belongs to the range, because of s.stopAtRangeEnd.
func (s *members) rangeEnded() bool { return s.stopAtRangeEnd && s.offset() >= s.raw.rangeEnd }

// setCurrent makes the member at an offset the current one, and returns it. The member gets the
// pending defects and the pending gap. setCurrent also forgets how far earlier searches went. A
// Reader that begins at this member does not know it either, and both Readers must return the same
// records.
func (s *members) setCurrent(at int64) *member {
	s.plainFrom = 0
	s.current = s.pending
	s.current.off = at
	s.pending = member{}
	return &s.current
}

// skipJunk skips and reports bytes that belong neither to a member nor to a plain record. They
// begin at the offset off, and end at the next member or plain record. lineEnds is the number of
// line ends before the junk.
func (s *members) skipJunk(off int64, lineEnds int) {
	b, _ := s.br.Peek(magicLen)
	mayBeTail := s.pending.defects == nil && s.mayBeTail(b)
	s.plainFrom = max(s.plainFrom, off+1)
	s.search(s.searchStart(off, lineEnds), true)
	rest, _ := s.br.Peek(1)
	n := s.offset() - off
	switch {
	case mayBeTail && len(rest) == 0:
		s.reportTail(off)
	case n > 0:
		s.report(off, fmt.Sprintf("%d bytes that are no %s", n, s.codec.name()))
	default:
		s.report(s.offset(), "the Content-Length of the plain record before this offset is too large")
	}
}

// report adds a pending defect.
func (s *members) report(at int64, text string) {
	if len(s.pending.defects) < maxDefects {
		s.pending.defects = append(s.pending.defects, mime.Defect{Offset: at, Text: text})
	}
}

// abandon leaves the current member, because its rest cannot be decoded. err is the reason. If the
// codec finds the end of the member, and a member, a plain record or the end of the input follows,
// reading continues after that end. Otherwise abandon searches for the next record: a plain one, or
// a member that begins with one.
func (s *members) abandon(err error) {
	s.report(s.startOffset, fmt.Sprintf("%s damaged: %v", s.codec.name(), err))
	s.pending.afterGap = true
	if z, ok := s.codec.(*gzipCodec); ok {
		if n, ok := z.z.Verbatim(); ok {
			// Deflate stored some blocks of this member without compression. They end n bytes
			// before the offset. read has returned the records in them: see mixed.go.
			s.plainFrom = max(s.plainFrom, s.offset()-n)
		}
	}
	if s.codec.skipRest() {
		if b, _ := s.br.Peek(magicLen); len(b) == 0 || s.codec.findMagic(b) == 0 {
			return
		}
		s.skipLineEnds()
		if s.plainLength() > 0 {
			return
		}
	}
	s.search(max(s.startOffset+1, s.offset()-s.codec.maxHidden()), true)
}

// mayBeTail reports whether b, which follows a whole member, may be foreign bytes after the last
// member. It returns false if b looks like a cut or damaged gzip member.
func (s *members) mayBeTail(b []byte) bool {
	if _, ok := s.codec.(*gzipCodec); !ok || s.current.plain {
		return false
	}
	magic := []byte{0x1f, 0x8b, 8}
	same := 0
	for i := range min(len(magic), len(b)) {
		if b[i] == magic[i] {
			same++
		}
	}
	return same < min(2, len(b))
}

// reportTail reports the bytes from an offset on, which follow the last member. It reports nothing
// if all of them are NULs, because copies from tapes and block devices end with NULs.
func (s *members) reportTail(at int64) {
	if s.onlyNULs {
		return
	}
	text := fmt.Sprintf("%d bytes behind the last %s", s.offset()-at, s.codec.name())
	s.pending.defects = append(s.pending.defects, mime.Defect{Offset: at, Text: text, Minor: true})
}

// search goes to the first member that begins with a record, at or after the offset from. It goes
// to the end if there is none. If plain is true, search also stops at a plain record among gzip
// members. It examines each byte once, and decodes only the beginning of a possible member.
func (s *members) search(from int64, plain bool) {
	if !s.raw.seek(from) {
		panic("warc: search begins before the bytes that raw keeps")
	}
	s.br.Reset(s.raw)
	s.pending.afterGap = true
	s.onlyNULs = true
	_, gzip := s.codec.(*gzipCodec)
	plain = plain && gzip && !s.arc
	before := byte(0) // the byte before the next stored byte, or 0 if it is unknown
	for {
		b, _ := s.br.Peek(headerPrefix + 1)
		if len(b) == 0 {
			return
		}
		last := len(b) <= headerPrefix
		b, _ = s.br.Peek(s.br.Buffered())
		to := len(b)
		if !last {
			to -= headerPrefix
		}
		n := s.codec.findMagic(b)
		if n >= 0 {
			to = min(to, n)
		}
		if plain && s.toPlainRecord(b, to, before) {
			return
		}
		if to > 0 {
			before = b[to-1]
		}
		s.onlyNULs = s.onlyNULs && len(bytes.Trim(b[:to], "\x00")) == 0
		s.br.Discard(to)
		if to != n {
			continue
		}
		b, _ = s.br.Peek(s.startSize())
		if s.codec.findMagic(b) == 0 && s.startsRecord(s.codec.decodeStart(b, s.startLen())) {
			return
		}
		if len(b) > 0 {
			before = b[0]
			s.onlyNULs = false
			s.br.Discard(1)
		}
	}
}

// gzipCodec reads gzip members.
type gzipCodec struct {
	z       inflate.Reader
	probe   inflate.Reader
	probeIn bufio.Reader
	err     error
}

func (c *gzipCodec) name() string { return "gzip member" }

func (c *gzipCodec) findMagic(b []byte) int { return gzipMagic(b) }

// gzipMagic returns the offset of the first bytes in b that can begin a gzip member, or -1. A
// member begins with the identification bytes, the only defined method, and flags without reserved
// bits (RFC 1952 Section 2.3).
func gzipMagic(b []byte) int {
	for i := 0; ; i++ {
		n := bytes.Index(b[i:], []byte{0x1f, 0x8b, 8})
		if n < 0 {
			return -1
		}
		i += n
		if i+3 == len(b) || b[i+3]&0xe0 == 0 {
			return i
		}
	}
}

func (c *gzipCodec) reset(br *bufio.Reader) error {
	c.err = nil
	return c.z.Reset(br)
}

func (c *gzipCodec) Read(p []byte) (int, error) {
	n, err := c.z.Read(p)
	c.err = err
	return n, err
}

// skipRest returns true if only the checksum is wrong: Read has then reached the end of the member.
func (c *gzipCodec) skipRest() bool { return c.err == inflate.ErrChecksum }

// maxHidden is larger than a stored block of deflate: if the length of such a block is wrong, the
// block hides up to 65,535 bytes.
func (c *gzipCodec) maxHidden() int64 { return 128 << 10 }

func (c *gzipCodec) decodeStart(b []byte, n int) []byte {
	c.probeIn.Reset(bytes.NewReader(b))
	if c.probe.Reset(&c.probeIn) != nil {
		return nil
	}
	start := make([]byte, n)
	n, _ = io.ReadFull(&c.probe, start)
	return start[:n]
}

// startSize is enough for a gzip header, the header of a deflate block, and some text.
func (c *gzipCodec) startSize() int { return 1 << 10 }
