package manual

import (
	"regexp"
	"strings"
	"sync"

	"absolink/cmd/absolink/help"
)

// markdown writes a topic of help: headings as subsections, tables as lists of terms, and fences
// without filling their lines.
func (w *roff) markdown(text string) {
	for block := range help.Blocks(text) {
		first := block[0]
		switch {
		case first == "":
		case strings.HasPrefix(first, "```"):
			w.fence(block[1:])
		case strings.HasPrefix(first, "#"):
			w.printf(".SS \"")
			w.text(strings.ReplaceAll(plain(strings.TrimLeft(first, "# ")), `"`, `""`))
			w.printf("\"\n")
		case strings.HasPrefix(first, "|"):
			w.table(block)
		case strings.HasPrefix(first, "- "):
			w.printf(".IP \\(bu 2\n")
			w.text(plain(strings.TrimPrefix(strings.Join(block, "\n"), "- ")) + "\n")
		default:
			w.printf(".PP\n")
			w.text(plain(strings.Join(block, "\n")) + "\n")
		}
	}
}

// fence writes the lines of a fence, indented.
func (w *roff) fence(lines []string) {
	if n := len(lines) - 1; n >= 0 && lines[n] == "```" {
		lines = lines[:n]
	}
	w.printf(".PP\n.RS 2\n")
	w.verbatim(strings.Join(lines, "\n"))
	w.printf(".RE\n")
}

// table writes each row as a term, the first cell, and its meaning, the other cells. It leaves out
// the line below the header, and an empty header.
func (w *roff) table(lines []string) {
	for _, line := range lines {
		cells := help.Cells(line)
		if strings.Trim(line, "|-: ") == "" {
			continue
		}
		var meaning []string
		for _, c := range cells[1:] {
			if c != "" {
				meaning = append(meaning, plain(c))
			}
		}
		w.printf(".TP\n.B ")
		w.text(plain(cells[0]) + "\n")
		w.text(strings.Join(meaning, "; ") + "\n")
	}
}

// markup matches code, bold text and links of Markdown.
var markup = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("`([^`]+)`|\\*\\*([^*]+)\\*\\*|\\[([^]]+)\\]\\(([^)]+)\\)")
})

// plain returns a text of Markdown without its marks.
func plain(text string) string {
	pattern := markup()
	return pattern.ReplaceAllStringFunc(text, func(s string) string {
		m := pattern.FindStringSubmatch(s)
		if m[3] != "" {
			return m[3] + " (" + m[4] + ")"
		}
		return m[1] + m[2]
	})
}
