// Package inflate decodes DEFLATE streams (RFC 1951) and gzip members (RFC 1952) that lie in
// memory piece by piece.
//
// inflate.go holds the [Decoder] and its blocks, fast.go the loop that does nearly all of
// the work, table.go the tables of codes, gzip.go the [Reader] of members. The decoder keeps up to
// 63 bits of the input in a register, filled by one load of eight bytes. An entry of a table
// says all of a code: how many bits it and its extra bits take, and what it stands for.
package inflate

import (
	"encoding/binary"
	"errors"
)

// What Decode stops for.
var (
	ErrInput  = errors.New("more input is needed")
	ErrOutput = errors.New("more room is needed")

	// ErrCorrupt is bytes that are not a DEFLATE stream.
	ErrCorrupt = errors.New("corrupt input")
)

// History is how many decoded bytes before the next one a stream may refer to.
const History = 32 << 10

// Decoder decodes one DEFLATE stream. The zero Decoder is at the beginning of one.
type Decoder struct {
	bits  uint64 // of the input, the next one lowest
	n     uint   // how many bits count
	phase phase
	final bool // the block is the last one

	stored   int // bytes of a stored block that are to come
	length   int // bytes of a match that are to come
	distance int

	lit     *[litSize]uint32 // of the block: those of fixed codes, or own
	dist    *[distSize]uint32
	ownLit  [litSize]uint32
	ownDist [distSize]uint32
	h       header
}

type phase uint8

const (
	atBlock phase = iota
	inStored
	inCodes // a block with fixed or dynamic codes
	atEnd
)

// Reset begins a new stream.
func (d *Decoder) Reset() {
	d.bits, d.n, d.phase, d.final, d.stored, d.length, d.h.at = 0, 0, atBlock, false, 0, 0, 0
}

// Decode decodes in from p on to out from o on, and returns where both go on. The bytes of
// out before o are those decoded before, as far back as History. The error is nil at the end
// of the stream, behind whose last byte p is then, ErrInput if in ends before it, ErrOutput
// if out has no room for what may come next, ErrCorrupt if in is not a DEFLATE stream.
// After ErrInput and ErrOutput the next call goes on, with the rest of in before what
// follows, and with out moved or grown.
func (d *Decoder) Decode(out []byte, o int, in []byte, p int) (int, int, error) {
	s := state{out, o, in, p}
	err := d.run(&s)
	s.p -= int(d.n >> 3) // whole bytes go back
	d.n &= 7
	d.bits &= 1<<d.n - 1
	return s.o, s.p, err
}

// state is where a call is in its buffers.
type state struct {
	out []byte
	o   int
	in  []byte
	p   int
}

func (d *Decoder) run(s *state) (err error) {
	for {
		switch d.phase {
		case atBlock:
			err = d.block(s)
		case inStored:
			err = d.copyStored(s)
		case inCodes:
			err = d.codes(s)
		case atEnd:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// refill makes 56 bits available, if as much input is there.
func (d *Decoder) refill(s *state) {
	if d.n < 48 && s.p+8 <= len(s.in) {
		d.bits |= load(s.in, s.p) << d.n
		s.p += int((63 - d.n) >> 3)
		d.n |= 56
		d.bits &= 1<<d.n - 1
	}
}

// need makes n bits available, at most 48.
func (d *Decoder) need(s *state, n uint) bool {
	for d.n < n {
		if s.p == len(s.in) {
			return false
		}
		d.bits |= uint64(s.in[s.p]) << d.n
		s.p++
		d.n += 8
	}
	return true
}

// take returns n bits, which are available.
func (d *Decoder) take(n uint) int {
	v := int(d.bits & (1<<n - 1))
	d.bits >>= n
	d.n -= n
	return v
}

// block reads the heading of a block (RFC 1951 Section 3.2.3).
func (d *Decoder) block(s *state) error {
	if d.h.at > 0 {
		return d.dynamic(s)
	}
	if d.final {
		d.phase = atEnd
		d.take(d.n & 7)
		return nil
	}
	if !d.need(s, 3) {
		return ErrInput
	}
	switch d.bits >> 1 & 3 {
	case 0:
		return d.beginStored(s)
	case 1:
		d.final = d.take(3)&1 == 1
		d.lit, d.dist = &fixedLit, &fixedDist
		d.phase = inCodes
		return nil
	case 2:
		d.final = d.take(3)&1 == 1
		d.h.at, d.h.i, d.h.order = 1, 0, [19]uint8{}
		return d.dynamic(s)
	}
	return ErrCorrupt
}

// beginStored reads the lengths of a stored block (Section 3.2.4).
func (d *Decoder) beginStored(s *state) error {
	pad := (d.n - 3) & 7
	if !d.need(s, 3+pad+32) {
		return ErrInput
	}
	final := d.take(3)&1 == 1
	d.take(pad)
	n, inverse := d.take(16), d.take(16)
	if n != inverse^0xffff {
		return ErrCorrupt
	}
	d.final, d.stored, d.phase = final, n, inStored
	return nil
}

func (d *Decoder) copyStored(s *state) error {
	for d.n >= 8 && d.stored > 0 {
		if s.o == len(s.out) {
			return ErrOutput
		}
		s.out[s.o] = byte(d.take(8))
		s.o++
		d.stored--
	}
	n := copy(s.out[s.o:], s.in[s.p:min(len(s.in), s.p+d.stored)])
	s.o, s.p, d.stored = s.o+n, s.p+n, d.stored-n
	switch {
	case d.stored == 0:
		d.phase = atBlock
		return nil
	case s.o == len(s.out):
		return ErrOutput
	}
	return ErrInput
}

// codes decodes symbols up to the end of the block.
func (d *Decoder) codes(s *state) error {
	for {
		if d.length > 0 && !d.copyMatch(s) {
			return ErrOutput
		}
		if d.fast(s) {
			return nil
		}
		if done, err := d.symbol(s); done || err != nil {
			return err
		}
	}
}

// symbol decodes one literal, match or end of the block, with no more input and room than
// it takes. It changes nothing before all of its bits are there.
func (d *Decoder) symbol(s *state) (done bool, err error) {
	if s.o == len(s.out) {
		return false, ErrOutput
	}
	e, ok := d.entry(s, d.lit[:], litBits, 0)
	switch {
	case !ok:
		return false, ErrInput
	case e&isLiteral != 0:
		d.take(uint(e & 0xff))
		s.out[s.o] = byte(e >> 16)
		s.o++
		return false, nil
	case e&isEnd != 0:
		d.take(uint(e & 0xff))
		d.phase = atBlock
		return true, nil
	case e&isInvalid != 0:
		return false, ErrCorrupt
	}
	total := uint(e & 0xff)
	if !d.need(s, total) {
		return false, ErrInput
	}
	f, ok := d.entry(s, d.dist[:], distBits, total)
	switch {
	case !ok || f&isInvalid == 0 && !d.need(s, total+uint(f&0xff)):
		return false, ErrInput
	case f&isInvalid != 0:
		return false, ErrCorrupt
	}
	d.length, d.distance = d.value(e), d.value(f)
	if d.distance > min(s.o, History) {
		return false, ErrCorrupt
	}
	return false, nil
}

// entry returns that of the code which begins skip bits on, once all of its bits are there:
// isInvalid if there is none.
func (d *Decoder) entry(s *state, table []uint32, bits, skip uint) (e uint32, ok bool) {
	for {
		b := d.bits >> skip
		e = table[b&(1<<bits-1)]
		if e&isTable != 0 {
			e = table[uint64(e>>16)+b>>bits&(1<<(e>>8&0xf)-1)]
		}
		switch {
		case e == 0 && d.n > skip:
			return isInvalid, true
		case e != 0 && skip+uint(e>>8&0xf) <= d.n:
			return e, true
		case !d.need(s, d.n&^7+8):
			return 0, false
		}
	}
}

// value takes the bits of an entry and returns its base and its extra bits.
func (d *Decoder) value(e uint32) int {
	total, code := uint(e&0xff), uint(e>>8&0xf)
	return int(e>>16) + d.take(total)>>code
}

// copyMatch copies what is left of the match, as far as there is room.
func (d *Decoder) copyMatch(s *state) bool {
	n := min(d.length, len(s.out)-s.o)
	for end := s.o + n; s.o < end; {
		s.o += copy(s.out[s.o:end], s.out[s.o-d.distance:s.o])
	}
	d.length -= n
	return d.length == 0
}

func load(b []byte, p int) uint64 { return binary.LittleEndian.Uint64(b[p:]) }
