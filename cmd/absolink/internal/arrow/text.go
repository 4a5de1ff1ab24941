package arrow

import (
	"encoding/binary"
	"math/bits"

	"github.com/pierrec/lz4/v4"
)

// Most bytes of a stream are the texts of columns such as uri, which begin like the text before
// them. So an LZ4 block of texts is compressed by a method of its own. It compares the beginning of
// each text with the text before, and then looks for matches of eight bytes with a small hash table
// at every fourth byte. This takes half of the time of a general compressor, and the blocks are a
// tenth longer.
//
// The format of a block is described in lz4_Block_format.md of the LZ4 project. A block is a list
// of sequences: literals, and a match with earlier bytes of the block. The last sequence has only
// literals.

const (
	hashBits  = 13
	minPrefix = 8  // bytes of the shortest match with the text before
	minHashed = 8  // bytes of the shortest match from the hash table
	endRoom   = 14 // no match begins in so many bytes at the end of a block; the format demands 12
	lastBytes = 5  // at the end of a block, which must be literals
	baseMatch = 4  // the length of a match is stored without this number
	maxNibble = 15 // a longer length continues in more bytes
)

// textBlock compresses a block of texts.
type textBlock struct {
	src    []byte
	dst    []byte                // the compressed block, and room for the rest of it
	n      int                   // bytes of the compressed block
	anchor int                   // offset in src of the bytes that are not yet in dst
	last   [1 << hashBits]uint16 // offset in src of the last bytes with a hash
}

// compress compresses the block src of at most 64 KB. starts has the offsets at which texts begin.
// The result is valid until the next call.
func (b *textBlock) compress(src []byte, starts *textStarts) []byte {
	if room := lz4.CompressBlockBound(len(src)) + copied; len(b.dst) < room {
		b.dst = make([]byte, room)
	}
	b.src = src
	b.n = 0
	b.anchor = 0
	clear(b.last[:])
	limit := len(src) - endRoom
	before := 0
	for at := 0; at < limit; {
		next := starts.after(at, limit)
		if b.anchor < next {
			b.text(at, before, next)
		}
		before = at
		at = next
	}
	b.addLiterals(len(src))
	return b.dst[:b.n]
}

// text compresses the text from at to next, as far as it is not compressed. The text before it
// begins at before; before is equal to at if there is none.
func (b *textBlock) text(at, before, next int) {
	end := len(b.src) - lastBytes
	prefix := 0
	if b.anchor <= at && before < at {
		prefix = equalBytes(b.src[:end], at, before)
	}
	if prefix < minPrefix {
		prefix = 0
	}
	at = max(at, b.anchor)
	for step, i := 4*16, at+prefix; i < next; step++ {
		word := binary.LittleEndian.Uint64(b.src[i:])
		hash := word * 0x9E3779B185EBCA87 >> (64 - hashBits)
		match := int(b.last[hash])
		b.last[hash] = uint16(i)
		if match >= i || binary.LittleEndian.Uint64(b.src[match:]) != word {
			i += step / 16
			continue
		}
		start := i - equalBefore(b.src, i, match, b.anchor)
		if start > at && prefix > 0 {
			start = max(start, at+prefix)
			b.addMatch(at, at-before, prefix)
		}
		prefix = 0
		offset := i - match
		i += minHashed
		i += equalBytes(b.src[:end], i, i-offset)
		b.addMatch(start, offset, i-start)
		step = 4 * 16
	}
	if prefix > 0 {
		b.addMatch(at, at-before, prefix)
	}
}

// addMatch adds the literals before start, and a match from start on.
func (b *textBlock) addMatch(start, offset, length int) {
	token := b.n
	b.addLiterals(start)
	binary.LittleEndian.PutUint16(b.dst[b.n:], uint16(offset))
	b.n += 2
	b.anchor = start + length
	length -= baseMatch
	b.dst[token] |= byte(min(length, maxNibble))
	if length >= maxNibble {
		b.addLength(length - maxNibble)
	}
}

// addLiterals adds a token, and the literals up to end.
func (b *textBlock) addLiterals(end int) {
	n := end - b.anchor
	b.dst[b.n] = byte(min(n, maxNibble) << 4)
	b.n++
	if n >= maxNibble {
		b.addLength(n - maxNibble)
	}
	if n <= copied && b.anchor+copied <= len(b.src) {
		*(*[copied]byte)(b.dst[b.n:]) = [copied]byte(b.src[b.anchor:])
	} else {
		copy(b.dst[b.n:], b.src[b.anchor:end])
	}
	b.n += n
}

// copied is the number of bytes that are copied at once, even if fewer are needed: a copy of a
// fixed size is faster.
const copied = 16

// addLength adds the part of a length that exceeds maxNibble.
func (b *textBlock) addLength(n int) {
	for ; n >= 255; n -= 255 {
		b.dst[b.n] = 255
		b.n++
	}
	b.dst[b.n] = byte(n)
	b.n++
}

// equalBytes returns the number of equal bytes of b from i on and from j on, up to the end of b. i
// is greater than j.
func equalBytes(b []byte, i, j int) int {
	from := i
	for i+8 <= len(b) {
		differences := binary.LittleEndian.Uint64(b[i:]) ^ binary.LittleEndian.Uint64(b[j:])
		if differences != 0 {
			return i - from + bits.TrailingZeros64(differences)/8
		}
		i += 8
		j += 8
	}
	for i < len(b) && b[i] == b[j] {
		i++
		j++
	}
	return i - from
}

// equalBefore returns the number of equal bytes of b before i and before j, down to the offset
// least before i. i is greater than j.
func equalBefore(b []byte, i, j, least int) int {
	from := i
	for i-8 >= least && j >= 8 {
		differences := binary.LittleEndian.Uint64(b[i-8:]) ^ binary.LittleEndian.Uint64(b[j-8:])
		if differences != 0 {
			return from - i + bits.LeadingZeros64(differences)/8
		}
		i -= 8
		j -= 8
	}
	for i > least && j > 0 && b[i-1] == b[j-1] {
		i--
		j--
	}
	return from - i
}

// textStarts yields the offsets at which the texts of a block begin.
type textStarts struct {
	offsets []byte // of the texts of the column, 32 bits each, from the first text that ends in the block
	block   int    // offset of the block in the column
}

// after returns the offset in the block of the first text that begins after an offset, but at most
// limit.
func (s *textStarts) after(offset, limit int) int {
	for ; len(s.offsets) >= 4; s.offsets = s.offsets[4:] {
		start := int(binary.LittleEndian.Uint32(s.offsets)) - s.block
		if start > offset {
			return min(start, limit)
		}
	}
	return limit
}
