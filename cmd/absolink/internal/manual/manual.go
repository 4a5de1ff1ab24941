// Package manual writes the pages of the manual: one for each command and each topic of help. They
// use the macros of man(7), which every man program knows. A paragraph with an indented line keeps
// its line breaks, and other paragraphs are filled.
//
//	manual.go    a page
//	markdown.go  the Markdown of topics
//	command.go   the pages of the commands and the topics
package manual

import (
	"fmt"
	"strings"
)

// Page is a page of the manual. Sections without content are left out.
type Page struct {
	Name     string // such as absolink-extract
	Section  int    // 1 for commands, 7 for topics
	Date     string // such as 2026-01-02
	Version  string // of the program
	Short    string // one line, after the name
	Synopsis string
	Text     string // paragraphs, separated by empty lines; a paragraph with an indented line keeps its lines
	Guide    string // a topic in Markdown without its title: behind Text, or behind the flags of a command
	Groups   []Group
	Examples string   // keeps its lines
	See      []string // other pages, such as absolink(1)
}

// Group is a list of terms with a heading.
type Group struct {
	Heading string
	Terms   []Term
}

// Term is a flag or a command and its meaning.
type Term struct{ Term, Meaning string }

// AppendTo appends the page.
func (p *Page) AppendTo(dst []byte) []byte {
	w := roff{dst}
	w.printf(".TH %q %d %q %q %q\n", strings.ToUpper(p.Name), p.Section, p.Date, "absolink "+p.Version, "absolink")
	w.heading("NAME")
	w.text(p.Name + " - " + p.Short + "\n")
	if p.Synopsis != "" {
		w.heading("SYNOPSIS")
		w.text(p.Synopsis + "\n")
	}
	w.heading("DESCRIPTION")
	if p.Text != "" {
		w.paragraphs(p.Text)
	} else {
		w.markdown(p.Guide)
	}
	for _, g := range p.Groups {
		w.group(g)
	}
	if p.Text != "" && p.Guide != "" {
		w.heading("GUIDE")
		w.markdown(p.Guide)
	}
	if p.Examples != "" {
		w.heading("EXAMPLES")
		w.verbatim(p.Examples)
	}
	if len(p.See) > 0 {
		w.heading("SEE ALSO")
		w.text(strings.Join(p.See, ", ") + "\n")
	}
	return w.b
}

// roff collects the text of a page.
type roff struct{ b []byte }

func (w *roff) printf(format string, a ...any) { w.b = fmt.Appendf(w.b, format, a...) }

func (w *roff) heading(name string) { w.printf(".SH %q\n", strings.ToUpper(name)) }

// text writes lines, and escapes macros and special characters in them.
func (w *roff) text(s string) {
	for line := range strings.Lines(s) {
		line = strings.ReplaceAll(line, `\`, `\e`)
		line = strings.NewReplacer("-", `\-`, "^", `\(ha`, "~", `\(ti`, "`", `\(ga`).Replace(line)
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			w.printf(`\&`)
		}
		w.printf("%s", strings.ReplaceAll(line, "'", `\(aq`))
	}
}

// verbatim writes s without filling its lines.
func (w *roff) verbatim(s string) {
	w.printf(".nf\n")
	w.text(strings.TrimRight(s, "\n") + "\n")
	w.printf(".fi\n")
}

// paragraphs writes the paragraphs of s. It fills a paragraph unless the paragraph has an indented
// line or two spaces in a row.
func (w *roff) paragraphs(s string) {
	for para := range strings.SplitSeq(strings.Trim(s, "\n"), "\n\n") {
		w.printf(".PP\n")
		if strings.HasPrefix(para, " ") || strings.Contains(para, "\n ") || strings.Contains(para, "  ") {
			w.verbatim(para)
		} else {
			w.text(para + "\n")
		}
	}
}

func (w *roff) group(g Group) {
	if len(g.Terms) == 0 {
		return
	}
	w.heading(g.Heading)
	for _, t := range g.Terms {
		w.printf(".TP\n.B ")
		w.text(t.Term + "\n")
		w.text(t.Meaning + "\n")
	}
}
