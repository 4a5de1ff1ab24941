package account

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// Doubt prints messages about values of the flag that look wrong. The run goes on, and each message
// counts as a problem and a defect.
func (a *Account) Doubt(flag string, messages []string) {
	for _, text := range messages {
		a.Totals.Problems++
		a.Totals.AddFault()
		if !a.o.Quiet {
			a.Console.Printf("%s: %s", flag, text)
		}
	}
}

// NoteUnresolved adds notes to e about links without an absolute URI and links whose target is
// unknown. links counts them, in e and in its items.
func (a *Account) NoteUnresolved(e *report.Entry, links report.Unresolved) {
	if n := links.MissingParts; n > 0 {
		e.Problems.Note("", console.Plural(n, "cid: link names", "cid: links name")+
			" no part of the message; extract --format jsonl shows them with the warning missing-part")
	}
	if n := links.UnusableBases.N; n > 0 {
		noteFirst(e, links.UnusableBases.First, n,
			" is unresolved: "+links.UnusableBases.Reason+"; "+a.otherBase()+" another base")
	}
	if n := links.WithoutBase; n > 0 {
		noteFirst(e, links.First, n, " is relative, and "+a.addBase(e))
	}
	if n := links.Suspect; n > 0 {
		e.Problems.Note("", console.Plural(n,
			"link looks like a piece of a template or the name of a part, and is never changed",
			"links look like pieces of a template or names of parts, and are never changed")+
			"; extract --status suspect --format jsonl shows them")
	}
	if n := links.Wrapped; n > 0 {
		e.Problems.Note("", console.Plural(n, "link stays wrapped: its target cannot be read",
			"links stay wrapped: their targets cannot be read")+
			"; extract --unwrap --format jsonl shows them with the warning wrapped")
	}
}

// otherBase returns a hint such as "--force-base gives", to which the caller adds "another base".
func (a *Account) otherBase() string {
	if a.o.ByClient {
		return "--force-base, a flag of the whole process, gives all documents"
	}
	return "--force-base gives"
}

// noteFirst adds to e a note about n links. The note has the first link, then text, then the number
// of the other links.
func noteFirst(e *report.Entry, first *report.Unlinked, n int, text string) {
	p := report.Problem{Offset: -1, Minor: true, Text: "a link" + text}
	if first != nil {
		p.Text = shown(first.Value) + text
		if first.Line > 0 {
			p.Offset = first.Offset
			p.Line = first.Line
			p.Column = first.Column
		}
		switch {
		case first.Item == "":
			p.Part = first.Part
		case first.Part == "":
			p.Text = first.Item + ": " + p.Text
		default:
			p.Text = first.Item + " part " + first.Part + ": " + p.Text
		}
	}
	if n > 1 {
		p.Text += " (+" + strconv.Itoa(n-1) + " more)"
	}
	e.Problems.Add(p)
}

// shown returns a link as it is, or quoted if its end could be taken for text of the message.
func shown(link string) string {
	if link == "" || !utf8.ValidString(link) || strings.ContainsFunc(link, unicode.IsSpace) ||
		strings.ContainsAny(link, "\"\\") {
		return strconv.Quote(link)
	}
	return link
}

// addBase says that the base of e is unknown, and the flag that gives one. It does not offer --root
// for mail: the directory of a message says nothing about its sender.
func (a *Account) addBase(e *report.Entry) string {
	mail := []string{input.Message.String(), input.MHTML.String(), input.Emlx.String(), input.Mbox.String()}
	if slices.Contains(mail, e.Subject.Kind) {
		return "the message names no base. Add --default-base https://…"
	}
	unknown := "the address of the file is unknown. "
	if e.Subject.Kind == input.HTML.String() {
		unknown = "the address of the page is unknown. "
	}
	switch {
	case a.o.ByClient:
		return unknown + `Give "url" in the frame, or --default-base https://…`
	case a.inputs.IsSingle():
		return unknown + "Add --base https://…"
	}
	return unknown + "Add --root DIR=https://…"
}
