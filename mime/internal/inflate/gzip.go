package inflate

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// What is wrong with a member.
var (
	ErrHeader   = errors.New("gzip: invalid header")
	ErrChecksum = errors.New("gzip: invalid checksum")
)

// Reader reads one gzip member (RFC 1952). The zero Reader is to be Reset.
type Reader struct {
	br    *bufio.Reader
	d     Decoder
	out   []byte // the last bytes decoded, up to o
	o     int
	given int // of out, that Read has returned
	crc   uint32
	size  uint32
	err   error // what Read returns behind what is decoded
}

// outSize is how many bytes out holds: the history is moved once for all that is decoded
// beside it.
const outSize = History + 224<<10

// Reset begins the member that br is at and reads its header. The error is ErrHeader if
// there is none, and io.ErrUnexpectedEOF if it is cut short. Nothing behind the member is
// taken from br.
func (z *Reader) Reset(br *bufio.Reader) error {
	z.br, z.o, z.given, z.crc, z.size, z.err = br, 0, 0, 0, 0, nil
	z.d.Reset()
	if z.out == nil {
		z.out = make([]byte, outSize)
	}
	h := head{br: br}
	return h.read()
}

// Read returns bytes of the member. At its end, whose checksum and length hold, the error is io.EOF.
// It is ErrChecksum if they do not, ErrCorrupt in a stream that is damaged, and
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

// more decodes what there is room and input for, all of it having been given.
func (z *Reader) more() {
	if len(z.out)-z.o < History {
		z.o = copy(z.out, z.out[z.o-History:z.o])
		z.given = z.o
	}
	in, err := z.br.Peek(max(1, z.br.Buffered()))
	if len(in) == 0 {
		z.fail(err)
		return
	}
	o, p, err := z.d.Decode(z.out, z.o, in, 0)
	if err == ErrInput && p == 0 && o == z.o { // what there is holds no whole step
		if more, failed := z.br.Peek(len(in) + 1); len(more) == len(in) {
			z.fail(failed)
		}
		return
	}
	z.br.Discard(p)
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

func (z *Reader) fail(err error) {
	if z.err = err; err == io.EOF {
		z.err = io.ErrUnexpectedEOF
	}
}

// trailer reads the checksum and the length (Section 2.3.1).
func (z *Reader) trailer() error {
	b, err := z.br.Peek(8)
	if len(b) < 8 {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	crc, size := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
	z.br.Discard(8)
	if crc != z.crc || size != z.size {
		return ErrChecksum
	}
	return io.EOF
}

// head reads the header of a member (Section 2.3), and sums it up if it has a checksum.
type head struct {
	br   *bufio.Reader
	sums bool
	crc  uint32
}

const (
	flagSum = 1 << (iota + 1)
	flagExtra
	flagName
	flagComment
)

func (h *head) read() error {
	var fixed [10]byte
	if err := h.bytes(fixed[:]); err != nil {
		return err
	}
	if fixed[0] != 0x1f || fixed[1] != 0x8b || fixed[2] != 8 {
		return ErrHeader
	}
	flags := fixed[3]
	if h.sums = flags&flagSum != 0; h.sums {
		h.crc = crc32.ChecksumIEEE(fixed[:])
	}
	if flags&flagExtra != 0 {
		if err := h.extra(); err != nil {
			return err
		}
	}
	for _, flag := range [...]byte{flagName, flagComment} {
		if flags&flag != 0 {
			if err := h.text(); err != nil {
				return err
			}
		}
	}
	if !h.sums {
		return nil
	}
	sum := uint16(h.crc)
	var b [2]byte
	if err := h.bytes(b[:]); err != nil {
		return err
	}
	if binary.LittleEndian.Uint16(b[:]) != sum {
		return ErrHeader
	}
	return nil
}

// bytes fills b.
func (h *head) bytes(b []byte) error {
	_, err := io.ReadFull(h.br, b)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if h.sums {
		h.crc = crc32.Update(h.crc, crc32.IEEETable, b)
	}
	return err
}

// extra passes over the extra field.
func (h *head) extra() error {
	var b [2]byte
	if err := h.bytes(b[:]); err != nil {
		return err
	}
	for range binary.LittleEndian.Uint16(b[:]) {
		if err := h.bytes(b[:1]); err != nil {
			return err
		}
	}
	return nil
}

// text passes over a string that ends with a zero.
func (h *head) text() error {
	var b [1]byte
	for {
		if err := h.bytes(b[:]); err != nil || b[0] == 0 {
			return err
		}
	}
}
