package warc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"absolink/mime"
	"absolink/mime/internal/inflate"
)

// A WARC file is a sequence of records. The container holds it as it is, or compressed in members:
// gzip members, usually one for each record (WARC 1.1 Annex D), or zstd frames. A source gives the
// decoded bytes, and tells where members begin. If a member begins with a record, its start is a
// boundary, whatever the lengths say. So damage ends with its member.

// source gives the decoded bytes of the WARC file.
type source interface {
	// read reads into p, which must hold at least versionLen bytes. If the bytes begin a member, m
	// describes it until the next read; n may then be 0. At the end read returns io.EOF.
	read(p []byte) (n int, m *member, err error)
	// open goes to a member, or in a plain file to any offset. It reports whether it succeeded.
	open(off int64) bool
}

// member is the start of a member.
type member struct {
	off     int64 // in the container
	record  bool  // its first bytes begin a record
	gap     bool  // bytes are missing before it
	stored  bool  // it is a plain record
	defects []mime.Defect
}

const versionLen = len("WARC/")

// begins reports whether b begins like a record, in any case.
func begins(b []byte) bool {
	return len(b) >= versionLen && bytes.EqualFold(b[:versionLen], []byte("WARC/"))
}

// plain is a file without compression: it has no members.
type plain struct{ raw *raw }

func (s plain) read(p []byte) (int, *member, error) {
	n, err := s.raw.Read(p)
	return n, nil, err
}

func (s plain) open(off int64) bool { return s.raw.seek(off) }

// members is the common part of gzip and zstd: a stream of decoded bytes cut into members, and the
// search for the next member after damage.
type members struct {
	raw    *raw
	br     *bufio.Reader
	kind   codec
	first  int64 // offset of the first member
	start  int64 // offset of the current member
	inside bool
	left   int64  // remaining bytes of a plain record; 0 if the member is compressed
	passed int64  // no plain record begins before this offset, or none is searched there again
	zeros  bool   // the bytes that search passed are all NUL
	next   member // the known facts about the next member
	begun  member // the member that read has returned last
	exact  bool   // no member begins at the end of the range or after it
}

// codec is a kind of members.
type codec interface {
	name() string
	// magic returns the offset of the first bytes in b that can begin a member, or -1.
	magic(b []byte) int
	// reset begins the member at br. It returns an error if the bytes are not a member, and
	// errEmpty if the member holds no data, as skippable frames do.
	reset(br *bufio.Reader) error
	io.Reader
	// rest advances to the end of a member that cannot be decoded. It reports whether the container
	// tells that end.
	rest() bool
	// back is the largest distance between the start of a member that damage hid and the offset
	// where the damage shows or rest gives up.
	back() int64
	// trial returns the first decoded bytes of the member at the start of b. It needs at most look
	// bytes of b.
	trial(b []byte) []byte
	look() int
}

func newMembers(r *raw, kind codec, size int) *members {
	return &members{raw: r, br: bufio.NewReaderSize(r, size), kind: kind}
}

// offset returns the offset of the next byte that is not yet decoded.
func (s *members) offset() int64 { return s.raw.off - int64(s.br.Buffered()) }

func (s *members) open(off int64) bool {
	if !s.raw.seek(off) {
		return false
	}
	s.br.Reset(s.raw)
	s.inside, s.left, s.passed, s.next, s.begun.stored = false, 0, 0, member{}, false
	return true
}

func (s *members) read(p []byte) (int, *member, error) {
	for {
		if !s.inside {
			m, err := s.begin()
			if err != nil || !s.inside {
				return 0, m, err
			}
			n := s.fill(p, versionLen)
			m.record = begins(p[:n])
			return n, m, nil
		}
		if n := s.fill(p, 1); n > 0 {
			return n, nil, nil
		}
	}
}

// fill reads at least least bytes of the member, or up to its end.
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
			s.damaged(err)
		}
	}
	return n
}

// decode reads from the member.
func (s *members) decode(p []byte) (n int, err error) {
	if s.left == 0 {
		return s.kind.Read(p)
	}
	n, err = s.br.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	if s.left == 0 {
		err = io.EOF
	}
	return n, err
}

// begin begins the next member. If there is none, s is not inside a member afterwards, and m holds
// the defects before the end.
func (s *members) begin() (m *member, err error) {
	for {
		s.left = 0
		ends := s.skipEnds()
		at := s.offset()
		var b []byte
		if !s.ended() {
			b, _ = s.br.Peek(1)
		}
		switch {
		case len(b) == 0 && s.next.defects == nil:
			return nil, io.EOF
		case len(b) == 0:
			s.next.gap = true
			m = s.take(at)
			return m, nil
		}
		b, _ = s.br.Peek(8)
		if s.kind.magic(b) != 0 {
			whole := s.next.defects == nil && s.isTail(b) // b is valid until the next Peek
			n := s.stored()
			s.passed = max(s.passed, at+1)
			if n > 0 {
				s.inside, s.start, s.left = true, at, n
				m = s.take(at)
				m.stored = true
				return m, nil
			}
			s.search(s.lost(at, ends), true)
			if rest, _ := s.br.Peek(1); whole && len(rest) == 0 {
				s.tail(at)
				continue
			}
			if n := s.offset() - at; n > 0 {
				s.report(at, fmt.Sprintf("%d bytes that are no %s", n, s.kind.name()))
			} else {
				s.report(s.offset(), "the Content-Length of the plain record before it is too large")
			}
			continue
		}
		switch err := s.kind.reset(s.br); err {
		case nil:
			s.inside, s.start = true, at
			return s.take(at), nil
		case errEmpty:
		default:
			s.start = at
			s.damaged(err)
		}
	}
}

// ended reports whether the range ends at the next byte or before it.
func (s *members) ended() bool { return s.exact && s.offset() >= s.raw.stop }

// take returns the known facts about the member at an offset. Later searches do not go back before
// that member, and do not depend on earlier searches. So a Reader may begin there.
func (s *members) take(at int64) *member {
	s.passed = at + 1
	s.begun, s.next = s.next, member{}
	s.begun.off = at
	return &s.begun
}

func (s *members) report(at int64, text string) {
	s.next.defects = append(s.next.defects, mime.Defect{Offset: at, Text: text})
}

// damaged leaves the member, because the rest of it cannot be decoded. If no member follows at its
// end, damaged searches for the next member that begins with a record.
func (s *members) damaged(err error) {
	s.report(s.start, fmt.Sprintf("%s damaged: %v", s.kind.name(), err))
	s.next.gap = true
	s.passed = max(s.passed, s.start+1)
	if z, ok := s.kind.(*gzipCodec); ok {
		if behind, ok := z.z.Verbatim(); ok {
			s.passed = max(s.passed, s.offset()-behind) // records before it are among the decoded bytes
		}
	}
	if s.kind.rest() {
		if b, _ := s.br.Peek(8); len(b) == 0 || s.kind.magic(b) == 0 {
			return
		}
		s.skipEnds()
		if s.stored() > 0 {
			return
		}
	}
	s.search(max(s.start+1, s.offset()-s.kind.back()), true)
}

// isTail reports whether b, which follows a whole member, may be other bytes after the last member:
// it does not look like a gzip member that is cut or damaged.
func (s *members) isTail(b []byte) bool {
	if _, ok := s.kind.(*gzipCodec); !ok || s.begun.stored {
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

// tail reports the bytes after the last member. It reports no NULs, because copies from tapes and
// block devices end with them.
func (s *members) tail(at int64) {
	if s.zeros {
		return
	}
	text := fmt.Sprintf("%d bytes behind the last %s", s.offset()-at, s.kind.name())
	s.next.defects = append(s.next.defects, mime.Defect{Offset: at, Text: text, Minor: true})
}

// search goes to the next member from an offset on that begins with a record, or to the end. If
// plain is set, it also finds a plain record among gzip members. Its work is bounded: each byte is
// examined once, and of a possible member only the beginning is decoded.
func (s *members) search(from int64, plain bool) {
	if !s.raw.seek(from) {
		panic("warc: more bytes back than are kept")
	}
	s.br.Reset(s.raw)
	s.next.gap = true
	s.zeros = true
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
		n := s.kind.magic(b)
		if n >= 0 {
			to = min(to, n)
		}
		if plain && s.plainStart(b, to, before) {
			return
		}
		if to > 0 {
			before = b[to-1]
		}
		s.zeros = s.zeros && len(bytes.Trim(b[:to], "\x00")) == 0
		s.br.Discard(to)
		if to != n {
			continue
		}
		b, _ = s.br.Peek(s.kind.look())
		if s.kind.magic(b) == 0 && begins(s.kind.trial(b)) {
			return
		}
		if len(b) > 0 {
			before = b[0]
			s.zeros = false
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

// magic looks for the identification bytes, the only defined method, and flags without reserved
// bits (RFC 1952 Section 2.3).
func (c *gzipCodec) magic(b []byte) int {
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

// rest returns true if only the checksum was wrong: the member was read to its end.
func (c *gzipCodec) rest() bool { return c.err == inflate.ErrChecksum }

// back is more than 65,535 bytes, which a stored block of deflate with a wrong length can hide.
func (c *gzipCodec) back() int64 { return 128 << 10 }

func (c *gzipCodec) trial(b []byte) []byte {
	c.probeIn.Reset(bytes.NewReader(b))
	if c.probe.Reset(&c.probeIn) != nil {
		return nil
	}
	var start [versionLen]byte
	n, _ := io.ReadFull(&c.probe, start[:])
	return start[:n]
}

// look is enough for the header of gzip, the header of a deflate block, and some text.
func (c *gzipCodec) look() int { return 1 << 10 }
