package text

import (
	"slices"
	"sort"
)

// Map maps the offsets of decoded bytes to the raw bytes from which they were decoded. Character
// references, CSS escapes, charsets and transfer codings all fill a Map, so nesting is a single
// mechanism: the raw side of an inner text is the decoded side of the outer one.
//
// The zero Map is the identity. Its Add methods fill it from left to right. Raw bytes that they
// skip between two calls have no decoded bytes (a soft line break, an escape sequence that switches
// charsets). Reading is safe for concurrent use.
type Map struct {
	filled bool
	runs   []run // sorted by at and by raw
}

// run describes the source of the decoded bytes from at up to the next run's at.
type run struct {
	at   int // offset of the decoded bytes
	raw  Span
	form runForm
}

type runForm uint8

const (
	same     runForm = iota // one decoded byte is one raw byte
	token                   // all decoded bytes together are all raw bytes
	quartets                // three decoded bytes are four raw bytes
	pairs                   // one decoded byte is two raw bytes
	triples                 // one decoded byte is three raw bytes
	fours                   // one decoded byte is four raw bytes
)

// Reset empties m and keeps its memory.
func (m *Map) Reset() {
	m.runs = m.runs[:0]
	m.filled = false
}

// Grow makes room for that many more calls of Add methods.
func (m *Map) Grow(runs int) { m.runs = slices.Grow(m.runs, runs) }

// AddSame notes that n decoded bytes from at on are equal to the raw bytes from offset raw on.
func (m *Map) AddSame(at, raw, n int) {
	if !m.extends(same, Span{raw, raw + n}) {
		m.add(at, n, Span{raw, raw + n}, same)
	}
}

// AddToken notes that n decoded bytes from at on come from the raw bytes of a span as an
// indivisible whole: a character reference, an escape, a multi-byte character.
func (m *Map) AddToken(at, n int, raw Span) { m.add(at, n, raw, token) }

// AddBase64 notes that n decoded bytes from at on come from consecutive base64 quartets at the raw
// offset raw. The last quartet may hold less than three bytes.
func (m *Map) AddBase64(at, raw, n int) { m.add(at, n, Span{raw, raw + (n+2)/3*4}, quartets) }

// AddEscapes notes that each of n decoded bytes from at on comes from three raw bytes, such as =XX
// or %XX. The first three are at the raw offset raw.
func (m *Map) AddEscapes(at, raw, n int) {
	if !m.extends(triples, Span{raw, raw + 3*n}) {
		m.add(at, n, Span{raw, raw + 3*n}, triples)
	}
}

// extends makes the last run longer by the raw bytes of a span, if it has that form and ends where
// the span begins. It reports whether it did.
func (m *Map) extends(form runForm, raw Span) bool {
	n := len(m.runs)
	if n == 0 || m.runs[n-1].form != form || m.runs[n-1].raw.End != raw.Start {
		return false
	}
	m.runs[n-1].raw.End = raw.End
	return true
}

func (m *Map) add(at, n int, raw Span, form runForm) {
	m.filled = true
	if n > 0 {
		m.runs = append(m.runs, run{at, raw, form})
	}
}

// Identity reports whether decoded and raw offsets are the same.
func (m *Map) Identity() bool { return !m.filled }

// Raw returns the smallest raw span that covers the span s of size decoded bytes. For an empty s it
// returns an empty span before the raw bytes of the next decoded byte.
func (m *Map) Raw(s Span, size int) Span {
	if !m.filled {
		return s
	}
	if len(m.runs) == 0 {
		return Span{}
	}
	start := m.rawStart(s.Start, size)
	if s.End <= s.Start {
		return Span{start, start}
	}
	return Span{start, m.rawEnd(s.End)}
}

// rawStart returns the raw offset at which the decoded byte at i begins, or the end of the last
// run.
func (m *Map) rawStart(i, size int) int {
	if i >= size {
		return m.runs[len(m.runs)-1].raw.End
	}
	r := m.find(i)
	switch r.form {
	case same:
		return r.raw.Start + i - r.at
	case quartets:
		return r.raw.Start + (i-r.at)/3*4
	case pairs:
		return r.raw.Start + (i-r.at)*2
	case triples:
		return r.raw.Start + (i-r.at)*3
	case fours:
		return r.raw.Start + (i-r.at)*4
	}
	return r.raw.Start
}

// rawEnd returns the raw offset at which the decoded byte before i ends.
func (m *Map) rawEnd(i int) int {
	r := m.find(i - 1)
	switch r.form {
	case same:
		return r.raw.Start + i - r.at
	case pairs:
		return r.raw.Start + (i-r.at)*2
	case triples:
		return r.raw.Start + (i-r.at)*3
	case fours:
		return r.raw.Start + (i-r.at)*4
	case quartets:
		return min(r.raw.Start+(i-r.at+2)/3*4, r.raw.End)
	}
	return r.raw.End
}

// find returns the run that contains the decoded byte at i.
func (m *Map) find(i int) *run {
	n := sort.Search(len(m.runs), func(k int) bool { return m.runs[k].at > i })
	return &m.runs[n-1]
}
