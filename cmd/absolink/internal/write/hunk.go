package write

import (
	"bytes"
	"fmt"

	"absolink/extract"
)

// The command serve shows only the beginning of a diff. appendHunks builds the diff from the edits,
// and needs no more memory than the shown text. It does not compare lines: a line is shown as
// changed if an edit changes a byte of it.

// contextLines is the number of unchanged lines that are shown before and after a change.
const contextLines = 3

// change is a group of consecutive lines that change.
type change struct {
	start, end int            // offsets of the old lines in the document
	edits      []extract.Edit // edits of these lines
	line       int            // number of the first line, from 0
}

// appendHunks appends the unified diff of data and the result of edits. The edits must be sorted
// and must not overlap. name is the name of the document in the diff. The diff is cut after about
// size bytes.
func appendHunks(dst []byte, name string, data []byte, edits []extract.Edit, size int) []byte {
	p := &hunks{dst: dst, data: data, limit: len(dst) + size}
	list := p.changes(edits)
	if len(list) == 0 {
		return dst
	}
	p.dst = fmt.Appendf(p.dst, "diff %s %s (absolute)\n--- %s\n+++ %s (absolute)\n", name, name, name, name)
	for len(list) > 0 && len(p.dst) < p.limit {
		n := 1
		for n < len(list) && p.countLines(list[n-1].end, list[n].start) < 2*contextLines {
			n++
		}
		p.appendHunk(list[:n])
		list = list[n:]
	}
	return p.dst
}

// hunks builds the hunks of a diff.
type hunks struct {
	dst   []byte
	data  []byte
	limit int // length of dst at which the text is cut; only headings and "\ No newline …" may exceed it
	added int // number of lines that the earlier hunks have added
}

// changes returns the groups of lines that edits change.
func (p *hunks) changes(edits []extract.Edit) (list []change) {
	at, line := 0, 0 // an offset, and the number of the line that begins there
	for len(edits) > 0 {
		start := bytes.LastIndexByte(p.data[:edits[0].Start], '\n') + 1
		line += bytes.Count(p.data[at:start], []byte("\n"))
		end, n := findLine(p.data, start, edits)
		if end == len(p.data) {
			n = len(edits) // also the edits at the end of data
		}
		last := len(list) - 1
		switch {
		case !p.anyDiffers(edits[:n]):
		case last >= 0 && list[last].end == start:
			c := &list[last]
			c.end, c.edits = end, c.edits[:len(c.edits)+n]
		default:
			list = append(list, change{start, end, edits[:n], line})
		}
		line += bytes.Count(p.data[start:end], []byte("\n"))
		at, edits = end, edits[n:]
	}
	return list
}

// anyDiffers reports whether at least one edit changes the text.
func (p *hunks) anyDiffers(edits []extract.Edit) bool {
	for _, e := range edits {
		if !bytes.Equal(e.New, p.data[e.Start:e.End]) {
			return true
		}
	}
	return false
}

// countLines returns the number of lines between two offsets. A part of a line counts as a line.
func (p *hunks) countLines(from, to int) int {
	n := bytes.Count(p.data[from:to], []byte("\n"))
	if to > from && p.data[to-1] != '\n' {
		n++
	}
	return n
}

// appendHunk appends one hunk for a list of changes.
func (p *hunks) appendHunk(list []change) {
	first, last := &list[0], &list[len(list)-1]
	start, line := first.start, first.line
	for range contextLines {
		if start > 0 {
			start = bytes.LastIndexByte(p.data[:start-1], '\n') + 1
			line--
		}
	}
	end := last.end
	for range contextLines {
		if i := bytes.IndexByte(p.data[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(p.data)
		}
	}
	before := p.countLines(start, end)
	after := before
	for i := range list {
		after += p.growth(&list[i])
	}
	p.dst = fmt.Appendf(p.dst, "@@ -%d,%d +%d,%d @@\n", line+min(before, 1), before, line+p.added+min(after, 1), after)
	p.added += after - before
	for i := range list {
		c := &list[i]
		p.appendLines(' ', p.data[start:c.start])
		p.appendLines('-', p.data[c.start:c.end])
		p.appendNewLines(c)
		start = c.end
	}
	p.appendLines(' ', p.data[start:end])
}

// growth returns the number of lines that c adds. It is negative if c removes lines.
func (p *hunks) growth(c *change) (n int) {
	for _, e := range c.edits {
		n += bytes.Count(e.New, []byte("\n")) - bytes.Count(p.data[e.Start:e.End], []byte("\n"))
	}
	return n
}

// appendNewLines appends the new lines of c, with its edits, as far as there is room.
func (p *hunks) appendNewLines(c *change) {
	// The text is cut to one byte more than fits. So appendLines cuts it again, and does not write
	// "No newline at end of file" at the cut.
	room := p.limit - len(p.dst) + 1
	text, start := []byte(nil), c.start
	add := func(b []byte) { text = append(text, b[:min(len(b), max(room-len(text), 0))]...) }
	for _, e := range c.edits {
		add(p.data[start:e.Start])
		add(e.New)
		start = e.End
	}
	add(p.data[start:max(start, c.end)])
	p.appendLines('+', text)
}

// appendLines appends the lines of text, each after the sign, as far as there is room.
func (p *hunks) appendLines(sign byte, text []byte) {
	for len(text) > 0 && len(p.dst) < p.limit {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		p.dst = append(p.dst, sign)
		if room := p.limit - len(p.dst); n > room {
			p.dst = append(p.dst, text[:room]...)
			return
		}
		p.dst = append(p.dst, text[:n]...)
		if text[n-1] != '\n' {
			p.dst = append(p.dst, "\n\\ No newline at end of file\n"...)
		}
		text = text[n:]
	}
}
