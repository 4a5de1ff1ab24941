package inflate

import (
	"bytes"
	"math/bits"
	"sync"
)

// A table is indexed by the first bits of a code. An entry has these fields:
//
//	bits 0 to 7     number of bits of the code and of the extra bits after it
//	bits 8 to 11    number of bits of the code; for a table, number of bits that index it
//	bits 12 to 15   type of the entry, 0 for a length or a distance
//	bits 16 to 31   the literal, the base of the length or distance, or the start of the table
const (
	isLiteral = 1 << 15
	isTable   = 1 << 14
	isEnd     = 1 << 13
	isInvalid = 1 << 12 // a code without a meaning, or no code

	noCode = isInvalid | 1<<8 | 1 // takes one bit, so that the input must hold one
)

// The number of bits that index the first table, and the number of entries of all tables. Codes of
// up to 15 bits need at most 2342 and 402 entries, as enough.c of zlib computes. The sizes are the
// next powers of two.
const (
	litBits  = 11
	distBits = 8
	litSize  = 4096
	distSize = 512
	lenBits  = 7
	lenSize  = 1 << lenBits

	maxLit  = 286 // largest number of symbols with dynamic codes
	maxDist = 30
	maxCode = 15
)

// codes are the tables of a block.
type codes struct {
	lit  [litSize]uint32
	dist [distSize]uint32
}

// entries are the entries of symbols, without the length of their codes. In lens, isLiteral marks a
// length. isEnd means that the last length is repeated. An entry with neither repeats 0.
type entries struct {
	lit  [288]uint32
	dist [32]uint32
	lens [19]uint32
}

var symbols = sync.OnceValue(func() *entries {
	e := new(entries)
	for i := range 256 {
		e.lit[i] = uint32(i)<<16 | isLiteral
	}
	bases(e.lit[257:285], 3, 4)
	bases(e.dist[:maxDist], 1, 2)
	e.lit[256] = isEnd
	e.lit[285] = 258 << 16
	e.lit[286] = isInvalid
	e.lit[287] = isInvalid
	e.dist[30], e.dist[31] = isInvalid, isInvalid
	for i := range uint32(16) {
		e.lens[i] = i<<16 | isLiteral
	}
	e.lens[16] = 3<<16 | isEnd | 2
	e.lens[17] = 3<<16 | 3
	e.lens[18] = 11<<16 | 7
	return e
})

// bases makes the entries of lengths or distances, beginning with a base. The entries of the first
// two groups have no extra bits. Each later group has one extra bit more than the group before it.
func bases(list []uint32, base, group uint32) {
	for i := range list {
		extra := max(uint32(i)/group, 1) - 1
		list[i] = base<<16 | extra
		base += 1 << extra
	}
}

// fixed holds the tables of the fixed codes (Section 3.2.6).
var fixed = sync.OnceValue(func() *codes {
	c := new(codes)
	lits, dists := bytes.Repeat([]byte{8}, 288), bytes.Repeat([]byte{5}, 32)
	copy(lits[144:], bytes.Repeat([]byte{9}, 112))
	copy(lits[256:], bytes.Repeat([]byte{7}, 24))
	build(c.lit[:], litBits, lits, symbols().lit[:], tally(lits))
	build(c.dist[:], distBits, dists, symbols().dist[:], tally(dists))
	return c
})

// counts is the number of codes of each length.
type counts [maxCode + 1]int

func tally(lengths []uint8) *counts {
	var c counts
	for _, n := range lengths {
		c[n&maxCode]++
	}
	return &c
}

// build makes the table of the codes with the given lengths, by symbol (Section 3.2.2). count is
// the tally of the lengths. build returns false if these are not a set of codes, because there are
// too many or too few. As in zlib, no code at all and a single code of one bit are valid.
func build(table []uint32, width uint, lengths []uint8, entries []uint32, count *counts) bool {
	most, codes := uint(0), 0 // the longest code, and the number of codes of that length that exist or could exist
	for n := uint(1); n <= maxCode; n++ {
		codes = codes<<1 + count[n]
		if codes > 1<<n {
			return false
		}
		if count[n] > 0 {
			most = n
		}
	}
	codes >>= maxCode - most
	if most > 0 && codes != 1<<most && !(codes == 1 && most == 1) {
		return false
	}
	var symbols [288]uint16
	order(symbols[:], lengths, count)
	put(table, width, symbols[:], entries, count)
	return true
}

// order fills symbols with the symbols that have a code, by the length of the code. Symbols without
// a code come first.
func order(symbols []uint16, lengths []uint8, count *counts) {
	var next [maxCode + 1]int
	for n := range maxCode {
		next[n+1] = next[n] + count[n]
	}
	for symbol := 0; symbol < len(lengths); symbol++ {
		for symbol+8 < len(lengths) && load(lengths, uint(symbol)) == 0 { // many symbols have no code
			symbol += 8
		}
		n := lengths[symbol] & maxCode
		symbols[next[n]] = uint16(symbol)
		next[n]++
	}
}

// put puts codes into the table by length, the shorter ones first. For each further bit it doubles
// the filled part of the table. A code that is longer than the index of the first table goes into a
// further table behind it. Codes are stored here with their last bit first, as they index the
// tables.
func put(table []uint32, width uint, symbols []uint16, entries []uint32, count *counts) {
	table[0] = noCode
	i, code := count[0], 0
	for n := uint(1); n <= width; n++ {
		copy(table[1<<(n-1):1<<n], table[:1<<(n-1)])
		for range count[n] {
			table[code] = entries[symbols[i]] + uint32(n)<<8 + uint32(n)
			code = after(code, n)
			i++
		}
	}
	sub, start, more, end := -1, 0, uint(0), 1<<width // of the last table: the prefix of its codes, and its place
	for n := width + 1; n <= maxCode; n++ {
		for left := count[n]; left > 0; left-- {
			if first := code & (1<<width - 1); first != sub {
				sub = first
				start = end
				more = n - width
				for used := left; used < 1<<more; {
					more++
					used = used<<1 + count[width+more]
				}
				end += 1 << more
				table[first] = uint32(start)<<16 | isTable | uint32(more)<<8 | uint32(width)
			}
			for at := code >> width; at < 1<<more; at += 1 << (n - width) {
				table[start+at] = entries[symbols[i]] + uint32(n)<<8 + uint32(n)
			}
			code = after(code, n)
			i++
		}
	}
}

// after returns the next code of n bits. Both codes have their last bit first.
func after(code int, n uint) int {
	zero := 1 << (uint(bits.Len(uint(code^(1<<n-1)))-1) & 63)
	return code&(zero-1) | zero
}

var lenOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the header of a block with dynamic codes and makes their tables (Section 3.2.7).
func (d *Decoder) dynamic(s *state) error {
	lits, dists, lens := d.take(5)+257, d.take(5)+1, d.take(4)+4
	if lits > maxLit || dists > maxDist {
		return ErrCorrupt
	}
	var first [19]uint8
	for _, i := range lenOrder[:lens] {
		d.fill(s)
		first[i] = uint8(d.take(3))
	}
	if !build(d.lens[:], lenBits, first[:], symbols().lens[:], tally(first[:])) {
		return ErrCorrupt
	}
	var list [maxLit + maxDist]uint8
	count, ok := d.lengths(s, list[:lits+dists])
	if !ok || d.n < 0 {
		return ErrCorrupt
	}
	few := tally(list[lits : lits+dists])
	for n := range count {
		count[n] -= few[n]
	}
	if !build(d.own.lit[:], litBits, list[:lits], symbols().lit[:], &count) ||
		!build(d.own.dist[:], distBits, list[lits:lits+dists], symbols().dist[:], few) {
		return ErrCorrupt
	}
	d.codes, d.phase = &d.own, inCodes
	return nil
}

// lengths reads the lengths of all codes and counts them.
func (d *Decoder) lengths(s *state, list []uint8) (count counts, ok bool) {
	b, n := d.bits, d.n
	for i := 0; i < len(list); {
		if n < 2*lenBits {
			d.bits, d.n = b, n
			d.fill(s)
			b, n = d.bits, d.n
		}
		e := d.lens[b&(lenSize-1)]
		v := int(e>>16) + int(b&(1<<(e&63)-1)>>(e>>8&0xf))
		b >>= e & 63
		n -= int(e & 63)
		if e&isLiteral != 0 {
			list[i] = uint8(v)
			count[v&maxCode]++
			i++
			continue
		}
		value := uint8(0)
		if e&isEnd != 0 && i > 0 {
			value = list[i-1]
		}
		if e&isInvalid != 0 || e&isEnd != 0 && i == 0 || i+v > len(list) {
			d.n = n
			return count, false
		}
		count[value&maxCode] += v
		for end := i + v; i < end; i++ {
			list[i] = value
		}
	}
	d.bits, d.n = b, n
	return count, true
}
