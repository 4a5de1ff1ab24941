package columns

import (
	"encoding/binary"
	"slices"
)

// validity is a bitmap of the rows that have a value. It has no bits before the first null.
type validity struct {
	bits     []byte
	n, nulls int // number of rows, and of rows without a value
}

// add adds rows. valid says that they have a value.
func (v *validity) add(valid bool, rows int) {
	if valid && v.nulls == 0 {
		v.n += rows
		return
	}
	if v.nulls == 0 {
		v.set(0, v.n)
	}
	if valid {
		v.set(v.n, v.n+rows)
	} else {
		v.extend(v.n + rows)
		v.nulls += rows
	}
	v.n += rows
}

// set sets the bits from a row to another row.
func (v *validity) set(from, to int) {
	v.extend(to)
	for ; from < to; from++ {
		v.bits[from/8] |= 1 << (from % 8)
	}
}

// extend extends the bitmap to a number of bits.
func (v *validity) extend(n int) {
	for len(v.bits)*8 < n {
		v.bits = append(v.bits, 0)
	}
}

// take returns the bitmap, the number of rows, and the number of rows without a value. It begins
// the next batch. The bitmap is valid until the next add.
func (v *validity) take() (bits []byte, n, nulls int) {
	bits = v.bits
	n = v.n
	nulls = v.nulls
	v.bits = bits[:0]
	v.n = 0
	v.nulls = 0
	return bits, n, nulls
}

// int32s are numbers of 32 bits, as Arrow stores them.
type int32s []byte

// add adds a number.
func (s *int32s) add(n int) { *s = binary.LittleEndian.AppendUint32(*s, uint32(n)) }

// addTimes adds a number several times.
func (s *int32s) addTimes(n, times int) {
	s.add(n)
	*s = repeatLast(*s, 4, times-1)
}

// repeatLast appends the last size bytes of b several times.
func repeatLast(b []byte, size, times int) []byte {
	from := len(b) - size
	b = slices.Grow(b, size*times)[:len(b)+size*times]
	for n := from + size; n < len(b); {
		n += copy(b[n:], b[from:n])
	}
	return b
}

// at returns a number.
func (s int32s) at(i int) int { return int(binary.LittleEndian.Uint32(s[4*i:])) }

// ends are a 0 and the offsets at which the values of the rows end.
type ends struct{ offsets int32s }

// add adds the offset of the end of a row.
func (e *ends) add(end int) {
	if len(e.offsets) == 0 {
		e.offsets.add(0)
	}
	e.offsets.add(end)
}

// take returns the offsets, and begins the next batch. They are valid until the next add.
func (e *ends) take() []byte {
	if len(e.offsets) == 0 {
		e.offsets.add(0)
	}
	taken := e.offsets
	e.offsets = taken[:0]
	return taken
}
