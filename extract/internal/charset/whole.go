package charset

import (
	"slices"

	"absolink/extract/internal/text"
)

// Most charsets of the Encoding Standard keep the bytes of markup, so documents are scanned
// directly and values are decoded one by one. UTF-16, ISO-2022-JP, the replacement encoding and the
// charsets that only mail has (listed.go) do not. They are decoded as a whole first, with a map
// back.
//
// In ISO-2022-JP an escape sequence sets the meaning of all bytes up to the next sequence. Each
// sequence belongs to a character. A sequence that switches back to a state with tags belongs to
// the character before it; any other sequence belongs to the character after it. So the text
// between two tags or quotes begins and ends in a state that allows ASCII. An edit of a reference
// then removes the sequences that only this reference needed.

// Switches are the escape sequences of a document in ISO-2022-JP. Other charsets have none. The
// zero Switches is ready; it keeps its memory when it is used again.
type Switches struct {
	changes []change
	data    []byte
	from    *Encoding
}

// change is the end of an escape sequence, and the meaning of the bytes after it.
type change struct {
	at    int // in the document
	state shiftState
}

// Decode decodes data into t if the charset is read as a whole, and records the escape sequences.
// Otherwise it returns false. A nil e is a charset that keeps ASCII. data must not change as long
// as w is in use.
func (w *Switches) Decode(t *text.Text, data []byte, e *Encoding) bool {
	t.Reset()
	w.changes, w.data, w.from = w.changes[:0], data, e
	switch {
	case e == nil:
		return false
	case e.isUTF16():
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
	s := shiftReader{Encoding: w.from}
	start := 0 // start of the character at i, with the sequences that belong to it
	for i := 0; i < len(data); {
		if n := s.plainLen(data[i:]); n > 0 {
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
		if n, to := w.from.escapeLen(data[i:]); n > 0 {
			w.changes = append(w.changes, change{next, to})
		}
		i = next
		switch {
		case len(char) > 0:
			t.AppendToken(text.Span{Start: start, End: i}, char)
			start = i
		case before != inASCII && s.state.allowsMarkup():
			text.Extend(t, i)
			start = i
		}
	}
}

// None reports whether the document has no escape sequences.
func (w *Switches) None() bool { return len(w.changes) == 0 }

// Inside reports whether an escape sequence ends in a span of the document.
func (w *Switches) Inside(s text.Span) bool {
	return slices.ContainsFunc(w.changes, func(c change) bool { return s.Start < c.at && c.at <= s.End })
}

// Around reports whether the bytes before and after a span of the document are JIS X 0201 Roman. ok
// is false if ASCII cannot be written there: if the bytes are neither Roman nor ASCII, or if the
// escape sequence to or from ASCII would be directly beside another one: the second of two such
// sequences becomes U+FFFD.
func (w *Switches) Around(s text.Span) (before, after, ok bool) {
	start, beside := w.stateAt(s.Start)
	end, _ := w.stateAt(s.End)
	ok = start.allowsMarkup() && end.allowsMarkup()
	before = start == inRoman
	if before {
		ok = ok && !beside
	}
	after = end == inRoman
	if after {
		n, _ := w.from.escapeLen(w.data[s.End:])
		ok = ok && n == 0
	}
	return before, after, ok
}

// stateAt returns the state from an offset on, and whether an escape sequence ends there.
func (w *Switches) stateAt(at int) (s shiftState, edge bool) {
	i, found := slices.BinarySearchFunc(w.changes, at, func(c change, at int) int { return c.at - at })
	if found {
		return w.changes[i].state, true
	}
	if i > 0 {
		s = w.changes[i-1].state
	}
	return s, false
}
