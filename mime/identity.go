package mime

import (
	"bytes"
	"math"
	"slices"

	"absolink/extract"
)

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
	b := identityEditor{l: l, eol: l.Entity.m.eol}
	var out []extract.Edit
	for rest := edits; len(rest) > 0; {
		n := b.groupLength(rest)
		group, err := b.editGroup(rest[:n])
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

// identityEditor edits a body in 7bit, 8bit or binary. It edits one group at a time: a group is a
// run of edits without a line end between them.
type identityEditor struct {
	l       *Leaf
	eol     byte
	gaps    []int // offsets in the body of white space before attributes; set if hasGaps is true
	hasGaps bool
}

// groupLength returns the number of edits in the first group.
func (b *identityEditor) groupLength(edits []extract.Edit) int {
	for n := 1; n < len(edits); n++ {
		if bytes.IndexByte(b.l.raw[edits[n-1].End:edits[n].Start], b.eol) >= 0 {
			return n
		}
	}
	return len(edits)
}

// editGroup returns the edits of a group, with line ends added where they are needed.
func (b *identityEditor) editGroup(edits []extract.Edit) ([]extract.Edit, error) {
	raw := b.l.raw
	start := bytes.LastIndexByte(raw[:edits[0].Start], b.eol) + 1
	end := b.l.lineEnd(edits[len(edits)-1].End)
	old := raw[start:end]
	line := applyEdits(old, shifted(edits, -start))
	if b.countBadStarts(line) > b.countBadStarts(old) {
		return nil, b.l.Entity.errorf("a line would begin like a separator")
	}
	if b.l.encoding == "binary" || longestLine(line, b.eol) <= maxLine || longestLine(old, b.eol) > maxLine {
		return edits, nil
	}
	return b.breakLine(edits, start, end)
}

// countBadStarts returns the number of lines that begin badly, see startsBadly.
func (b *identityEditor) countBadStarts(lines []byte) (n int) {
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

// breakLine adds line ends to the edits of the line from start to end. Each line end goes to the
// last gap that keeps the line before it short enough. A blank follows each new line end, so no new
// line begins like a separator.
func (b *identityEditor) breakLine(edits []extract.Edit, start, end int) ([]extract.Edit, error) {
	if bytes.IndexByte(b.l.raw[start:end], b.eol) >= 0 { // an edit touches several lines
		return nil, b.errTooLong()
	}
	points, length := b.breakPoints(edits, start, end)
	out := slices.Clone(edits)
	eol := b.l.eolAt(end)
	for from := 0; length-from > maxLine; {
		n := 0 // number of points that are at most maxLine bytes after from
		for n < len(points) && points[n].edited-from <= maxLine {
			n++
		}
		if n == 0 {
			return nil, b.errTooLong()
		}
		at := points[n-1]
		out = append(out, extract.Edit{Span: extract.Span{Start: at.offset, End: at.offset}, New: bytes.Clone(eol)})
		from = at.edited
		points = points[n:]
	}
	slices.SortStableFunc(out, func(x, y extract.Edit) int { return x.Start - y.Start })
	return out, nil
}

func (b *identityEditor) errTooLong() error {
	return b.l.Entity.errorf("a line would be longer than %d bytes", maxLine)
}

// breakPoint is an offset in the body where a line may be broken. edited is its offset in the
// edited line.
type breakPoint struct{ offset, edited int }

// breakPoints returns the gaps of the line from start to end, without those that an edit touches.
// length is the length of the edited line.
func (b *identityEditor) breakPoints(edits []extract.Edit, start, end int) (points []breakPoint, length int) {
	moved := -start // difference between an offset in the edited line and in the body
	gaps := b.gapsIn(start+1, end)
	for _, e := range edits {
		for ; len(gaps) > 0 && gaps[0] <= e.End; gaps = gaps[1:] {
			if gaps[0] < e.Start {
				points = append(points, breakPoint{gaps[0], gaps[0] + moved})
			}
		}
		moved += len(e.New) - (e.End - e.Start)
	}
	for _, g := range gaps {
		points = append(points, breakPoint{g, g + moved})
	}
	return points, end + moved
}

// gapsIn returns the gaps from start to end.
func (b *identityEditor) gapsIn(start, end int) []int {
	if !b.hasGaps {
		d := extract.Doc{Format: b.l.Entity.Format(), Data: b.l.raw}
		b.gaps = d.Gaps()
		b.hasGaps = true
	}
	i, _ := slices.BinarySearch(b.gaps, start)
	j, _ := slices.BinarySearch(b.gaps, end)
	return b.gaps[i:j]
}

// Line returns the span of the line around an offset of the decoded leaf, without its line end, and
// the number of bytes that the line may have after an edit. In 7bit and 8bit that is the limit of
// SMTP, or the length of the line if that is more. Other encodings have no limit.
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
