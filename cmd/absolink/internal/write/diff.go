package write

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"absolink/cmd/absolink/internal/console"
	"absolink/extract"
)

// On a terminal, a person reads the diff. Each long line, such as in a minified page, is cut to its
// changes and the text near them. A file or a pipe gets the whole diff, for patch(1).

const (
	longLine = 400 // size in bytes of the longest line that is shown whole
	nearby   = 60  // bytes of a cut line that are shown on each side of a change
)

// unifiedDiff returns the unified diff of data and the result of edits. The edits must be sorted
// and must not overlap. name is the name of the document in the diff.
func (s *Show) unifiedDiff(name string, data []byte, edits []extract.Edit) []byte {
	name = console.Printable(name)
	var before, after []byte
	if s.Terminal {
		before, after = shortened(data, edits)
	} else {
		before = data
		after = extract.Apply(nil, data, edits)
	}
	text := diff.Diff(name, before, name+" (absolute)", after)
	if s.Terminal {
		text = []byte(console.PrintableLines(string(text)))
	}
	if s.Color {
		text = colored(text)
	}
	return text
}

// shortened returns data before and after edits, both with long lines cut.
func shortened(data []byte, edits []extract.Edit) (before, after []byte) {
	for start := 0; start < len(data); {
		end, n := findLine(data, start, edits)
		line := edits[:n]
		edits = edits[n:]
		if end-start <= longLine ||
			slices.ContainsFunc(line,
				func(e extract.Edit) bool { return bytes.IndexByte(data[e.Start:e.End], '\n') >= 0 }) {
			before = append(before, data[start:end]...)
			after = appendEdited(after, data, start, end, line)
		} else {
			before, after = appendCut(before, after, data, start, end, line)
		}
		start = end
	}
	for _, e := range edits { // these insert text at the end of data
		after = append(after, e.New...)
	}
	return before, after
}

// findLine returns the end of the line that begins at start, and the number of edits that begin in
// it. If an edit spans several lines, they count as one line.
func findLine(data []byte, start int, edits []extract.Edit) (end, n int) {
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

// appendEdited appends data[start:end], changed by edits, which all lie in it.
func appendEdited(dst, data []byte, start, end int, edits []extract.Edit) []byte {
	for _, e := range edits {
		dst = append(append(dst, data[start:e.Start]...), e.New...)
		start = e.End
	}
	return append(dst, data[start:end]...)
}

// appendCut appends the long line data[start:end] to before, and the line with its edits to after.
// Only the text near each edit is kept. A line without edits is cut to its beginning.
func appendCut(before, after, data []byte, start, end int, edits []extract.Edit) ([]byte, []byte) {
	const cut = "…"
	appendBoth := func(b []byte) {
		before = append(before, b...)
		after = append(after, b...)
	}
	lineEnd := len(bytes.TrimRight(data[start:end], "\r\n")) + start // before the CRLF or LF
	at := start                                                      // all bytes before at are appended or left out
	if len(edits) == 0 {
		at = characterStart(data, start+nearby)
		appendBoth(data[start:at])
	}
	for i, e := range edits {
		if from := characterStart(data, max(at, e.Start-nearby)); from > at {
			appendBoth([]byte(cut))
			at = from
		}
		appendBoth(data[at:e.Start])
		before = append(before, data[e.Start:e.End]...)
		after = append(after, e.New...)
		at = min(characterStart(data, e.End+nearby), lineEnd)
		if i+1 < len(edits) {
			at = min(at, edits[i+1].Start)
		}
		at = max(at, e.End)
		appendBoth(data[e.End:at])
	}
	if at < lineEnd {
		appendBoth([]byte(cut))
	}
	appendBoth(data[max(lineEnd, at):end])
	return before, after
}

// characterStart returns the largest offset up to at where a UTF-8 character begins. It looks back
// at most four bytes, so the result may be inside of a character if data is not UTF-8.
func characterStart(data []byte, at int) int {
	at = min(at, len(data))
	for i := 0; i < utf8.UTFMax && at > 0 && at < len(data) && !utf8.RuneStart(data[at]); i++ {
		at--
	}
	return at
}

// colored returns text, the unified diff of one document, with escape sequences for colours on a
// terminal.
func colored(text []byte) []byte {
	var out []byte
	inHunk := false // after the headings
	for line := range bytes.Lines(text) {
		color := ""
		switch {
		case line[0] == '@':
			color = "\x1b[36m"
			inHunk = true
		case !inHunk:
			color = "\x1b[1m"
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
