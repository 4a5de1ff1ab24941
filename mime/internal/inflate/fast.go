package inflate

// What a round of the fast loop may read and write at most.
const (
	roundInput  = 16
	roundOutput = 3 + 258 + 16
)

// fast decodes symbols as long as there is input and room for any. It reports whether the
// block has ended.
func (d *Decoder) fast(s *state) (done bool) {
	out, o, in, p := s.out, s.o, s.in, s.p
	bits, n := d.bits, d.n
	lit, dist := d.lit, d.dist
	lastIn, lastOut := len(in)-roundInput, len(out)-roundOutput
	for p <= lastIn && o <= lastOut {
		bits |= load(in, p) << n
		p += int((63 - n) >> 3)
		n |= 56
		e := lit[bits&(1<<litBits-1)]
		// Three literals of the first table take 33 bits at most.
		literals := 0
		for ; e&isLiteral != 0 && literals < 3; literals++ {
			bits >>= e & 0xff
			n -= uint(e & 0xff)
			out[o] = byte(e >> 16)
			o++
			e = lit[bits&(1<<litBits-1)]
		}
		if literals == 3 {
			continue
		}
		if e&isTable != 0 {
			e = lit[(uint64(e>>16)+bits>>litBits&(1<<(e>>8&0xf)-1))%litSize]
		}
		if e&(isLiteral|isEnd|isInvalid) != 0 || e == 0 {
			if e&(isLiteral|isEnd) == 0 {
				break // symbol tells what it is
			}
			bits >>= e & 0xff
			n -= uint(e & 0xff)
			if e&isEnd != 0 {
				d.phase, done = atBlock, true
				break
			}
			out[o] = byte(e >> 16)
			o++
			continue
		}
		// What the length leaves of 56 bits may not hold a distance.
		was, left := bits, n
		length := int(e>>16) + int(bits&(1<<(e&0xff)-1)>>(e>>8&0xf))
		bits >>= e & 0xff
		n -= uint(e & 0xff)
		q := p
		if n < maxCode+13 {
			bits |= load(in, p) << n
			q += int((63 - n) >> 3)
			n |= 56
		}
		e = dist[bits&(1<<distBits-1)]
		if e&isTable != 0 {
			e = dist[(uint64(e>>16)+bits>>distBits&(1<<(e>>8&0xf)-1))%distSize]
		}
		distance := int(e>>16) + int(bits&(1<<(e&0xff)-1)>>(e>>8&0xf))
		if distance > o || distance > History || e&isInvalid != 0 || e == 0 {
			bits, n = was, left
			break
		}
		bits >>= e & 0xff
		n -= uint(e & 0xff)
		p = q
		copyWithin(out, o, distance, length)
		o += length
	}
	bits &= 1<<n - 1
	d.bits, d.n, s.o, s.p = bits, n, o, p
	return done
}

// copyWithin copies length bytes from distance bytes before o. It may write 16 bytes more.
func copyWithin(out []byte, o, distance, length int) {
	from, end := o-distance, o+length
	switch {
	case distance >= 16:
		for ; o < end; o, from = o+16, from+16 {
			*(*[16]byte)(out[o:]) = *(*[16]byte)(out[from:])
		}
	case distance == 1:
		b := out[from]
		run := out[o:end]
		for i := range run {
			run[i] = b
		}
	default:
		for o < end {
			o += copy(out[o:end], out[from:o])
		}
	}
}
