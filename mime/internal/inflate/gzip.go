package inflate

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// Reader reads one gzip member (RFC 1952). Call Reset before the first Read.
type Reader struct {
	br       *bufio.Reader
	d        Decoder
	out      *Window // the last decoded bytes, up to o
	o        int
	returned int // number of bytes of out that Read has returned
	crc      uint32
	sums     bool // next adds its bytes to crc
	size     uint32
	since    int64 // bytes taken from br after the last byte of a stored block, or -1 if there was no stored block
	err      error // the error that Read returns after the decoded bytes
}

// Reset begins the member at the position of br and reads its header. The error is ErrHeader if br
// is not at a member, and io.ErrUnexpectedEOF if the header is cut. The Reader takes no bytes after
// the member from br. The buffer of br must hold at least 1 KB.
func (z *Reader) Reset(br *bufio.Reader) error {
	z.br, z.o, z.returned, z.sums, z.size, z.err = br, 0, 0, false, 0, nil
	z.since = -1
	z.d.Reset()
	if z.out == nil {
		z.out = new(Window)
	}
	return z.header()
}

// Read returns decoded bytes of the member. At the end of the member the error is io.EOF, or
// ErrChecksum if the checksum or the length is wrong. It is ErrCorrupt in a damaged stream, and
// io.ErrUnexpectedEOF in a stream that is cut. Read first returns the bytes that were decoded
// before the error.
func (z *Reader) Read(p []byte) (int, error) {
	for z.returned == z.o && z.err == nil {
		z.more()
	}
	n := copy(p, z.out[z.returned:z.o])
	z.returned += n
	if z.returned < z.o {
		return n, nil
	}
	return n, z.err
}

// Verbatim reports whether the member holds stored blocks, whose bytes are the same in the input.
// behind is the number of input bytes that were taken after the last stored byte. If the member is
// damaged, the results describe the part that was decoded.
func (z *Reader) Verbatim() (behind int64, ok bool) { return max(z.since, 0), z.since >= 0 }

// more decodes as much as the input and the output allow. Read must have returned all decoded
// bytes.
func (z *Reader) more() {
	if z.o >= Room {
		z.o = copy(z.out[:], z.out[z.o-History:z.o])
		z.returned = z.o
	}
	in, err := z.br.Peek(max(1, z.br.Buffered()))
	if len(in) == 0 {
		z.err = cut(err)
		return
	}
	o, p, err := z.d.Decode(z.out, z.o, in, 0)
	if err == ErrInput && p == 0 && o == z.o { // the buffered input holds no whole step
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

// cut returns io.ErrUnexpectedEOF in place of io.EOF, and other errors unchanged.
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

// header reads the header (Section 2.3) and checks its checksum, if it has one.
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

// next returns the next byte of the header, or 0 after an error.
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
