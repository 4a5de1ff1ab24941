package list

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
)

// The figure of RFC 2396 Section 5.1 has a box for each layer around a document, with its content.

// box is one box of the figure, without the inner box.
type box struct {
	layer string
	lines []string
}

// boxes returns the boxes of a document, the innermost first.
func boxes(steps []base.Step) []box {
	list := []box{
		{"embedded", []string{"(5.1.1 embedded in the content)"}},
		{"encapsulating", []string{"(5.1.2 of the encapsulating entity)"}},
		{"retrieval", []string{"(5.1.3 used to retrieve)"}},
		{"default", []string{"(5.1.4 default of the application)"}},
	}
	for i := range list {
		b := &list[i]
		for _, s := range steps {
			if s.Layer.Source.Box() == b.layer {
				b.lines = append(b.lines, stepLines(s)...)
			}
		}
		if len(b.lines) == 1 {
			b.lines = append(b.lines, "  -")
		}
	}
	return list
}

// appendFigure appends the figure of one document. The step that gives uri, the base, is marked
// with *. Each other step has the reason why it does not give the base.
func appendFigure(dst []byte, title string, steps []base.Step, uri string) []byte {
	lines := append([]string{console.Printable(title)}, drawBoxes(boxes(steps))...)
	for _, s := range steps {
		if s.Layer.Source == base.Forced {
			lines = append(lines, stepLines(s)...)
		}
	}
	if uri == "" {
		lines = append(lines, "base: none", advice(steps), "", "")
	} else {
		lines = append(lines, "base: "+printable(uri), "", "")
	}
	return append(dst, strings.Join(lines, "\n")...)
}

// advice tells the user how to give a base to a document without one. If steps is not empty, the
// document has layers, but none of them gives a base.
func advice(steps []base.Step) string {
	if len(steps) > 0 {
		return "Add --force-base https://… to use another base."
	}
	return "Add --base https://…, the address of the page. For a directory add --root DIR=https://…, for mail " +
		"--default-base https://…"
}

// appendLine appends a line with uri, the base of one document, and the source of from, the layer
// that gives it. from is nil if there is no base.
func appendLine(dst []byte, title, uri string, from *base.Layer) []byte {
	if from == nil {
		return fmt.Appendf(dst, "%s: none\n", console.Printable(title))
	}
	return fmt.Appendf(dst, "%s: %s (%s: %s)\n", console.Printable(title),
		printable(uri), from.Source.Box(), from.Source)
}

// stepLines returns the lines of the figure for one layer.
func stepLines(s base.Step) []string {
	mark := "  "
	if s.Used {
		mark = "* "
	}
	name := s.Layer.Source.String()
	if s.Layer.Source == base.Forced {
		name = "--force-base"
	}
	if s.Layer.Part != "" {
		name += " of part " + s.Layer.Part
	}
	lines := []string{mark + name + ": " + printable(s.Layer.Value)}
	if s.URI != "" && s.URI != s.Layer.Value {
		lines = append(lines, "    = "+printable(s.URI))
	}
	if s.Reason != "" {
		lines = append(lines, "    "+printable(s.Reason))
	}
	return lines
}

// maxShown is the number of characters of a value that are shown. All parts of a message repeat the
// values of the entities around them, so long values would fill the output.
const maxShown = 200

// printable returns a value for the output, without characters that a terminal obeys. It cuts a
// long value, and adds a note.
func printable(value string) string {
	if start, cut := cutLong(value); cut {
		return fmt.Sprintf("%s… (cut, %d bytes in all)", console.Printable(start), len(value))
	}
	return console.Printable(value)
}

// cutLong returns the beginning of a value, at most maxShown characters, and whether the value is
// longer.
func cutLong(value string) (start string, cut bool) {
	n := 0
	for i := range value {
		n++
		if n > maxShown {
			return value[:i], true
		}
	}
	return value, false
}

// drawBoxes returns the lines of the figure. It draws each box inside the next box of list.
func drawBoxes(list []box) []string {
	const sides = len("| ") + len(" |")
	width := 0 // inside the outermost box
	for _, b := range list {
		width += sides
		for _, l := range b.lines {
			width = max(width, utf8.RuneCountInString(l))
		}
	}
	var out []string
	for i, b := range list {
		out = frame(append(out, b.lines...), width-sides*(len(list)-1-i))
	}
	return out
}

// frame draws a box of the given inner width around lines.
func frame(lines []string, width int) []string {
	out := []string{"." + strings.Repeat("-", width+2) + "."}
	for _, l := range lines {
		out = append(out, "| "+l+strings.Repeat(" ", width-utf8.RuneCountInString(l))+" |")
	}
	return append(out, "`"+strings.Repeat("-", width+2)+"'")
}
