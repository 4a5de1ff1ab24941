package text

import (
	"slices"
	"sort"
)

// Text is decoded bytes together with a map from decoded offsets to the raw
// bytes they were decoded from. Character references, CSS escapes, charsets and
// transfer codings all yield one, so that nesting is a single mechanism: the raw
// side of an inner Text is the decoded side of the outer one.
//
// The zero Text is the identity: Data is the raw bytes themselves. A Text is
// built from left to right by the Append methods; what they leave out between
// two calls (a soft line break, an escape sequence that switches charsets) is
// raw bytes without decoded ones. Reading is safe for concurrent use.
type Text struct {
	Data []byte // decoded

	mapped bool  // Data was built by Append methods
	runs   []run // sorted by at and by raw
}

// run says where the decoded bytes from at up to the next run's come from.
type run struct {
	at   int // offset in Data
	raw  Span
	form runForm
}

type runForm uint8

const (
	same     runForm = iota // one decoded byte is one raw byte
	token                   // all decoded bytes are all raw bytes, nothing in between
	quartets                // three decoded bytes are four raw bytes
	pairs                   // one decoded byte is two raw bytes
	triples                 // one decoded byte is three raw bytes
	fours                   // one decoded byte is four raw bytes
)

// Reset empties t and keeps its memory.
func (t *Text) Reset() {
	t.Data, t.runs, t.mapped = t.Data[:0], t.runs[:0], false
}

// Grow makes room for that many decoded bytes more, and for as many calls of
// Append methods as runs says.
func (t *Text) Grow(bytes, runs int) {
	t.Data, t.runs = slices.Grow(t.Data, bytes), slices.Grow(t.runs, runs)
}

// AppendSame appends a copy of b, which stands as it is at the raw offset raw.
func (t *Text) AppendSame(raw int, b []byte) {
	if n := len(t.runs); n > 0 && t.runs[n-1].form == same && t.runs[n-1].raw.End == raw {
		t.runs[n-1].raw.End += len(b)
		t.Data = append(t.Data, b...)
		return
	}
	t.append(Span{raw, raw + len(b)}, b, same)
}

// AppendToken appends a copy of b, which was decoded from the raw bytes of the span as an
// indivisible whole: a character reference, an escape, a multi-byte character.
func (t *Text) AppendToken(raw Span, b []byte) { t.append(raw, b, token) }

// AppendBase64 appends a copy of b, which was decoded from quartets of base64 that stand
// without a break at the raw offset raw. The last one may hold less than three bytes.
func (t *Text) AppendBase64(raw int, b []byte) {
	t.append(Span{raw, raw + (len(b)+2)/3*4}, b, quartets)
}

// AppendEscapes appends a copy of b, each byte of which was decoded from three raw bytes,
// as =XX and %XX are; the first ones stand at the raw offset raw.
func (t *Text) AppendEscapes(raw int, b []byte) {
	end := raw + 3*len(b)
	if n := len(t.runs); n > 0 && t.runs[n-1].form == triples && t.runs[n-1].raw.End == raw {
		t.runs[n-1].raw.End = end
		t.Data = append(t.Data, b...)
		return
	}
	t.append(Span{raw, end}, b, triples)
}

func (t *Text) append(raw Span, b []byte, form runForm) {
	t.mapped = true
	if len(b) == 0 {
		return
	}
	t.runs = append(t.runs, run{len(t.Data), raw, form})
	t.Data = append(t.Data, b...)
}

// Identity reports whether decoded and raw offsets are the same.
func (t *Text) Identity() bool { return t == nil || !t.mapped }

// Raw returns the smallest raw span that covers the decoded span s. An empty s
// gives an empty span, before the raw bytes of the decoded byte that follows.
func (t *Text) Raw(s Span) Span {
	if t.Identity() {
		return s
	}
	if len(t.runs) == 0 {
		return Span{}
	}
	start := t.rawStart(s.Start)
	if s.End <= s.Start {
		return Span{start, start}
	}
	return Span{start, t.rawEnd(s.End)}
}

// rawStart returns the raw offset at which the decoded byte at i begins, the end
// of the last run where there is none.
func (t *Text) rawStart(i int) int {
	if i >= len(t.Data) {
		return t.runs[len(t.runs)-1].raw.End
	}
	r := t.find(i)
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
func (t *Text) rawEnd(i int) int {
	r := t.find(i - 1)
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

// find returns the run that holds the decoded byte at i.
func (t *Text) find(i int) *run {
	n := sort.Search(len(t.runs), func(k int) bool { return t.runs[k].at > i })
	return &t.runs[n-1]
}
