package write

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"absolink/cmd/absolink/internal/console"
	"absolink/extract"
)

// On a terminal, a diff is for people: a long line, as in a minified page, is cut to the changes
// and the text near them. A file or a pipe gets the whole diff, for patch(1).

const (
	longLine = 400 // bytes in a line above which the line is long
	nearby   = 60  // bytes that are shown around a change
)

// difference returns the unified diff of data and the result of edits. The edits must be sorted and
// must not overlap.
func (s *Show) difference(name string, data []byte, edits []extract.Edit) []byte {
	name = console.Printable(name)
	was, is := data, []byte(nil)
	if s.Terminal {
		was, is = shortened(data, edits)
	} else {
		is = extract.Apply(nil, data, edits)
	}
	text := diff.Diff(name, was, name+" (absolute)", is)
	if s.Terminal {
		text = []byte(console.PrintableLines(string(text)))
	}
	if s.Color {
		text = colored(text)
	}
	return text
}

// shortened returns data and the result of edits, both with long lines cut.
func shortened(data []byte, edits []extract.Edit) (was, is []byte) {
	for start := 0; start < len(data); {
		end, n := lineOf(data, start, edits)
		line := edits[:n]
		edits = edits[n:]
		if end-start <= longLine ||
			slices.ContainsFunc(line,
				func(e extract.Edit) bool { return bytes.IndexByte(data[e.Start:e.End], '\n') >= 0 }) {
			was = append(was, data[start:end]...)
			is = appendEdited(is, data, start, end, line)
		} else {
			was, is = appendCut(was, is, data, start, end, line)
		}
		start = end
	}
	for _, e := range edits { // behind the last byte
		is = append(is, e.New...)
	}
	return was, is
}

// lineOf returns the end of the line at start and the number of edits that begin in it. If an edit
// spans several lines, they count as one line.
func lineOf(data []byte, start int, edits []extract.Edit) (end, n int) {
	end = start
	for {
		if i := bytes.IndexByte(data[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(data)
		}
		for n < len(edits) && edits[n].Start < end {
			n++
		}
		if n == 0 || edits[n-1].End <= end || end == len(data) {
			return end, n
		}
	}
}

// appendEdited appends data[start:end] with the edits in it.
func appendEdited(dst, data []byte, start, end int, edits []extract.Edit) []byte {
	for _, e := range edits {
		dst = append(append(dst, data[start:e.Start]...), e.New...)
		start = e.End
	}
	return append(dst, data[start:end]...)
}

// appendCut appends a long line before and after its edits. Only the text near each edit is kept,
// or the beginning of the line if it has no edits.
func appendCut(was, is, data []byte, start, end int, edits []extract.Edit) ([]byte, []byte) {
	const cut = "…"
	both := func(b []byte) { was, is = append(was, b...), append(is, b...) }
	last := len(bytes.TrimRight(data[start:end], "\r\n")) + start
	at := start
	if len(edits) == 0 {
		at = boundary(data, start+nearby)
		both(data[start:at])
	}
	for i, e := range edits {
		if from := boundary(data, max(at, e.Start-nearby)); from > at {
			both([]byte(cut))
			at = from
		}
		both(data[at:e.Start])
		was, is = append(was, data[e.Start:e.End]...), append(is, e.New...)
		at = min(boundary(data, e.End+nearby), last)
		if i+1 < len(edits) {
			at = min(at, edits[i+1].Start)
		}
		at = max(at, e.End)
		both(data[e.End:at])
	}
	if at < last {
		both([]byte(cut))
	}
	both(data[max(last, at):end])
	return was, is
}

// boundary returns the largest offset up to at where a UTF-8 character begins.
func boundary(data []byte, at int) int {
	at = min(at, len(data))
	for i := 0; i < utf8.UTFMax && at > 0 && at < len(data) && !utf8.RuneStart(data[at]); i++ {
		at--
	}
	return at
}

// colored returns a unified diff with the escape sequences for colours on a terminal.
func colored(text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		color := ""
		switch {
		case bytes.HasPrefix(line, []byte("diff ")),
			bytes.HasPrefix(line, []byte("--- ")), bytes.HasPrefix(line, []byte("+++ ")):
			color = "\x1b[1m"
		case line[0] == '@':
			color = "\x1b[36m"
		case line[0] == '-':
			color = "\x1b[31m"
		case line[0] == '+':
			color = "\x1b[32m"
		}
		body := bytes.TrimSuffix(line, []byte("\n"))
		if color == "" {
			out = append(out, line...)
			continue
		}
		out = append(append(append(append(out, color...), body...), "\x1b[m"...), line[len(body):]...)
	}
	return out
}
