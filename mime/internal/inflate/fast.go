package inflate

// What a round of the fast loop may read and write at most.
const (
	roundInput  = 16
	roundOutput = 3 + 258 + 16
)

// fast decodes symbols as long as there is input and room for any. It reports whether the
// block has ended. Shifts are masked, so that they are one instruction each.
func (d *Decoder) fast(s *state) (done bool) {
	out, o, in, p := s.out, s.o, s.in, s.p
	bits, n := d.bits, d.n
	lit, dist := d.lit, d.dist
	lastIn, lastOut := len(in)-roundInput, len(out)-roundOutput
	for p <= lastIn && o <= lastOut {
		bits |= load(in, p) << (n & 63)
		p += int((63 - n) >> 3)
		n |= 56
		e := lit[bits&(1<<litBits-1)]
		// Three literals of the first table take 33 bits at most.
		literals := 0
		for ; e&isLiteral != 0 && literals < 3; literals++ {
			bits >>= e & 63
			n -= uint(e & 63)
			out[o] = byte(e >> 16)
			o++
			e = lit[bits&(1<<litBits-1)]
		}
		if literals == 3 {
			continue
		}
		if (e-1)&(isTable|isEnd|isInvalid) != 0 {
			if e&isTable != 0 {
				e = lit[(uint64(e>>16)+bits>>litBits&(1<<(e>>8&0xf)-1))%litSize]
			}
			if e&isLiteral != 0 {
				bits >>= e & 63
				n -= uint(e & 63)
				out[o] = byte(e >> 16)
				o++
				continue
			}
			if e&isEnd != 0 {
				bits >>= e & 63
				n -= uint(e & 63)
				d.phase, done = atBlock, true
				break
			}
			if (e-1)&isInvalid != 0 {
				break // symbol tells what it is
			}
		}
		// What the length leaves of 56 bits may not hold a distance.
		was, left, q := bits, n, p
		length := int(e>>16) + int(bits&(1<<(e&63)-1)>>(e>>8&0xf))
		bits >>= e & 63
		n -= uint(e & 63)
		if n < maxCode+13 {
			bits |= load(in, p) << (n & 63)
			q += int((63 - n) >> 3)
			n |= 56
		}
		e = dist[bits&(1<<distBits-1)]
		if e&isTable != 0 {
			e = dist[(uint64(e>>16)+bits>>distBits&(1<<(e>>8&0xf)-1))%distSize]
		}
		distance := int(e>>16) + int(bits&(1<<(e&63)-1)>>(e>>8&0xf))
		if distance > o || distance > History || (e-1)&isInvalid != 0 {
			bits, n = was, left
			break
		}
		bits >>= e & 63
		n -= uint(e & 63)
		p = q
		from, end := o-distance, o+length
		if distance >= 16 {
			for ; o < end; o, from = o+16, from+16 {
				*(*[16]byte)(out[o:]) = *(*[16]byte)(out[from:])
			}
		} else {
			repeat(out[from:end], distance)
		}
		o = end
	}
	bits &= 1<<n - 1
	d.bits, d.n, s.o, s.p = bits, n, o, p
	return done
}

// repeat fills b with its first n bytes, again and again.
func repeat(b []byte, n int) {
	if n == 1 {
		c := b[0]
		for i := range b {
			b[i] = c
		}
		return
	}
	for n < len(b) {
		n += copy(b[n:], b[:n])
	}
}
