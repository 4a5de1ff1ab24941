package inflate

import "encoding/binary"

// fast decodes symbols while input and output have room for any round.
//
// A round begins with at least 56 bits in the register and with the table entry that they select.
// It decodes up to three literals, or two literals and a match. Only the lowest six bits of n are
// used, so that a whole entry can be subtracted from n. The register may hold more bits than n
// says; these are the next bits of the input. The next entry is looked up before a match is copied.
// Comparisons with Room and masks bound the indices, so that the compiler needs no bounds checks.
func (d *Decoder) fast(s *state) {
	w, in, t := s.out, s.in, d.codes
	bits, n := d.bits, uint(d.n)
	o, p := uint(s.o), uint(s.p)
	lastIn := uint(len(in) - roundInput)
	_ = w[0]
	bits, n, p = more(in, bits, n, p)
	e := t.lit[bits&(1<<litBits-1)]
	for o < Room && p <= lastIn {
		// Three literals of the first table take at most 33 bits.
		if e&isLiteral != 0 {
			bits >>= e & 63
			n -= uint(e)
			w[o] = byte(e >> 16)
			o++
			e = t.lit[bits&(1<<litBits-1)]
			if e&isLiteral != 0 {
				bits >>= e & 63
				n -= uint(e)
				w[o] = byte(e >> 16)
				o++
				e = t.lit[bits&(1<<litBits-1)]
				if e&isLiteral != 0 {
					bits >>= e & 63
					n -= uint(e)
					w[o] = byte(e >> 16)
					o++
					bits, n, p = more(in, bits, n, p)
					e = t.lit[bits&(1<<litBits-1)]
					continue
				}
			}
		}
		if e&(isTable|isEnd|isInvalid) != 0 {
			if e&isTable != 0 {
				e = t.lit[(uint64(e>>16)+bits>>litBits&(1<<(e>>8&0xf)-1))%litSize]
			}
			if e&isLiteral != 0 {
				bits >>= e & 63
				n -= uint(e)
				w[o] = byte(e >> 16)
				o++
				bits, n, p = more(in, bits, n, p)
				e = t.lit[bits&(1<<litBits-1)]
				continue
			}
			if e&(isEnd|isInvalid) != 0 {
				bits >>= e & 63
				n -= uint(e)
				d.phase = atBlock
				if e&isInvalid != 0 {
					d.phase = corrupt
				}
				break
			}
		}
		length := uint(e>>16) + uint(bits&(1<<(e&63)-1)>>(e>>8&63))
		bits >>= e & 63
		n -= uint(e)
		if n&63 < maxCode+13 { // too few for a distance
			bits, n, p = more(in, bits, n, p)
		}
		e = t.dist[bits&(1<<distBits-1)]
		if e&isTable != 0 {
			e = t.dist[(uint64(e>>16)+bits>>distBits&(1<<(e>>8&0xf)-1))%distSize]
		}
		distance := uint(e>>16) + uint(bits&(1<<(e&63)-1)>>(e>>8&63)) // 0 if the code is invalid
		bits >>= e & 63
		n -= uint(e)
		from := o - distance
		if from >= o || o > Room+2 {
			d.phase = corrupt
			break
		}
		bits, n, p = more(in, bits, n, p)
		e = t.lit[bits&(1<<litBits-1)]
		if distance >= 16 {
			*(*[16]byte)(w[o:]) = *(*[16]byte)(w[from:])
			*(*[16]byte)(w[o+16:]) = *(*[16]byte)(w[from+16:])
			*(*[16]byte)(w[o+32:]) = *(*[16]byte)(w[from+32:])
			for i := uint(48); i < length&511; i += 16 {
				*(*[16]byte)(w[o+i:]) = *(*[16]byte)(w[from+i:])
			}
		} else {
			repeat(w[from:o+length], int(distance))
		}
		o += length
	}
	n &= 63
	bits &= 1<<n - 1
	d.bits = bits
	d.n = int(n)
	s.o = int(o)
	s.p = int(p)
}

// more adds input to the register bits, so that it holds at least 56 valid bits. n is the number of
// bits that are valid now.
func more(in []byte, bits uint64, n, p uint) (uint64, uint, uint) {
	return bits | load(in, p)<<(n&63), n | 56, p + 7 - n>>3&7
}

// repeat fills b with copies of its first n bytes.
func repeat(b []byte, n int) {
	for n < len(b) {
		n += copy(b[n:], b[:n])
	}
}

func load(b []byte, p uint) uint64 { return binary.LittleEndian.Uint64(b[p : p+8]) }
