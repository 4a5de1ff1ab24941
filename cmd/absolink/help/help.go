// Package help has the topics of "absolink help TOPIC", each a Markdown file of this folder, and
// renders them for a terminal or a file.
//
// A new topic is a new file NAME.md. Its first line is "# NAME: SUBJECT". Examples stand in fences
// of the kind "console": a test runs each line that begins with "$ " and compares the output, in a
// new directory for each topic. A line "<!-- NAME -->" stands for a text that another file of this
// package makes (generated).
package help

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed *.md
var files embed.FS

// generated maps names to the functions that make texts from the tables of the program.
var generated = map[string]func() string{
	"clauses":    clauses,
	"constructs": constructs,
	"keys":       keys,
}

// Topic is one topic of help.
type Topic struct {
	Name  string // name behind "absolink help"
	Short string // subject in a few words without a full stop
	text  string
}

// Topics returns all topics, in the order of their names.
func Topics() []Topic {
	names, err := fs.Glob(files, "*.md")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	var all []Topic
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // the file is embedded
		}
		t := Topic{Name: strings.TrimSuffix(path.Base(name), ".md"), text: string(text)}
		first, _, _ := strings.Cut(t.text, "\n")
		t.Short = strings.TrimPrefix(first, "# "+t.Name+": ")
		all = append(all, t)
	}
	return all
}

// Find returns the topic with a name. It returns false if there is no such topic.
func Find(name string) (Topic, bool) {
	for _, t := range Topics() {
		if t.Name == name {
			return t, true
		}
	}
	return Topic{}, false
}

// Markdown returns the whole text of the topic, including generated texts. Its first line is the
// title, "# NAME: SHORT".
func (t Topic) Markdown() string {
	text := t.text
	for name, make := range generated {
		if mark := fmt.Sprintf("<!-- %s -->\n", name); strings.Contains(text, mark) {
			text = strings.Replace(text, mark, make(), 1)
		}
	}
	return text
}
