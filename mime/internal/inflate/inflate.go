// Package inflate decodes DEFLATE streams (RFC 1951) and gzip members (RFC 1952) piece by piece.
//
// inflate.go holds the [Decoder] and its blocks, fast.go the loop that does nearly all of
// the work, table.go the tables of codes, gzip.go the [Reader] of members. The decoder keeps up to
// 63 bits of the input in a register, filled by one load of eight bytes. An entry of a table
// says all of a code: how many bits it and its extra bits take, and what it stands for.
//
// Outside the fast loop bits behind the input read as zeros. A step that took more bits than
// there were is undone, and tried again with more input.
package inflate

import "errors"

// What decoding stops for.
var (
	ErrInput  = errors.New("more input is needed")
	ErrOutput = errors.New("more room is needed")

	// ErrCorrupt is bytes that are not a DEFLATE stream. The others are of members.
	ErrCorrupt  = errors.New("corrupt input")
	ErrHeader   = errors.New("gzip: invalid header")
	ErrChecksum = errors.New("gzip: invalid checksum")
)

// History is how many decoded bytes before the next one a stream may refer to. Room is how
// many bytes of a Window are decoded into before they have to be moved.
const (
	History = 32 << 10
	Room    = 256 << 10

	roundInput = 32  // what a round of the fast loop may read
	slop       = 576 // what it may write behind Room: literals, a match, and what is copied too much
)

// Window is what a stream is decoded into. Its size is fixed, so that few indices in it need
// be checked. The last match may end behind Room.
type Window [Room + slop]byte

// Decoder decodes one DEFLATE stream. The zero Decoder is at the beginning of one.
type Decoder struct {
	place
	codes *codes // of the block: fixed, or own
	own   codes
	lens  [lenSize]uint32 // the table of the codes that lengths of codes are written in
}

// place is where a Decoder is in its stream.
type place struct {
	bits   uint64 // of the input, the next one lowest
	n      int    // how many bits count; below 0 in a step that took too many
	phase  phase
	final  bool // the block is the last one
	stored int  // bytes of a stored block that are to come
	copied int  // offset in the input of the call behind the last byte of a stored block; 0 = none
}

type phase uint8

const (
	atBlock phase = iota
	inStored
	inCodes // a block with fixed or dynamic codes
	atEnd
	corrupt
)

// state is where a call is in its buffers.
type state struct {
	out  *Window
	in   []byte
	o, p int
}

// Reset begins a new stream.
func (d *Decoder) Reset() { d.place = place{} }

// Decode decodes in from p on to out from o on, and returns where both go on. The bytes of
// out before o are those decoded before, as far back as History. The error is nil at the end
// of the stream, behind whose last byte p is then, ErrInput if in ends before it, ErrOutput
// once o has reached Room, ErrCorrupt if in is not a DEFLATE stream.
// After ErrInput and ErrOutput the next call goes on, with the rest of in before what
// follows, and with what is in out moved. Less than 1 KB is left of in after ErrInput.
func (d *Decoder) Decode(out *Window, o int, in []byte, p int) (int, int, error) {
	s := state{out, in, o, p}
	d.copied = 0
	var err error
	for err == nil && d.phase != atEnd {
		was, o, p := d.place, s.o, s.p
		switch {
		case d.phase == corrupt:
			err = ErrCorrupt
		case s.o >= Room:
			err = ErrOutput
		case d.phase == atBlock:
			err = d.block(&s)
		case d.phase == inStored:
			err = d.copyStored(&s)
		case len(s.in)-s.p >= roundInput:
			d.fast(&s)
		default:
			err = d.symbol(&s)
		}
		if d.n < 0 {
			d.place, s.o, s.p, err = was, o, p, ErrInput
		}
	}
	s.p -= d.n >> 3 // whole bytes go back
	d.n &= 7
	d.bits &= 1<<d.n - 1
	return s.o, s.p, err
}

// fill makes 56 bits available, or as many as there are.
func (d *Decoder) fill(s *state) {
	if s.p+8 <= len(s.in) {
		d.bits |= load(s.in, uint(s.p)) << (d.n & 63)
		s.p += (63 - d.n) >> 3
		d.n |= 56
		d.bits &= 1<<d.n - 1
		return
	}
	for d.n < 56 && s.p < len(s.in) {
		d.bits |= uint64(s.in[s.p]) << d.n
		s.p++
		d.n += 8
	}
}

// take returns the next n bits.
func (d *Decoder) take(n int) int {
	v := int(d.bits & (1<<n - 1))
	d.bits >>= n
	d.n -= n
	return v
}

// block reads the heading of a block (RFC 1951 Section 3.2.3).
func (d *Decoder) block(s *state) error {
	if d.final {
		d.phase = atEnd
		d.take(d.n & 7)
		return nil
	}
	d.fill(s)
	d.final = d.take(1) == 1
	switch d.take(2) {
	case 0: // stored (Section 3.2.4)
		d.take(max(d.n, 0) & 7)
		n, inverse := d.take(16), d.take(16)
		if n == inverse^0xffff {
			s.p -= d.n >> 3 // whole bytes go back
			d.stored, d.phase, d.bits, d.n = n, inStored, 0, min(d.n, 0)
			return nil
		}
	case 1:
		d.codes, d.phase = &fixed, inCodes
		return nil
	case 2:
		return d.dynamic(s)
	}
	return ErrCorrupt
}

func (d *Decoder) copyStored(s *state) error {
	n := copy(s.out[s.o:Room], s.in[s.p:min(len(s.in), s.p+d.stored)])
	s.o, s.p, d.stored = s.o+n, s.p+n, d.stored-n
	if n > 0 {
		d.copied = s.p
	}
	if d.stored == 0 {
		d.phase = atBlock
	} else if s.o < Room {
		return ErrInput
	}
	return nil
}

// symbol decodes one literal, match or end of the block, with no more input than it takes.
func (d *Decoder) symbol(s *state) error {
	d.fill(s)
	e, v := d.next(d.codes.lit[:], litBits)
	switch {
	case e&isLiteral != 0:
		s.out[s.o] = byte(v)
		s.o++
		return nil
	case e&isEnd != 0:
		d.phase = atBlock
		return nil
	case e&isInvalid != 0:
		return ErrCorrupt
	}
	f, distance := d.next(d.codes.dist[:], distBits)
	if f&isInvalid != 0 || distance > s.o {
		return ErrCorrupt
	}
	repeat(s.out[s.o-distance:s.o+v], distance)
	s.o += v
	return nil
}

// next takes a code and its extra bits. It returns the entry and its base with them.
func (d *Decoder) next(table []uint32, bits uint) (e uint32, v int) {
	e = table[d.bits&(1<<bits-1)]
	if e&isTable != 0 {
		e = table[uint64(e>>16)+d.bits>>bits&(1<<(e>>8&0xf)-1)]
	}
	return e, int(e>>16) + d.take(int(e&0xff))>>(e>>8&0xf)
}
