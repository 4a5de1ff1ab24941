package warc

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A zstd file is a sequence of frames (RFC 8878 Section 3). The first frame may be a skippable one
// that holds a dictionary ("WARC compressed with Zstandard", version 1.0). A frame consists of
// blocks, and the header of each block gives its length. So a frameReader finds the end of a frame
// without decoding it, and the decoder gets one frame at a time.

// errEmpty says that a frame holds no data.
var errEmpty = errors.New("skippable frame")

const (
	magicFrame     = 0xfd2fb528
	magicSkippable = 0x184d2a50 // and the next 15 numbers
	magicDictFrame = 0x184d2a5d // the skippable frame that holds a dictionary
	magicDict      = 0xec30a437 // a dictionary in the format of RFC 8878 Section 5

	maxDict   = 64 << 20
	maxWindow = 128 << 20 // the largest window of a frame that is read; zstd --long has it
)

// zstdCodec reads frames.
type zstdCodec struct {
	dec   *zstd.Decoder
	frame frameReader   // the stored bytes of the current frame
	probe *zstd.Decoder // decodes the starts of frames for decodeStart
}

// newZstd returns a codec for the frames in br. If br begins with a dictionary, newZstd reads it,
// and the codec uses it. If the dictionary cannot be used, the codec works without it, and the
// error gives the reason.
func newZstd(br *bufio.Reader) (*zstdCodec, error) {
	opts := []zstd.DOption{zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow)}
	withDict := opts
	dict, err := readDict(br)
	if err == nil && dict != nil {
		withDict = append(withDict, dictOption(dict))
	}
	dec, derr := zstd.NewReader(nil, withDict...)
	if derr != nil {
		err = derr
		withDict = opts
		dec, _ = zstd.NewReader(nil, opts...)
	}
	probe, _ := zstd.NewReader(nil, withDict...) // the same options cause no error
	if err != nil {
		err = fmt.Errorf("dictionary: %w", err)
	}
	return &zstdCodec{dec: dec, probe: probe}, err
}

// dictOption returns the option of a decoder that uses a dictionary. The dictionary has the format
// of RFC 8878 Section 5 if it begins with the magic number of that format. Otherwise it is raw
// text.
func dictOption(dict []byte) zstd.DOption {
	if hasMagic(dict, magicDict) {
		return zstd.WithDecoderDicts(dict)
	}
	return zstd.WithDecoderDictRaw(0, dict)
}

// readDict reads and returns the dictionary, which may be compressed. It returns nil if br does not
// begin with a dictionary.
func readDict(br *bufio.Reader) ([]byte, error) {
	head, _ := br.Peek(8)
	if len(head) < 8 || binary.LittleEndian.Uint32(head) != magicDictFrame {
		return nil, nil
	}
	n := binary.LittleEndian.Uint32(head[4:])
	if n > maxDict {
		return nil, fmt.Errorf("%d bytes, the limit is %d", n, maxDict)
	}
	br.Discard(8)
	dict, _ := io.ReadAll(io.LimitReader(br, int64(n))) // raw keeps the error
	if !hasMagic(dict, magicFrame) {
		return dict, nil
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDict))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	return dec.DecodeAll(dict, nil)
}

// hasMagic reports whether b begins with a magic number.
func hasMagic(b []byte, magic uint32) bool {
	return bytes.HasPrefix(b, binary.LittleEndian.AppendUint32(nil, magic))
}

func (c *zstdCodec) name() string { return "zstd frame" }

func (c *zstdCodec) findMagic(b []byte) int { return zstdMagic(b) }

// zstdMagic returns the offset of the first bytes in b that can begin a frame, or -1.
func zstdMagic(b []byte) int {
	for i := 0; i+4 <= len(b); i++ {
		if m := binary.LittleEndian.Uint32(b[i:]); m == magicFrame || m&^15 == magicSkippable {
			return i
		}
	}
	return -1
}

func (c *zstdCodec) reset(br *bufio.Reader) error {
	c.frame = frameReader{br: br}
	if err := c.frame.begin(); err != nil {
		return err
	}
	return c.dec.Reset(&c.frame)
}

func (c *zstdCodec) Read(p []byte) (int, error) {
	n, err := c.dec.Read(p)
	if err == io.EOF && !c.frame.whole() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (c *zstdCodec) skipRest() bool {
	_, err := io.Copy(io.Discard, &c.frame)
	return err == nil
}

// maxHidden is larger than a block of a frame: if the length of a block is wrong, the block hides
// up to 2 MiB.
func (c *zstdCodec) maxHidden() int64 { return 4 << 20 }

func (c *zstdCodec) decodeStart(b []byte, n int) []byte {
	frame := frameReader{br: bufio.NewReader(bytes.NewReader(b))}
	if frame.begin() != nil || c.probe.Reset(&frame) != nil {
		return nil
	}
	start := make([]byte, n)
	n, _ = io.ReadFull(c.probe, start)
	return start[:n]
}

// startSize is enough for the header of the frame, and for the first block with its header.
func (c *zstdCodec) startSize() int { return 18 + 3 + 128<<10 }

// frameReader reads the stored bytes of one frame and stops at its end.
type frameReader struct {
	br        *bufio.Reader
	remaining int  // number of bytes that remain of the current header, block or checksum
	checksum  bool // a checksum follows the last block
	last      bool // the last block has begun
	ended     bool // all blocks have been read; only the checksum may remain
}

// whole reports whether the frame was read to its end.
func (c *frameReader) whole() bool { return c.ended && c.remaining == 0 }

// begin begins the frame at the start of br. It skips a skippable frame and returns errEmpty.
func (c *frameReader) begin() error {
	b, _ := c.br.Peek(8)
	if len(b) == 8 && binary.LittleEndian.Uint32(b)&^15 == magicSkippable {
		c.br.Discard(8)
		if _, err := io.CopyN(io.Discard, c.br, int64(binary.LittleEndian.Uint32(b[4:]))); err != nil {
			return io.ErrUnexpectedEOF
		}
		return errEmpty
	}
	if len(b) < 5 {
		return io.ErrUnexpectedEOF
	}
	c.remaining, c.checksum = frameHeader(b[4])
	return nil
}

// frameHeader returns the length of the header of a frame, with the magic number. It computes the
// length from the descriptor in the header (RFC 8878 Section 3.1.1.1.1). checksum reports whether a
// checksum ends the frame.
func frameHeader(descriptor byte) (n int, checksum bool) {
	n = 5 + []int{0, 1, 2, 4}[descriptor&3] + []int{0, 2, 4, 8}[descriptor>>6]
	single := descriptor&0x20 != 0
	if !single {
		n++ // window
	} else if descriptor>>6 == 0 {
		n++ // content size of one byte
	}
	return n, descriptor&4 != 0
}

// blockHeader parses b, the header of a block. n is the number of stored bytes after the header.
// last reports whether the block is the last one of its frame. ok is false if the header is
// invalid.
func blockHeader(b []byte) (n int, last, ok bool) {
	h := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	n = h >> 3
	last = h&1 != 0
	switch h >> 1 & 3 {
	case 1:
		n = 1 // one byte, repeated
	case 3:
		return 0, false, false
	}
	return n, last, true
}

func (c *frameReader) Read(p []byte) (int, error) {
	for c.remaining == 0 {
		if c.ended {
			return 0, io.EOF
		}
		if err := c.advance(); err != nil {
			return 0, err
		}
	}
	n, err := c.br.Read(p[:min(len(p), c.remaining)])
	c.remaining -= n
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// advance goes to the next block. After the last block it goes to the checksum, or to the end of
// the frame.
func (c *frameReader) advance() error {
	if c.last {
		c.ended = true
		if c.checksum {
			c.remaining = 4
		}
		return nil
	}
	b, _ := c.br.Peek(3)
	if len(b) < 3 {
		return io.ErrUnexpectedEOF
	}
	n, last, ok := blockHeader(b)
	if !ok {
		return errors.New("reserved block type")
	}
	c.remaining = 3 + n
	c.last = last
	return nil
}

// frameEnd returns the offset after the frame that begins at an offset of a file. It reads only the
// headers. It returns false if no frame begins there, or if the file ends in a header.
func frameEnd(file io.ReaderAt, at int64) (int64, bool) {
	var b [8]byte
	if n, _ := file.ReadAt(b[:], at); n < len(b) {
		return 0, false
	}
	switch m := binary.LittleEndian.Uint32(b[:]); {
	case m&^15 == magicSkippable:
		return at + 8 + int64(binary.LittleEndian.Uint32(b[4:])), true
	case m != magicFrame:
		return 0, false
	}
	n, sum := frameHeader(b[4])
	at += int64(n)
	for last := false; !last; {
		if n, _ := file.ReadAt(b[:3], at); n < 3 {
			return 0, false
		}
		size, final, ok := blockHeader(b[:3])
		if !ok {
			return 0, false
		}
		at, last = at+3+int64(size), final
	}
	if sum {
		at += 4
	}
	return at, true
}
