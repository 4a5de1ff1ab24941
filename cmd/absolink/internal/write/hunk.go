package write

import (
	"bytes"
	"fmt"

	"absolink/extract"
)

// The service shows only the beginning of a diff. It is built from the edits, so that memory is
// bounded by the size of the shown text. A line changes if it has an edit.

// around is the number of lines that are shown around a change.
const around = 3

// change is a run of consecutive lines that change.
type change struct {
	start, end int            // offsets of the old lines
	edits      []extract.Edit // edits of these lines
	line       int            // number of the first line, from 0
}

// appendHunks appends the unified diff of data and the result of edits. The edits must be sorted
// and must not overlap. The diff is cut after about size bytes.
func appendHunks(dst []byte, name string, data []byte, edits []extract.Edit, size int) []byte {
	p := &hunks{dst: dst, data: data, most: len(dst) + size}
	list := p.changes(edits)
	if len(list) == 0 {
		return dst
	}
	p.dst = fmt.Appendf(p.dst, "diff %s %s (absolute)\n--- %s\n+++ %s (absolute)\n", name, name, name, name)
	for len(list) > 0 && len(p.dst) < p.most {
		n := 1
		for n < len(list) && p.lines(list[n-1].end, list[n].start) < 2*around {
			n++
		}
		p.hunk(list[:n])
		list = list[n:]
	}
	return p.dst
}

// hunks builds the hunks of a diff.
type hunks struct {
	dst   []byte
	data  []byte
	most  int // maximum length of dst, about
	added int // lines that the earlier hunks have added
}

// changes returns the changes that edits make.
func (p *hunks) changes(edits []extract.Edit) (list []change) {
	at, line := 0, 0
	for len(edits) > 0 {
		start := bytes.LastIndexByte(p.data[:edits[0].Start], '\n') + 1
		line += bytes.Count(p.data[at:start], []byte("\n"))
		end, n := lineOf(p.data, start, edits)
		if end == len(p.data) {
			n = len(edits) // also the edits behind the last byte
		}
		last := len(list) - 1
		switch {
		case !p.differ(edits[:n]):
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

// differ reports whether any of the edits changes the text.
func (p *hunks) differ(edits []extract.Edit) bool {
	for _, e := range edits {
		if !bytes.Equal(e.New, p.data[e.Start:e.End]) {
			return true
		}
	}
	return false
}

// lines returns the number of lines between two offsets.
func (p *hunks) lines(from, to int) int {
	n := bytes.Count(p.data[from:to], []byte("\n"))
	if to > from && p.data[to-1] != '\n' {
		n++
	}
	return n
}

// hunk appends one hunk for a list of changes.
func (p *hunks) hunk(list []change) {
	first, last := &list[0], &list[len(list)-1]
	start, line := first.start, first.line
	for range around {
		if start > 0 {
			start = bytes.LastIndexByte(p.data[:start-1], '\n') + 1
			line--
		}
	}
	end := last.end
	for range around {
		if i := bytes.IndexByte(p.data[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(p.data)
		}
	}
	before := p.lines(start, end)
	after := before
	for i := range list {
		after += p.growth(&list[i])
	}
	p.dst = fmt.Appendf(p.dst, "@@ -%d,%d +%d,%d @@\n", line+min(before, 1), before, line+p.added+min(after, 1), after)
	p.added += after - before
	for i := range list {
		c := &list[i]
		p.write(' ', p.data[start:c.start])
		p.write('-', p.data[c.start:c.end])
		p.edited(c)
		start = c.end
	}
	p.write(' ', p.data[start:end])
}

// growth returns the number of lines that c adds.
func (p *hunks) growth(c *change) (n int) {
	for _, e := range c.edits {
		n += bytes.Count(e.New, []byte("\n")) - bytes.Count(p.data[e.Start:e.End], []byte("\n"))
	}
	return n
}

// edited appends the new lines of c, as far as there is room.
func (p *hunks) edited(c *change) {
	room := p.most - len(p.dst) + 1 // one byte more than fits, so that write cuts the text
	text, start := []byte(nil), c.start
	add := func(b []byte) { text = append(text, b[:min(len(b), max(room-len(text), 0))]...) }
	for _, e := range c.edits {
		if len(text) >= room {
			break
		}
		add(p.data[start:e.Start])
		add(e.New)
		start = e.End
	}
	add(p.data[start:max(start, c.end)])
	p.write('+', text)
}

// write appends lines, each after a sign, as far as there is room.
func (p *hunks) write(sign byte, text []byte) {
	for len(text) > 0 && len(p.dst) < p.most {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		p.dst = append(p.dst, sign)
		if room := p.most - len(p.dst); n > room {
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
