package inflate

// An entry of a table, by the bits that a code begins with:
//
//	bits 0 to 7     how many bits the code and the extra bits behind it take
//	bits 8 to 11    how many bits the code takes; of a table, how many bits select in it
//	bits 12 to 15   what it is, 0 for a length or a distance
//	bits 16 to 31   the literal, the base of the length or distance, where the table begins
//
// The entry 0 stands for bits that are not a code.
const (
	isLiteral = 1 << 15
	isTable   = 1 << 14
	isEnd     = 1 << 13
	isInvalid = 1 << 12 // a code of no meaning, or no code
)

// How many bits select in the first table, and how many entries the tables have: powers of two,
// since 2342 and 402 are what they can need in all for codes of up to 15 bits (zlib's enough.c
// computes them).
const (
	litBits  = 11
	distBits = 8
	litSize  = 4096
	distSize = 512
	lenBits  = 7
	lenSize  = 1 << lenBits
)

const (
	maxLit  = 286 // symbols that dynamic codes may have
	maxDist = 30
	maxCode = 15
)

// litEntry and distEntry are the entries of symbols, but for the length of their code.
var litEntry, distEntry, lenEntry = func() (lit [288]uint32, dist [32]uint32, lens [19]uint32) {
	for i := range lit {
		lit[i] = isInvalid
	}
	for i := range 256 {
		lit[i] = uint32(i)<<16 | isLiteral
	}
	lit[256] = isEnd
	base := uint32(3)
	for i := range 28 {
		extra := uint32(max(0, i/4-1))
		lit[257+i] = base<<16 | extra
		base += 1 << extra
	}
	lit[285] = 258 << 16
	base = 1
	for i := range dist {
		if i >= maxDist {
			dist[i] = isInvalid
			continue
		}
		extra := uint32(max(0, i/2-1))
		dist[i] = base<<16 | extra
		base += 1 << extra
	}
	for i := range lens {
		lens[i] = uint32(i)<<16 | isLiteral
	}
	return lit, dist, lens
}()

// fixedLit and fixedDist are the tables of fixed codes (Section 3.2.6).
var fixedLit, fixedDist = func() (lit [litSize]uint32, dist [distSize]uint32) {
	var lengths [288]uint8
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	var dists [32]uint8
	for i := range dists {
		dists[i] = 5
	}
	build(lit[:], litBits, lengths[:], litEntry[:])
	build(dist[:], distBits, dists[:], distEntry[:])
	return lit, dist
}()

// build makes the table of the codes whose lengths are given, by symbol (Section 3.2.2). It
// reports false if they are not a set of codes: too many, or too few. Like zlib it takes no code
// at all, and one code of one bit.
func build(table []uint32, bits uint, lengths []uint8, entries []uint32) bool {
	var count, odd [maxCode + 1]int // two, so that one need not wait for the other
	for i, n := range lengths {
		if i&1 == 0 {
			count[n&maxCode]++
		} else {
			odd[n&maxCode]++
		}
	}
	for n := range count {
		count[n] += odd[n]
	}
	most, codes := uint(0), 0 // the longest code, and how many of that length there are or could be
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
	fill(table, bits, lengths, entries, &count)
	return true
}

// fill makes the table. Codes are put in by length, the shorter ones first, and what is
// there is doubled for each bit more.
func fill(table []uint32, bits uint, lengths []uint8, entries []uint32, count *[maxCode + 1]int) {
	var sorted [288]uint16
	var next [maxCode + 2]int
	for n := range maxCode + 1 {
		next[n+1] = next[n] + count[n]
	}
	for symbol, n := range lengths {
		sorted[next[n&maxCode]] = uint16(symbol)
		next[n&maxCode]++
	}
	table[0] = 0
	i, code := count[0], uint(0) // code is written from its last bit to its first
	for n := uint(1); n <= bits; n++ {
		copy(table[1<<(n-1):1<<n], table[:1<<(n-1)])
		for range count[n] {
			table[code] = entry(entries[sorted[i]], n)
			code = after(code, n)
			i++
		}
	}
	f := filler{table: table, bits: bits, end: 1 << bits, sub: -1, count: count}
	for n := bits + 1; n <= maxCode; n++ {
		for range count[n] {
			f.put(code, n, entry(entries[sorted[i]], n))
			code = after(code, n)
			i++
			count[n]--
		}
	}
}

// entry is that of a symbol with a code of n bits.
func entry(e uint32, n uint) uint32 { return e + uint32(n)<<8 + uint32(n) }

// after returns the code of n bits that follows one, both reversed.
func after(code, n uint) uint {
	bit := uint(1) << (n - 1)
	for code&bit != 0 {
		bit >>= 1
	}
	return code&(bit-1) | bit
}

// filler puts codes that are longer than what the first table selects by into tables behind it.
type filler struct {
	table []uint32
	bits  uint
	end   int // of the tables
	sub   int // what the codes of the last table begin with, -1 if there is none
	start int // of the last table
	width uint
	count *[maxCode + 1]int // codes that are to come
}

func (f *filler) put(code, n uint, e uint32) {
	if first := int(code & (1<<f.bits - 1)); first != f.sub {
		f.sub, f.start, f.width = first, f.end, n-f.bits
		for used := f.count[n]; used < 1<<f.width; {
			f.width++
			used = used<<1 + f.count[f.bits+f.width]
		}
		f.end += 1 << f.width
		f.table[first] = uint32(f.start)<<16 | isTable | uint32(f.width)<<8 | uint32(f.bits)
	}
	for i := int(code >> f.bits); i < 1<<f.width; i += 1 << (n - f.bits) {
		f.table[f.start+i] = e
	}
}

// header is how far the lengths of dynamic codes are read (Section 3.2.7).
type header struct {
	at      int // what comes next: 1 the numbers, 2 lengths of the lengths, 3 lengths; 0 no header
	lits    int
	dists   int
	lens    int
	i       int // of the length that comes next
	order   [19]uint8
	table   [lenSize]uint32
	lengths [maxLit + maxDist + 2]uint8
}

var lenOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the header of a block with dynamic codes and makes their tables.
func (d *Decoder) dynamic(s *state) error {
	h := &d.h
	if h.at == 1 {
		if !d.need(s, 14) {
			return ErrInput
		}
		h.lits, h.dists, h.lens, h.at = d.take(5)+257, d.take(5)+1, d.take(4)+4, 2
		if h.lits > maxLit || h.dists > maxDist {
			return ErrCorrupt
		}
	}
	for ; h.at == 2 && h.i < h.lens; h.i++ {
		if !d.need(s, 3) {
			return ErrInput
		}
		h.order[lenOrder[h.i]] = uint8(d.take(3))
	}
	if h.at == 2 {
		if !build(h.table[:], lenBits, h.order[:], lenEntry[:]) {
			return ErrCorrupt
		}
		h.at, h.i = 3, 0
	}
	if err := d.codeLengths(s); err != nil {
		return err
	}
	h.at = 0
	if !build(d.ownLit[:], litBits, h.lengths[:h.lits], litEntry[:]) || !build(d.ownDist[:], distBits, h.lengths[h.lits:h.lits+h.dists], distEntry[:]) {
		return ErrCorrupt
	}
	d.lit, d.dist = &d.ownLit, &d.ownDist
	d.phase = inCodes
	return nil
}

// codeLengths reads the lengths of all codes.
func (d *Decoder) codeLengths(s *state) error {
	h := &d.h
	for n := h.lits + h.dists; h.i < n; {
		if d.fastLengths(s, n); h.i == n {
			break
		}
		e, ok := d.entry(s, h.table[:], lenBits, 0)
		switch {
		case !ok:
			return ErrInput
		case e&isInvalid != 0:
			return ErrCorrupt
		case e>>16 < 16:
			d.take(uint(e & 0xff))
			h.lengths[h.i] = uint8(e >> 16)
			h.i++
			continue
		}
		if err := d.repeat(s, e, n); err != nil {
			return err
		}
	}
	return nil
}

// fastLengths reads lengths up to the n-th, as long as none is repeated and all bits are there.
func (d *Decoder) fastLengths(s *state, n int) {
	h := &d.h
	d.refill(s)
	bits, left, i := d.bits, d.n, h.i
	for i < n && left >= lenBits {
		e := h.table[bits&(lenSize-1)]
		if e == 0 || e>>16 >= 16 {
			break
		}
		bits >>= e & 63
		left -= uint(e & 63)
		h.lengths[i] = uint8(e >> 16)
		i++
	}
	d.bits, d.n, h.i = bits, left, i
}

// repeat reads one of the codes that stand for several equal lengths, of n in all.
func (d *Decoder) repeat(s *state, e uint32, n int) error {
	h := &d.h
	extra, least, value := uint(2), 3, uint8(0)
	switch e >> 16 {
	case 16:
		if h.i == 0 {
			return ErrCorrupt
		}
		value = h.lengths[h.i-1]
	case 17:
		extra = 3
	case 18:
		extra, least = 7, 11
	}
	if !d.need(s, uint(e&0xff)+extra) {
		return ErrInput
	}
	d.take(uint(e & 0xff))
	times := least + d.take(extra)
	if h.i+times > n {
		return ErrCorrupt
	}
	for range times {
		h.lengths[h.i] = value
		h.i++
	}
	return nil
}
