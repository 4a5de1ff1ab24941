package warc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"absolink/mime"
	"absolink/mime/internal/inflate"
)

// The container of an archive stores its records plain, or compressed in members: gzip members,
// usually one for each record (WARC 1.1 Annex D), or zstd frames. A source gives the decoded bytes,
// and tells where members begin. If a member begins with a record, the record before it ends there,
// whatever its Content-Length says. So damage does not reach beyond that member.

// source gives the decoded bytes of the archive.
type source interface {
	// read reads into p, which must hold at least versionLen bytes. If the bytes begin a member, m
	// describes it until the next read; n may then be 0. At the end read returns io.EOF.
	read(p []byte) (n int, m *member, err error)
	// open goes to the start of a member. In a plain file it goes to any offset. It returns true if
	// it succeeded.
	open(off int64) bool
}

// member is the start of a member.
type member struct {
	off          int64 // in the container
	startsRecord bool  // its first bytes begin a record
	afterGap     bool  // bytes are missing before it
	plain        bool  // it is a plain record among gzip members
	defects      []mime.Defect
}

// versionLen is the length of the part of a version line that is the same in all versions.
const versionLen = len("WARC/")

// startsWithWARC reports whether b begins with "WARC/", in any case.
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
	raw  *raw
	br   *bufio.Reader // the stored bytes
	kind codec

	first       int64  // offset of the first member
	startOffset int64  // offset of the current member
	inside      bool   // the current member has not ended
	current     member // the member that read returned last
	plainLeft   int64  // remaining bytes of the current member, if it is a plain record; or 0
	pending     member // the known facts about the next member

	exactEnd  bool  // no member begins at the end of the range or after it
	plainFrom int64 // searches look for plain records only from this offset on
	onlyNULs  bool  // the last search passed only NULs
}

// codec is a kind of members.
type codec interface {
	// name names a member in defects.
	name() string
	// findMagic returns the offset of the first bytes in b that can begin a member, or -1.
	findMagic(b []byte) int
	// reset begins the member at br. It returns an error if the bytes are not a member, and
	// errEmpty if the member holds no data, as skippable frames do.
	reset(br *bufio.Reader) error
	// Read reads decoded bytes of the member.
	io.Reader
	// skipRest goes to the end of a member that cannot be decoded. It returns false if the
	// container does not tell where that end is.
	skipRest() bool
	// maxHidden bounds the number of bytes that damage may hide: a member that damage hides begins
	// at most maxHidden bytes before the offset where Read or skipRest fails.
	maxHidden() int64
	// decodeStart returns the first decoded bytes of the member at the start of b. It needs at most
	// startSize bytes of b.
	decodeStart(b []byte) []byte
	startSize() int
}

// newMembers returns the members of r. It reads size stored bytes at once. If exactEnd is set, no
// member begins at the end of the range or after it.
func newMembers(r *raw, kind codec, size int, exactEnd bool) *members {
	s := &members{br: bufio.NewReaderSize(nil, size), kind: kind}
	s.reset(r, exactEnd)
	return s
}

// reset makes s read r. It reuses the memory of s.
func (s *members) reset(r *raw, exactEnd bool) {
	s.br.Reset(r)
	*s = members{raw: r, br: s.br, kind: s.kind, exactEnd: exactEnd}
	r.keepSize = int(s.kind.maxHidden()) + s.br.Size()
}

// offset returns the offset of the next byte that is not yet decoded.
func (s *members) offset() int64 { return s.raw.off - int64(s.br.Buffered()) }

func (s *members) open(off int64) bool {
	if !s.raw.seek(off) {
		return false
	}
	s.br.Reset(s.raw)
	s.inside = false
	s.plainLeft = 0
	s.plainFrom = 0
	s.pending = member{}
	s.current.plain = false
	return true
}

func (s *members) read(p []byte) (int, *member, error) {
	for {
		if !s.inside {
			m, err := s.beginNext()
			if err != nil || !s.inside {
				return 0, m, err
			}
			n := s.fill(p, versionLen)
			m.startsRecord = startsWithWARC(p[:n])
			return n, m, nil
		}
		if n := s.fill(p, 1); n > 0 {
			return n, nil, nil
		}
	}
}

// fill reads at least least bytes of the current member, or up to its end.
func (s *members) fill(p []byte, least int) (n int) {
	for n < least && s.inside {
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

// decode reads decoded bytes of the current member. At the end it returns io.EOF.
func (s *members) decode(p []byte) (n int, err error) {
	if s.plainLeft == 0 {
		return s.kind.Read(p)
	}
	n, err = s.br.Read(p[:min(int64(len(p)), s.plainLeft)])
	s.plainLeft -= int64(n)
	if s.plainLeft == 0 {
		err = io.EOF
	}
	return n, err
}

// beginNext begins the next member. If the input ends instead, s.inside is false. Then m holds the
// defects of the bytes before the end, or err is io.EOF if there are none.
func (s *members) beginNext() (m *member, err error) {
	for {
		s.plainLeft = 0
		ends := s.skipEnds()
		at := s.offset()
		if s.atEnd() {
			if s.pending.defects == nil {
				return nil, io.EOF
			}
			s.pending.afterGap = true
			return s.startMember(at), nil
		}
		if b, _ := s.br.Peek(magicLen); s.kind.findMagic(b) != 0 {
			n := s.plainLength()
			if n == 0 {
				s.skipJunk(at, ends)
				continue
			}
			s.inside = true
			s.startOffset = at
			s.plainLeft = n
			m = s.startMember(at)
			m.plain = true
			return m, nil
		}
		switch err := s.kind.reset(s.br); err {
		case nil:
			s.inside = true
			s.startOffset = at
			return s.startMember(at), nil
		case errEmpty:
		default:
			s.startOffset = at
			s.abandon(err)
		}
	}
}

// magicLen is the number of bytes that tell the kind of a container.
const magicLen = 8

// atEnd reports whether the input ends, or no further member belongs to the range.
func (s *members) atEnd() bool {
	if s.rangeEnded() {
		return true
	}
	b, _ := s.br.Peek(1)
	return len(b) == 0
}

// rangeEnded reports whether the position is at the end of the range or after it, and the end is
// exact.
func (s *members) rangeEnded() bool { return s.exactEnd && s.offset() >= s.raw.rangeEnd }

// startMember returns the member at an offset, with the pending facts. Later searches do not go
// back before that member, and do not depend on earlier searches. So another Reader that begins
// there reads the same.
func (s *members) startMember(at int64) *member {
	s.plainFrom = at + 1
	s.current = s.pending
	s.current.off = at
	s.pending = member{}
	return &s.current
}

// skipJunk skips the bytes at the position, which begin neither a member nor a plain record, up to
// the next of these. It reports the bytes. ends is the number of line ends before the position.
func (s *members) skipJunk(at int64, ends int) {
	b, _ := s.br.Peek(magicLen)
	mayBeTail := s.pending.defects == nil && s.mayBeTail(b)
	s.plainFrom = max(s.plainFrom, at+1)
	s.search(s.searchStart(at, ends), true)
	rest, _ := s.br.Peek(1)
	n := s.offset() - at
	switch {
	case mayBeTail && len(rest) == 0:
		s.reportTail(at)
	case n > 0:
		s.report(at, fmt.Sprintf("%d bytes that are no %s", n, s.kind.name()))
	default:
		s.report(s.offset(), "the Content-Length of the plain record before it is too large")
	}
}

// report adds a pending defect.
func (s *members) report(at int64, text string) {
	s.pending.defects = append(s.pending.defects, mime.Defect{Offset: at, Text: text})
}

// abandon leaves the current member, whose rest cannot be decoded because of err. If no member
// follows at its end, abandon searches for the next member that begins with a record.
func (s *members) abandon(err error) {
	s.report(s.startOffset, fmt.Sprintf("%s damaged: %v", s.kind.name(), err))
	s.pending.afterGap = true
	s.plainFrom = max(s.plainFrom, s.startOffset+1)
	if z, ok := s.kind.(*gzipCodec); ok {
		if n, ok := z.z.Verbatim(); ok {
			s.plainFrom = max(s.plainFrom, s.offset()-n) // read has returned the records before it
		}
	}
	if s.kind.skipRest() {
		if b, _ := s.br.Peek(magicLen); len(b) == 0 || s.kind.findMagic(b) == 0 {
			return
		}
		s.skipEnds()
		if s.plainLength() > 0 {
			return
		}
	}
	s.search(max(s.startOffset+1, s.offset()-s.kind.maxHidden()), true)
}

// mayBeTail reports whether b, which follows a whole member, may be foreign bytes after the last
// member: whether it does not look like a cut or damaged gzip member.
func (s *members) mayBeTail(b []byte) bool {
	if _, ok := s.kind.(*gzipCodec); !ok || s.current.plain {
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

// reportTail reports the bytes after the last member. It does not report NULs, because copies from
// tapes and block devices end with them.
func (s *members) reportTail(at int64) {
	if s.onlyNULs {
		return
	}
	text := fmt.Sprintf("%d bytes behind the last %s", s.offset()-at, s.kind.name())
	s.pending.defects = append(s.pending.defects, mime.Defect{Offset: at, Text: text, Minor: true})
}

// search goes to the first member at or after an offset that begins with a record, or to the end.
// If plain is set, it also stops at a plain record among gzip members. It examines each byte once,
// and decodes only the beginning of a possible member.
func (s *members) search(from int64, plain bool) {
	if !s.raw.seek(from) {
		panic("warc: more bytes back than are kept")
	}
	s.br.Reset(s.raw)
	s.pending.afterGap = true
	s.onlyNULs = true
	_, gzip := s.kind.(*gzipCodec)
	plain = plain && gzip
	before := byte(0) // the byte before the position, or 0 if it is unknown
	for {
		b, _ := s.br.Peek(lookahead + 1)
		if len(b) == 0 {
			return
		}
		last := len(b) <= lookahead
		b, _ = s.br.Peek(s.br.Buffered())
		to := len(b)
		if !last {
			to -= lookahead
		}
		n := s.kind.findMagic(b)
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
		b, _ = s.br.Peek(s.kind.startSize())
		if s.kind.findMagic(b) == 0 && startsWithWARC(s.kind.decodeStart(b)) {
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

// gzipMagic returns the offset of the first bytes in b that can begin a gzip member, or -1. These
// are the identification bytes, the only defined method, and flags without reserved bits (RFC 1952
// Section 2.3).
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

// skipRest returns true if only the checksum was wrong. Read was at the end of the member then.
func (c *gzipCodec) skipRest() bool { return c.err == inflate.ErrChecksum }

// maxHidden is more than 65,535 bytes, which a stored block of deflate with a wrong length hides.
func (c *gzipCodec) maxHidden() int64 { return 128 << 10 }

func (c *gzipCodec) decodeStart(b []byte) []byte {
	c.probeIn.Reset(bytes.NewReader(b))
	if c.probe.Reset(&c.probeIn) != nil {
		return nil
	}
	var start [versionLen]byte
	n, _ := io.ReadFull(&c.probe, start[:])
	return start[:n]
}

// startSize is enough for a gzip header, the header of a deflate block, and some text.
func (c *gzipCodec) startSize() int { return 1 << 10 }
