package arrow

import (
	"encoding/binary"

	"github.com/pierrec/lz4/v4"
)

// A compressed buffer is its length, and an LZ4 frame of its bytes. If the frame is not shorter,
// the length is -1, and the bytes follow as they are. An empty buffer remains empty. A frame has a
// header, blocks of at most 64 KB that do not depend on each other, and a mark of its end. It has
// no checksums. Larger blocks would save 5 % of the bytes, and take more time.

// frames compresses buffers, and reuses its memory.
type frames struct {
	compressor lz4.Compressor
	texts      textBlock
	block      []byte
}

const (
	// frameHeader is the magic number, the flags (version 1, independent blocks), the largest size
	// of a block (64 KB), and a byte of the hash of the two bytes before it.
	frameHeader = "\x04\x22\x4D\x18\x60\x40\x82"
	maxBlock    = 64 << 10
	stored      = 1 << 31 // in the size of a block: it is not compressed
	notFramed   = -1      // as the length of a buffer: its bytes follow as they are
	lengthSize  = 8
)

// append appends the compressed buffer. offsets are the offsets at which the texts in the buffer
// begin, of 32 bits, or nil if the buffer has no texts.
func (f *frames) append(dst, buffer, offsets []byte) []byte {
	if len(buffer) == 0 {
		return dst
	}
	start := len(dst)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(buffer)))
	dst = append(dst, frameHeader...)
	starts := textStarts{offsets: offsets}
	for rest := buffer; len(rest) > 0; rest = rest[min(len(rest), maxBlock):] {
		block := rest[:min(len(rest), maxBlock)]
		if offsets == nil {
			dst = appendBlock(dst, block, f.compress(block))
			continue
		}
		starts.block = len(buffer) - len(rest)
		dst = appendBlock(dst, block, f.texts.compress(block, &starts))
	}
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	if len(dst)-start-lengthSize < len(buffer) {
		return dst
	}
	length := int64(notFramed)
	dst = binary.LittleEndian.AppendUint64(dst[:start], uint64(length))
	return append(dst, buffer...)
}

// compress compresses a block that is not a text. The result is empty if the block cannot be
// compressed.
func (f *frames) compress(block []byte) []byte {
	if n := lz4.CompressBlockBound(len(block)); cap(f.block) < n {
		f.block = make([]byte, n)
	}
	n, err := f.compressor.CompressBlock(block, f.block[:cap(f.block)])
	if err != nil {
		n = 0
	}
	return f.block[:n]
}

// appendBlock appends a block of a frame.
func appendBlock(dst, block, compressed []byte) []byte {
	if len(compressed) == 0 || len(compressed) >= len(block) {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(block))|stored)
		return append(dst, block...)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(compressed)))
	return append(dst, compressed...)
}
