// Package inflate decodes DEFLATE streams (RFC 1951) and gzip members (RFC 1952) piece by piece.
//
// inflate.go holds the [Decoder] and its blocks. fast.go holds the loop that does nearly all of the
// work, table.go the tables of codes, and gzip.go the [Reader] of members. The decoder keeps up to
// 63 bits of the input in a register, which one load of eight bytes fills. A table entry describes
// a whole code: its number of bits, the number of its extra bits, and its meaning.
//
// Outside the fast loop, bits after the end of the input read as zeros. If a step takes more bits
// than the input has, it is undone and tried again with more input.
package inflate

import "errors"

// Reasons why decoding stops.
var (
	ErrInput  = errors.New("more input is needed")
	ErrOutput = errors.New("more room is needed")

	// ErrCorrupt means that the bytes are not a DEFLATE stream. ErrHeader and ErrChecksum
	// concern members.
	ErrCorrupt  = errors.New("corrupt input")
	ErrHeader   = errors.New("gzip: invalid header")
	ErrChecksum = errors.New("gzip: invalid checksum")
)

// History is the number of decoded bytes that a stream may refer back to. Room is the number of
// bytes that can be decoded into a Window before its bytes must be moved.
const (
	History = 32 << 10
	Room    = 256 << 10

	roundInput = 32  // most bytes that a round of the fast loop reads
	slop       = 576 // most bytes that a round writes after Room: literals, a match, surplus copies
)

// Window is the output buffer of a stream. Its size is fixed, so that few indices need a bounds
// check. The last match may end after Room.
type Window [Room + slop]byte

// Decoder decodes one DEFLATE stream. The zero Decoder is at the beginning of a stream.
type Decoder struct {
	place
	codes *codes // of the block: fixed or own
	own   codes
	lens  [lenSize]uint32 // table of the codes that encode code lengths
}

// place is the position of a Decoder in its stream.
type place struct {
	bits   uint64 // bits of the input; the next bit is the lowest
	n      int    // number of bits that count; negative in a step that took too many
	phase  phase
	final  bool // this block is the last one
	stored int  // remaining bytes of a stored block
	copied int  // end of the last stored byte, as an offset in the input of this call; 0 if there is none
}

type phase uint8

const (
	atBlock phase = iota
	inStored
	inCodes // a block with fixed or dynamic codes
	atEnd
	corrupt
)

// state is the position of a call in its buffers.
type state struct {
	out  *Window
	in   []byte
	o, p int
}

// Reset begins a new stream.
func (d *Decoder) Reset() { d.place = place{} }

// Decode decodes in, from offset p on, into out, from offset o on. It returns the new offsets. The
// bytes of out before o must be the bytes decoded before, as many as History needs.
//
// The error is nil at the end of the stream; the new p is then the offset after its last byte. The
// error is ErrInput if in ends before the stream, ErrOutput if o has reached Room, and ErrCorrupt
// if in is not a DEFLATE stream. After ErrInput or ErrOutput, the next call continues the stream.
// Its input must begin with the bytes of in that were not decoded, which are less than 1 KB after
// ErrInput. The caller may move the bytes of out between the calls.
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

// fill makes 56 bits available, or all remaining bits if there are fewer.
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

// take removes the next n bits from the input and returns them.
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
		d.codes = fixed()
		d.phase = inCodes
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

// symbol decodes one literal, match or end of block. It needs no input beyond that symbol.
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

// next removes a code and its extra bits from the input. It returns the table entry, and its base
// plus the extra bits.
func (d *Decoder) next(table []uint32, bits uint) (e uint32, v int) {
	e = table[d.bits&(1<<bits-1)]
	if e&isTable != 0 {
		e = table[uint64(e>>16)+d.bits>>bits&(1<<(e>>8&0xf)-1)]
	}
	return e, int(e>>16) + d.take(int(e&0xff))>>(e>>8&0xf)
}
