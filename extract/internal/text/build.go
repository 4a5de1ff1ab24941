package text

import "unicode/utf8"

// These functions are for readers of a document only. Users of a Text do not see them.

// Begin begins another value after the content of t. The bytes of t stay, but lose their map. It
// returns the offset in t.Data at which the value begins.
func Begin(t *Text) int {
	t.runs = t.runs[:0]
	t.filled = true
	return len(t.Data)
}

// A text keeps a limited amount of memory for the next document, so that a large document does not
// occupy it forever.
const (
	mostKeptRuns    = 1 << 15
	longestKeptText = 4 << 20
)

// Trim releases the memory that an unusually large document took.
func Trim(t *Text) {
	if cap(t.Data) > longestKeptText || cap(t.runs) > mostKeptRuns {
		*t = Text{}
	}
}

// Extend makes the raw bytes up to end a part of the character that was appended last.
func Extend(t *Text, end int) {
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

// AppendUnit appends r, which was decoded from one or two code units of UTF-16, or from one of
// UTF-32. Consecutive ASCII characters become one run. Otherwise the map of a large document would
// be many times its size.
func AppendUnit(t *Text, raw Span, r rune) {
	if r >= utf8.RuneSelf {
		var buf [utf8.UTFMax]byte
		t.AppendToken(raw, utf8.AppendRune(buf[:0], r))
		return
	}
	form := pairs
	if raw.End-raw.Start == 4 {
		form = fours
	}
	if !t.extends(form, raw) {
		t.add(len(t.Data), 1, raw, form)
	}
	t.Data = append(t.Data, byte(r))
}

// OpenBefore reports whether the decoded bytes before i come from a character reference in raw
// without its semicolon, or from an '&' that may begin a reference.
func OpenBefore(t *Text, i int, raw []byte) bool {
	r := t.find(i - 1)
	if r.form == same {
		return raw[r.raw.Start+i-1-r.at] == '&'
	}
	return r.form == token && raw[r.raw.Start] == '&' && raw[r.raw.End-1] != ';'
}

// Cuts reports whether s begins or ends inside the decoded bytes of one token.
func Cuts(t *Text, s Span) bool {
	for _, i := range []int{s.Start, s.End} {
		if i < len(t.Data) && len(t.runs) > 0 {
			if r := t.find(i); r.form == token && r.at != i {
				return true
			}
		}
	}
	return false
}
