package extract

import (
	"slices"

	"absolink/extract/internal/charset"
)

// A document in ISO-2022-JP is read as a whole first, since an escape sequence says what
// all bytes up to the next one are. Each sequence belongs to a character: one that leads
// back, to where tags can stand, to that before it, any other to that behind it. So what
// is between two tags or quotes begins and ends where ASCII can be written, and an edit
// takes along the sequences that only its reference needed.

// shift is where an escape sequence ends, and what the bytes behind it are.
type shift struct {
	at    int // in Doc.Data
	state charset.State
}

// decodeShifts decodes d.Data from ISO-2022-JP into d.whole.
func (d *Doc) decodeShifts() {
	data, t := d.Data, &d.whole
	t.mapped = true
	s := charset.Shifts{Encoding: d.named}
	start := 0 // of the character at i, with the sequences that belong to it
	for i := 0; i < len(data); {
		if n := s.Plain(data[i:]); n > 0 {
			if start < i {
				t.AppendToken(Span{start, i + 1}, data[i:i+1])
				i, n = i+1, n-1
			}
			t.AppendSame(i, data[i:i+n])
			i += n
			start = i
			continue
		}
		before := s.State
		var buf [8]byte
		text, next, _ := s.Append(buf[:0], data, i)
		if n, to := d.named.Escape(data[i:]); n > 0 {
			d.shifts = append(d.shifts, shift{next, to})
		}
		i = next
		switch {
		case len(text) > 0:
			t.AppendToken(Span{start, i}, text)
			start = i
		case before != charset.InASCII && s.State.Markup():
			t.extend(i)
			start = i
		}
	}
}

// extend makes the raw bytes up to end a part of the character that was appended last.
func (t *Text) extend(end int) {
	if len(t.runs) == 0 {
		return
	}
	r := &t.runs[len(t.runs)-1]
	if last := r.raw.End - 1; r.form == same && r.raw.Start < last {
		r.raw.End = last
		t.runs = append(t.runs, run{len(t.Data) - 1, Span{last, end}, token})
		return
	}
	r.raw.End, r.form = end, token
}

// stateAt returns what the bytes from an offset on are, and whether an escape sequence ends
// there.
func (d *Doc) stateAt(at int) (s charset.State, edge bool) {
	i, found := slices.BinarySearchFunc(d.shifts, at, func(s shift, at int) int { return s.at - at })
	if found {
		return d.shifts[i].state, true
	}
	if i > 0 {
		s = d.shifts[i-1].state
	}
	return s, false
}

// roman says at which ends of an edit the bytes are JIS X 0201 Roman: ASCII, but that two
// characters of it are others.
type roman uint8

const (
	romanBefore roman = 1 << iota
	romanAfter
)

// romanOf returns at which ends of a span the bytes are Roman; ok is false if nothing can
// be written there, since they are neither that nor ASCII, or the sequence to be written
// would stand right beside another one: the second of them is U+FFFD.
func (d *Doc) romanOf(s Span) (r roman, ok bool) {
	before, beside := d.stateAt(s.Start)
	after, _ := d.stateAt(s.End)
	ok = before.Markup() && after.Markup()
	if before == charset.InRoman {
		r = romanBefore
		ok = ok && !beside
	}
	if after == charset.InRoman {
		r |= romanAfter
		n, _ := d.named.Escape(d.Data[s.End:])
		ok = ok && n == 0
	}
	return r, ok
}

// settleShift notes what bytes the reference stands among. One that nothing can be written
// for is left as it is.
func (d *Doc) settleShift(r *Ref) {
	var ok bool
	if r.place.roman, ok = d.romanOf(r.Span); !ok && !r.ListOnly && !r.Identifier {
		r.ListOnly = true
		d.problem(r.Start, "shifted-reference")
	}
}

// shiftedBase reports whether an escape sequence stands in the tag of a BASE, whose href
// then cannot be taken away without it.
func (d *Doc) shiftedBase() bool {
	for _, b := range d.bases {
		tag := d.whole.Raw(b.tag)
		if slices.ContainsFunc(d.shifts, func(s shift) bool { return tag.Start < s.at && s.at < tag.End }) {
			d.problem(tag.Start, "shifted-reference")
			return true
		}
	}
	return false
}

// append appends b, which is ASCII, with the escape sequences around it that it needs.
func (r roman) append(dst, b []byte) []byte {
	if r == romanBefore|romanAfter && !slices.Contains(b, '\\') && !slices.Contains(b, '~') {
		return append(dst, b...)
	}
	if r&romanBefore > 0 {
		dst = append(dst, "\x1b(B"...)
	}
	dst = append(dst, b...)
	if r&romanAfter > 0 {
		dst = append(dst, "\x1b(J"...)
	}
	return dst
}
