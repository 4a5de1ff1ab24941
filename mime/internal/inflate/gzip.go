package inflate

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// Reader reads one gzip member (RFC 1952). The zero Reader is to be Reset.
type Reader struct {
	br    *bufio.Reader
	d     Decoder
	out   *Window // the last bytes decoded, up to o
	o     int
	given int // of out, that Read has returned
	crc   uint32
	sums  bool // what next returns counts in crc
	size  uint32
	since int64 // bytes taken from br behind the last one of a stored block; -1 = there was none
	err   error // what Read returns behind what is decoded
}

// Reset begins the member that br is at and reads its header. The error is ErrHeader if
// there is none, and io.ErrUnexpectedEOF if it is cut short. Nothing behind the member is
// taken from br, whose buffer holds at least 1 KB.
func (z *Reader) Reset(br *bufio.Reader) error {
	z.br, z.o, z.given, z.sums, z.size, z.err = br, 0, 0, false, 0, nil
	z.since = -1
	z.d.Reset()
	if z.out == nil {
		z.out = new(Window)
	}
	return z.header()
}

// Read returns bytes of the member. At its end, whose checksum and length hold, the error is
// io.EOF. It is ErrChecksum if they do not, ErrCorrupt in a stream that is damaged, and
// io.ErrUnexpectedEOF in one that is cut short; what was decoded before is returned first.
func (z *Reader) Read(p []byte) (int, error) {
	for z.given == z.o && z.err == nil {
		z.more()
	}
	n := copy(p, z.out[z.given:z.o])
	z.given += n
	if z.given < z.o {
		return n, nil
	}
	return n, z.err
}

// Verbatim reports whether the member holds bytes as they stand in its input, in stored blocks, and
// how many bytes behind the last of them were taken. Of a damaged member it is what was decoded.
func (z *Reader) Verbatim() (behind int64, ok bool) { return max(z.since, 0), z.since >= 0 }

// more decodes what there is room and input for, all of it having been given.
func (z *Reader) more() {
	if z.o >= Room {
		z.o = copy(z.out[:], z.out[z.o-History:z.o])
		z.given = z.o
	}
	in, err := z.br.Peek(max(1, z.br.Buffered()))
	if len(in) == 0 {
		z.err = cut(err)
		return
	}
	o, p, err := z.d.Decode(z.out, z.o, in, 0)
	if err == ErrInput && p == 0 && o == z.o { // what there is holds no whole step
		if more, failed := z.br.Peek(len(in) + 1); len(more) == len(in) {
			z.err = cut(failed)
		}
		return
	}
	z.br.Discard(p)
	if z.d.copied > 0 {
		z.since = 0
		p -= z.d.copied
	}
	if z.since >= 0 {
		z.since += int64(p)
	}
	z.crc = crc32.Update(z.crc, crc32.IEEETable, z.out[z.o:o])
	z.size += uint32(o - z.o)
	z.o = o
	switch err {
	case nil:
		z.err = z.trailer()
	case ErrCorrupt:
		z.err = err
	}
}

// cut is the error of a member that ends with err.
func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// trailer reads the checksum and the length (Section 2.3.1).
func (z *Reader) trailer() error {
	b, err := z.br.Peek(8)
	if len(b) < 8 {
		return cut(err)
	}
	z.br.Discard(8)
	if z.since >= 0 {
		z.since += 8
	}
	if binary.LittleEndian.Uint32(b) != z.crc || binary.LittleEndian.Uint32(b[4:]) != z.size {
		return ErrChecksum
	}
	return io.EOF
}

// header reads the header (Section 2.3), which crc sums up if it has a checksum.
func (z *Reader) header() error {
	fixed, err := z.br.Peek(10)
	if err != nil {
		return cut(err)
	}
	if fixed[0] != 0x1f || fixed[1] != 0x8b || fixed[2] != 8 {
		return ErrHeader
	}
	flags := fixed[3]
	z.crc = crc32.ChecksumIEEE(fixed)
	z.br.Discard(len(fixed))
	z.sums = flags&2 != 0 // FHCRC
	if flags&4 != 0 {     // FEXTRA
		for n := int(z.next()) | int(z.next())<<8; n > 0 && z.err == nil; n-- {
			z.next()
		}
	}
	for _, flag := range [...]byte{8, 16} { // FNAME, FCOMMENT
		for flags&flag != 0 && z.next() != 0 {
		}
	}
	if sum := uint16(z.crc); z.sums && uint16(z.next())|uint16(z.next())<<8 != sum && z.err == nil {
		return ErrHeader
	}
	z.crc, z.sums = 0, false
	return z.err
}

// next returns the next byte of the header, 0 if there is none.
func (z *Reader) next() byte {
	if z.err != nil {
		return 0
	}
	c, err := z.br.ReadByte()
	z.err = cut(err)
	if z.sums {
		z.crc = crc32.Update(z.crc, crc32.IEEETable, []byte{c})
	}
	return c
}
