package charset

import (
	"slices"

	"absolink/extract/internal/text"
)

// All charsets of the Encoding Standard but UTF-16, ISO-2022-JP and the
// replacement encoding keep the bytes that markup is made of, and are scanned as
// they are; values are decoded one by one. The other ones, and those that only mail has
// (listed.go), are decoded as a whole first, with a map back.
//
// ISO-2022-JP is one of them, since an escape sequence says what
// all bytes up to the next one are. Each sequence belongs to a character: one that leads
// back, to where tags can stand, to that before it, any other to that behind it. So what
// is between two tags or quotes begins and ends where ASCII can be written, and an edit
// takes along the sequences that only its reference needed.

// Switches are the escape sequences of a document in ISO-2022-JP, none for other charsets.
// The zero Switches is ready; used again, it keeps its memory.
type Switches struct {
	all  []change
	data []byte
	from *Encoding
}

// change is where an escape sequence ends, and what the bytes behind it are.
type change struct {
	at    int // in the document
	state shiftState
}

// Decode decodes data into t if the charset is one that is read as a whole, and reports
// whether it is. It notes the escape sequences. e may be nil: the charset is then
// one that keeps ASCII. data must not change as long as w is in use.
func (w *Switches) Decode(t *text.Text, data []byte, e *Encoding) bool {
	t.Reset()
	w.all, w.data, w.from = w.all[:0], data, e
	switch {
	case e == nil:
		return false
	case e.wide():
		text.Begin(t)
		decodeWide(t, data, e.Form)
		return true
	case e.Form == Shifting:
		text.Begin(t)
		w.decode(t)
		return true
	case e.Form == Listed:
		text.Begin(t)
		e.decodeListed(t, data)
		return true
	}
	return false
}

// decode decodes ISO-2022-JP.
func (w *Switches) decode(t *text.Text) {
	data := w.data
	s := shifts{Encoding: w.from}
	start := 0 // of the character at i, with the sequences that belong to it
	for i := 0; i < len(data); {
		if n := s.plain(data[i:]); n > 0 {
			if start < i {
				t.AppendToken(text.Span{Start: start, End: i + 1}, data[i:i+1])
				i, n = i+1, n-1
			}
			t.AppendSame(i, data[i:i+n])
			i += n
			start = i
			continue
		}
		before := s.state
		var buf [8]byte
		char, next, _ := s.append(buf[:0], data, i)
		if n, to := w.from.escape(data[i:]); n > 0 {
			w.all = append(w.all, change{next, to})
		}
		i = next
		switch {
		case len(char) > 0:
			t.AppendToken(text.Span{Start: start, End: i}, char)
			start = i
		case before != inASCII && s.state.markup():
			text.Extend(t, i)
			start = i
		}
	}
}

// None reports whether there are no escape sequences.
func (w *Switches) None() bool { return len(w.all) == 0 }

// Inside reports whether an escape sequence stands in a span of the document.
func (w *Switches) Inside(s text.Span) bool {
	return slices.ContainsFunc(w.all, func(c change) bool { return s.Start < c.at && c.at < s.End })
}

// Around returns whether the bytes before and behind a span of the document are JIS X 0201
// Roman. ok is false if nothing can be written there, since they are neither that nor
// ASCII, or the sequence to be written would stand right beside another one: the second of
// them is U+FFFD.
func (w *Switches) Around(s text.Span) (before, behind, ok bool) {
	start, beside := w.stateAt(s.Start)
	end, _ := w.stateAt(s.End)
	ok = start.markup() && end.markup()
	before = start == inRoman
	if before {
		ok = ok && !beside
	}
	behind = end == inRoman
	if behind {
		n, _ := w.from.escape(w.data[s.End:])
		ok = ok && n == 0
	}
	return before, behind, ok
}

// stateAt returns what the bytes from an offset on are, and whether an escape sequence ends
// there.
func (w *Switches) stateAt(at int) (s shiftState, edge bool) {
	i, found := slices.BinarySearchFunc(w.all, at, func(c change, at int) int { return c.at - at })
	if found {
		return w.all[i].state, true
	}
	if i > 0 {
		s = w.all[i-1].state
	}
	return s, false
}
