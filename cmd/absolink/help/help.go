// Package help has the topics of "absolink help TOPIC", each a Markdown file of this folder, and
// renders them for a terminal or a file.
//
// A new topic is a new file NAME.md and a row in order. The first line of the file is "# NAME:
// SUBJECT". Examples stand in fences of the kind "console": a test runs each command, which begins
// with "$ " and goes on in the next line after a backslash, and compares the output, in a new
// directory for each topic. A line "<!-- NAME -->" stands for a text that another file of this
// package makes (generated). The files serve.md and clauses.md are no topics: they belong to
// "absolink serve --help" and "absolink help rules --clauses".
package help

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed *.md
var files embed.FS

// order holds the names of the topics: guides first, then reference.
var order = []string{"start", "base", "mail", "sites", "rescue", "safety", "crawls", "pipe", "links", "units", "places",
	"rules", "errors"}

// aliases lists other names of topics. Names of earlier versions are among them.
var aliases = [...]struct{ topic, names string }{
	{"base", "layers"},
	{"mail", "mbox eml maildir imap dkim outlook"},
	{"sites", "relative site disk redirects redirect readme move migrate mirror offline"},
	{"rescue", "mhtml mht wayback unwayback"},
	{"safety", "undo journal resume backup symlinks"},
	{"crawls", "warc arc wacz wat robots urls"},
	{"pipe", "python"},
	{"links", "json jsonl csv tsv arrow kinds kind records record filters reports parquet pandas"},
	{"units", "spark parallel slurm dask hadoop"},
	{"places", "constructs html css xml markdown text sitemap charset charsets gzip"},
	{"rules", "rfc whatwg"},
	{"errors", "exit error messages status"},
}

// generated maps names to the functions that make texts from the tables of the program.
var generated = map[string]func() string{
	"clauses": clauses,
	"kinds":   kinds,
	"places":  places,
}

// Topic is one topic of help.
type Topic struct {
	Name  string // name behind "absolink help"
	Short string // subject in a few words without a full stop
	text  string
}

// Topics returns all topics: guides first, then reference.
func Topics() []Topic {
	var all []Topic
	for _, name := range order {
		all = append(all, read(name))
	}
	return all
}

// Find returns the topic with a name or an alias. It returns false if there is no such topic.
func Find(name string) (Topic, bool) {
	for _, a := range aliases {
		if slices.Contains(strings.Fields(a.names), name) {
			name = a.topic
		}
	}
	if !slices.Contains(order, name) {
		return Topic{}, false
	}
	return read(name), true
}

// Clauses returns the topic of "absolink help rules --clauses".
func Clauses() Topic { return read("clauses") }

// read returns the topic in the file of a name.
func read(name string) Topic {
	text, err := files.ReadFile(name + ".md")
	if err != nil {
		panic(err) // a name in order has no file
	}
	t := Topic{Name: name, text: string(text)}
	first, _, _ := strings.Cut(t.text, "\n")
	t.Short = strings.TrimPrefix(first, "# "+name+": ")
	return t
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
