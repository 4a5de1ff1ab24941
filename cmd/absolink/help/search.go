package help

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	shortest = 3 // letters of a word that is searched
	hits     = 3 // lines of a topic that search shows
)

// search returns the lines of the topics that contain word, in any case, below the names of the
// topics. It returns "" if there are none or the word is too short.
func (r Renderer) search(word string) string {
	if utf8.RuneCountInString(word) < shortest {
		return ""
	}
	var b strings.Builder
	for _, t := range Topics() {
		lines := linesWith(t.Markdown(), word)
		for i, line := range lines {
			if i == hits {
				fmt.Fprintf(&b, "%-8s (+%d more)\n", "", len(lines)-i)
				break
			}
			name := ""
			if i == 0 {
				name = t.Name
			}
			fmt.Fprintf(&b, "%-8s %s\n", name, r.around(line, word))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("There is no topic %q. These topics contain it; absolink help TOPIC prints one.\n\n%s",
		word, b.String())
}

// linesWith returns the lines of a Markdown text that contain word, without marks of code and
// tables.
func linesWith(text, word string) (found []string) {
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.Trim(line, "|#>- \n"), "`", "")
		if indexFold(line, word) >= 0 {
			found = append(found, line)
		}
	}
	return found
}

// around returns the part of line around word that fits behind the name of a topic.
func (r Renderer) around(line, word string) string {
	const name, mark = 9, "…"
	width := r.Width - name
	runes := []rune(line)
	if len(runes) <= width {
		return line
	}
	at := utf8.RuneCountInString(line[:indexFold(line, word)])
	start := max(0, at-width/2)
	end := min(len(runes), start+width-2)
	cut := string(runes[start:end])
	if start > 0 {
		cut = mark + cut
	}
	if end < len(runes) {
		cut += mark
	}
	return cut
}

// indexFold returns the offset of word in line, in any case of ASCII letters, or -1.
func indexFold(line, word string) int {
	for i := 0; i+len(word) <= len(line); i++ {
		if strings.EqualFold(line[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}
