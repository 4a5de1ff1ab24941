package mime

import (
	"bytes"
	"math"
	"slices"

	"absolink/extract"
)

func decodeIdentity(t *extract.Text, raw []byte, _ byte) (problem string) {
	t.Data = raw
	return ""
}

// editIdentity splices the edits into the body. In 7bit and 8bit, a line that would grow beyond
// [maxLine] gets line ends between two attributes of a tag. A line that was too long before stays
// one line. Three cases are errors:
//
//   - a long line that cannot be broken
//   - a new line that would begin like a separator
//   - 8-bit text in a 7bit body that had only ASCII
func editIdentity(l *Leaf, edits []extract.Edit) (raw, decoded []extract.Edit, err error) {
	if l.encoding == "7bit" && isASCII(l.raw) &&
		slices.ContainsFunc(edits, func(e extract.Edit) bool { return !isASCII(e.New) }) {
		return nil, nil, l.Entity.errorf("8-bit text in a 7bit body")
	}
	b := breaker{l: l, eol: l.Entity.m.eol}
	var out []extract.Edit
	for rest := edits; len(rest) > 0; {
		n := b.sameLine(rest)
		group, err := b.lines(rest[:n])
		if err != nil {
			return nil, nil, err
		}
		out = append(out, group...)
		rest = rest[n:]
	}
	return out, out, nil
}

func isASCII(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c >= 0x80 })
}

// breaker edits lines of a body in an identity encoding.
type breaker struct {
	l    *Leaf
	eol  byte
	gaps []int // offsets of white space before attributes, once seen is set
	seen bool
}

// sameLine returns the number of edits that touch the lines of the first edit.
func (b *breaker) sameLine(edits []extract.Edit) int {
	for n := 1; n < len(edits); n++ {
		if bytes.IndexByte(b.l.raw[edits[n-1].End:edits[n].Start], b.eol) >= 0 {
			return n
		}
	}
	return len(edits)
}

// lines returns the edits of one group of lines, with line ends added where needed.
func (b *breaker) lines(edits []extract.Edit) ([]extract.Edit, error) {
	raw := b.l.raw
	start := bytes.LastIndexByte(raw[:edits[0].Start], b.eol) + 1
	end := b.l.lineStop(edits[len(edits)-1].End)
	old := raw[start:end]
	line := edited(old, shifted(edits, -start))
	if b.badStarts(line) > b.badStarts(old) {
		return nil, b.l.Entity.errorf("a line would begin like a separator")
	}
	if b.l.encoding == "binary" || longestLine(line, b.eol) <= maxLine || longestLine(old, b.eol) > maxLine {
		return edits, nil
	}
	return b.broken(edits, start, end)
}

func (b *breaker) badStarts(lines []byte) (n int) {
	for {
		if startsBadly(lines) {
			n++
		}
		i := bytes.IndexByte(lines, b.eol)
		if i < 0 {
			return n
		}
		lines = lines[i+1:]
	}
}

// broken adds line ends to the edits of the line from start to end. Each line end goes to the last
// gap that keeps the line before it short enough. A blank follows each new line end, so no new line
// begins like a separator.
func (b *breaker) broken(edits []extract.Edit, start, end int) ([]extract.Edit, error) {
	stops := b.stops(edits, start, end)
	out := slices.Clone(edits)
	eol := b.l.eolAt(end)
	last := stops[len(stops)-1]
	for from, k := 0, 0; last.to-from > maxLine; {
		next := k
		for next < len(stops)-1 && stops[next].to-from <= maxLine {
			next++
		}
		if next == k || bytes.IndexByte(b.l.raw[start:end], b.eol) >= 0 {
			return nil, b.l.Entity.errorf("a line would be longer than %d bytes", maxLine)
		}
		at := stops[next-1]
		out = append(out, extract.Edit{Span: extract.Span{Start: at.at, End: at.at}, New: bytes.Clone(eol)})
		from, k = at.to, next
	}
	slices.SortStableFunc(out, func(x, y extract.Edit) int { return x.Start - y.Start })
	return out, nil
}

// stop is a place where a line may be broken: its offset in the body, and its offset in the edited
// line.
type stop struct{ at, to int }

// stops returns the gaps of a line that no edit touches, and the end of the line.
func (b *breaker) stops(edits []extract.Edit, start, end int) []stop {
	var out []stop
	moved := -start
	gaps := b.within(start+1, end)
	for _, e := range edits {
		for ; len(gaps) > 0 && gaps[0] <= e.End; gaps = gaps[1:] {
			if gaps[0] < e.Start {
				out = append(out, stop{gaps[0], gaps[0] + moved})
			}
		}
		moved += len(e.New) - (e.End - e.Start)
	}
	for _, g := range gaps {
		out = append(out, stop{g, g + moved})
	}
	return append(out, stop{end, end + moved})
}

// within returns the gaps from start to end.
func (b *breaker) within(start, end int) []int {
	if !b.seen {
		d := extract.Doc{Format: b.l.Entity.Format(), Data: b.l.raw}
		b.gaps = d.Gaps()
		b.seen = true
	}
	i, _ := slices.BinarySearch(b.gaps, start)
	j, _ := slices.BinarySearch(b.gaps, end)
	return b.gaps[i:j]
}

// Line returns the span of the line around an offset of the decoded leaf, without its line end, and
// the number of bytes that the line may have after an edit. In 7bit and 8bit that is the limit of
// SMTP, or the present length of a longer line. Other encodings have no limit.
func (l *Leaf) Line(at int) (line extract.Span, limit int) {
	eol := l.Entity.m.eol
	line = extract.Span{Start: bytes.LastIndexByte(l.Data[:at], eol) + 1, End: len(l.Data)}
	if n := bytes.IndexByte(l.Data[at:], eol); n >= 0 {
		line.End = at + n
	}
	if line.End > line.Start && l.Data[line.End-1] == '\r' {
		line.End--
	}
	if l.encoding != "7bit" && l.encoding != "8bit" {
		return line, math.MaxInt
	}
	return line, max(maxLine, line.End-line.Start)
}
