package help

import (
	"fmt"
	"iter"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Renderer turns Markdown into lines for a terminal or a file. It reads the Markdown of the topics:
// headings, paragraphs, lists, tables, fences, `code`, **strong** and [links](URL). It wraps text,
// but not the content of fences. The zero value puts one word on a line.
type Renderer struct {
	Width int  // of wrapped lines, in characters
	Bold  bool // print headings, code and strong text in bold; otherwise code keeps its backticks
}

// Render returns the text as lines.
func (r Renderer) Render(markdown string) string {
	var b strings.Builder
	for lines := range Blocks(markdown) {
		r.block(&b, lines)
	}
	return b.String()
}

// Blocks returns the blocks of a topic: an empty line, a heading, a paragraph, an item of a list, a
// table or a fence. Each has at least one line.
func Blocks(markdown string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		lines := strings.Split(strings.TrimSuffix(markdown, "\n"), "\n")
		for i := 0; i < len(lines); {
			end := block(lines, i)
			if !yield(lines[i:end]) {
				return
			}
			i = end
		}
	}
}

// block returns the end of the block that begins at lines[i].
func block(lines []string, i int) int {
	first := lines[i]
	end := i + 1
	if strings.HasPrefix(first, "```") {
		for end < len(lines) && lines[end] != "```" {
			end++
		}
		return min(end+1, len(lines))
	}
	if first == "" || strings.HasPrefix(first, "#") {
		return end
	}
	for end < len(lines) && continues(first, lines[end]) {
		end++
	}
	return end
}

// continues reports whether line belongs to the block that begins with first.
func continues(first, line string) bool {
	switch {
	case line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "```"):
		return false
	case strings.HasPrefix(first, "|"):
		return strings.HasPrefix(line, "|")
	}
	return !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "|")
}

// block writes one block.
func (r Renderer) block(b *strings.Builder, lines []string) {
	first := lines[0]
	switch {
	case strings.HasPrefix(first, "```"):
		for _, line := range lines[1:] {
			if line == "```" {
				break
			}
			b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
		}
	case strings.HasPrefix(first, "#"):
		b.WriteString(r.strong(strings.TrimLeft(first, "# ")) + "\n")
	case strings.HasPrefix(first, "|"):
		r.table(b, lines)
	case strings.HasPrefix(first, "- "):
		r.wrap(b, "- ", r.inline(strings.TrimPrefix(strings.Join(lines, " "), "- ")))
	default:
		r.wrap(b, "", r.inline(strings.Join(lines, " ")))
	}
}

// wrap writes head and then text in lines. All lines but the first are indented by the width of
// head.
func (r Renderer) wrap(b *strings.Builder, head, text string) {
	indent := visible(head)
	line, width := head, indent
	for word := range strings.FieldsSeq(text) {
		n := visible(word)
		if width > indent && width+n > r.Width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = strings.Repeat(" ", indent)
			width = indent
		}
		line, width = line+word+" ", width+n+1
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// narrow is the smallest width of the last column of a table, in characters.
const narrow = 30

// table writes the rows of a table. Each column but the last is as wide as its longest cell. If a
// row leaves less than narrow for its last column, that cell begins on a line of its own. If the
// columns of a larger table leave less, each cell is a line, indented under the first.
func (r Renderer) table(b *strings.Builder, lines []string) {
	var rows [][]string
	var widths []int
	for _, line := range lines {
		if strings.Trim(line, "|-: ") == "" {
			continue // the line below the header
		}
		row := Cells(line)
		for i := range row {
			row[i] = r.inline(row[i])
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if n := visible(row[i]); len(row) != 2 || n <= max(r.Width-narrow-2, 8) {
				widths[i] = max(widths[i], n)
			}
		}
		rows = append(rows, row)
	}
	for _, row := range rows {
		if strings.Join(row, "") == "" {
			continue // an empty header
		}
		head, last := "", len(row)-1
		for i, cell := range row[:last] {
			head += cell + strings.Repeat(" ", max(0, widths[i]-visible(cell))+2)
		}
		switch {
		case last == 1 && visible(row[0]) > widths[0]:
			r.wrap(b, "", row[0])
			r.wrap(b, strings.Repeat(" ", widths[0]+2), row[1])
		case last > 1 && visible(head)+narrow > r.Width:
			r.stack(b, row)
		default:
			Renderer{Width: max(r.Width, visible(head)+narrow)}.wrap(b, head, row[last])
		}
	}
}

// stack writes each cell of a row on lines of its own. All cells but the first are indented.
func (r Renderer) stack(b *strings.Builder, row []string) {
	r.wrap(b, "", row[0])
	for _, cell := range row[1:] {
		if cell != "" {
			r.wrap(b, "    ", cell)
		}
	}
}

// Cells returns the cells of a row of a table, which stand between bars. A bar behind a backslash
// belongs to its cell.
func Cells(line string) []string {
	line = strings.ReplaceAll(strings.Trim(line, " "), `\|`, "\x00")
	all := strings.Split(strings.Trim(line, "|"), "|")
	for i, cell := range all {
		all[i] = strings.ReplaceAll(strings.TrimSpace(cell), "\x00", "|")
	}
	return all
}

// inline renders the markup inside a line.
func (r Renderer) inline(text string) string {
	pattern := regexp.MustCompile("`([^`]+)`|\\*\\*([^*]+)\\*\\*|\\[([^]]+)\\]\\(([^)]+)\\)")
	return pattern.ReplaceAllStringFunc(text, func(s string) string {
		m := pattern.FindStringSubmatch(s)
		switch {
		case m[1] != "" && !r.Bold:
			return s
		case m[1] != "":
			return r.strong(m[1])
		case m[2] != "":
			return r.strong(m[2])
		}
		return fmt.Sprintf("%s (%s)", m[3], m[4])
	})
}

const (
	boldOn  = "\x1b[1m"
	boldOff = "\x1b[22m"
)

// strong returns text in bold, word by word, since lines are cut between words.
func (r Renderer) strong(text string) string {
	if !r.Bold {
		return text
	}
	return boldOn + strings.ReplaceAll(text, " ", boldOff+" "+boldOn) + boldOff
}

// visible returns the number of characters of text that a terminal shows.
func visible(text string) int {
	text = strings.ReplaceAll(text, boldOn, "")
	return utf8.RuneCountInString(strings.ReplaceAll(text, boldOff, ""))
}
