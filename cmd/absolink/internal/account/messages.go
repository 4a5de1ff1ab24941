package account

import (
	"slices"
	"strconv"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// Doubt names values of a flag that look wrong. The run goes on, and each counts as a defect.
func (a *Account) Doubt(flag string, texts []string) {
	for _, text := range texts {
		a.Totals.Problems++
		a.Totals.Fault()
		if !a.o.Quiet {
			a.Console.Printf("%s: %s", flag, text)
		}
	}
}

// NoteUnresolved adds notes to e about links of it, or of its items, that got no absolute URI.
func (a *Account) NoteUnresolved(e *report.Entry, links report.Unresolved) {
	if n := links.NoPart; n > 0 {
		e.Problems.Note("", console.Plural(n, "cid: reference names", "cid: references name")+
			" no part of the message; extract --format jsonl shows them with the warning missing-part")
	}
	if n := links.NoBase.N; n > 0 {
		e.Problems.Note("", console.Plural(n, "reference is", "references are")+" unresolved: "+links.NoBase.Why+
			"; --force-base gives another base")
	}
	if n := links.WantBase; n > 0 {
		e.Problems.Note("", console.Plural(n, "reference is", "references are")+
			" unresolved for want of a base; "+a.baseFlags(e)+" gives one")
	}
	if n := links.Suspect; n > 0 {
		e.Problems.Note("", console.Plural(n, "reference is", "references are")+
			" suspect, such as a piece of a template or the name of a part; extract --status suspect --format jsonl "+
			"shows what stays as it is")
	}
}

// baseFlags names the flags that give a base to the subject of e. A --root gives none to mail: the
// directory of a message says nothing about its sender.
func (a *Account) baseFlags(e *report.Entry) string {
	mail := []string{input.Message.String(), input.MHTML.String(), input.Emlx.String(), input.Mbox.String()}
	switch {
	case a.inputs.One():
		return "--base or --default-base"
	case slices.Contains(mail, e.Subject.Kind):
		return "--default-base"
	}
	return "--root DIR=URI or --default-base"
}

// maxCommon is how many problems that are Common are named without -v.
const maxCommon = 10

// print prints the lines of an entry on standard error.
func (a *Account) print(e *report.Entry) {
	switch o := e.Result.Outcome(); o {
	case report.Failed, report.Refused:
		a.Console.Printf("%s: %s", e.Subject.Name(), e.Result.Reason())
	case report.Skipped, report.Copied:
		if a.o.Verbose {
			a.Console.Printf("%s: %s: %s", e.Subject.Name(), o, e.Result.Reason())
		}
	}
	if a.o.Quiet {
		return
	}
	if source := e.Subject.Source; e.Subject.Whole && !a.unknown[source] {
		if a.unknown == nil {
			a.unknown = make(map[string]bool)
		}
		a.unknown[source] = true
		a.Console.Printf("%s: the server does not know ranges: the whole file is retrieved for each unit", source)
	}
	for _, p := range e.Problems.All() {
		if p.Common {
			a.common++
		}
		if !p.Common || a.common <= maxCommon || a.o.Verbose {
			a.printProblem(&e.Subject, p)
		}
	}
	if a.o.Verbose {
		for _, p := range e.Problems.Left() {
			a.printProblem(&e.Subject, p)
		}
	}
	if n := e.Problems.Dropped(); n > 0 {
		a.Console.Printf("%s: %d more problems", e.Subject.Name(), n)
	}
}

// printProblem prints the line of a problem. It begins with FILE:LINE:COLUMN if the line is known.
func (a *Account) printProblem(s *report.Subject, p report.Problem) {
	text := p.Text
	if p.Line == 0 && p.Offset >= 0 {
		text = "offset " + strconv.FormatInt(p.Offset, 10) + ": " + text
	}
	if p.Part != "" {
		text = "part " + p.Part + ": " + text
	}
	if p.Line == 0 {
		a.Console.Printf("%s: %s", s.Name(), text)
		return
	}
	if s.Inner != "" {
		text = s.ItemName() + ": " + text
	}
	a.Console.Place(s.Source, p.Line, p.Column, text)
}
