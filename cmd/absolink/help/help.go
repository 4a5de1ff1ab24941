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

// aliases maps other names of topics to topics. Names of earlier versions are among them.
var aliases = map[string]string{
	"layers": "base", "relative": "sites",
	"mbox": "mail", "eml": "mail", "maildir": "mail", "imap": "mail", "dkim": "mail", "outlook": "mail",
	"site": "sites", "disk": "sites", "redirects": "sites", "redirect": "sites", "readme": "sites",
	"move": "sites", "migrate": "sites", "mirror": "sites", "offline": "sites",
	"mhtml": "rescue", "mht": "rescue", "wayback": "rescue", "unwayback": "rescue",
	"undo": "safety", "journal": "safety", "resume": "safety", "backup": "safety", "symlinks": "safety",
	"warc": "crawls", "arc": "crawls", "wacz": "crawls", "wat": "crawls", "robots": "crawls", "urls": "crawls",
	"python": "pipe",
	"json":   "links", "jsonl": "links", "csv": "links", "tsv": "links", "arrow": "links", "kinds": "links",
	"kind": "links", "records": "links", "record": "links", "filters": "links", "reports": "links",
	"parquet": "links", "pandas": "links",
	"spark": "units", "parallel": "units", "slurm": "units", "dask": "units", "hadoop": "units",
	"constructs": "places", "html": "places", "css": "places", "xml": "places", "markdown": "places",
	"text": "places", "sitemap": "places", "charset": "places", "charsets": "places", "gzip": "places",
	"rfc": "rules", "whatwg": "rules",
	"exit": "errors", "error": "errors", "messages": "errors", "status": "errors",
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
	if topic, ok := aliases[name]; ok {
		name = topic
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
