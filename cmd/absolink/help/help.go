// Package help has the topics of "absolink help TOPIC", each a Markdown file of this folder, and
// renders them for a terminal or a file.
//
// A new topic is a new file NAME.md. Its first line is "# NAME: what it is about". Examples stand
// in fences of the kind "console": a test runs each line that begins with "$ " and compares what is
// printed, in one new directory for each topic. A line "<!-- NAME -->" stands for a text that
// another file of this package makes (generated).
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

// generated has the texts that a topic takes from the tables of the program, by name.
var generated = map[string]func() string{
	"clauses":    clauses,
	"constructs": constructs,
	"keys":       keys,
}

// Topic is one topic of help.
type Topic struct {
	Name  string // what is typed behind "absolink help"
	Short string // what it is about, a few words without a full stop
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

// Find returns the topic of that name, and false if there is none.
func Find(name string) (Topic, bool) {
	for _, t := range Topics() {
		if t.Name == name {
			return t, true
		}
	}
	return Topic{}, false
}

// Markdown returns the whole text of the topic, with what is generated. Its first line is the
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
