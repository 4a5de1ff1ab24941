package account

import (
	"strconv"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/report"
)

// maxCommonNotes is the number of problems marked Common that a run prints without -v.
const maxCommonNotes = 10

// printer prints lines on standard error.
type printer struct {
	console     *console.Console
	o           *Messages
	commonNotes int             // the number of problems marked Common so far
	warned      map[string]bool // sources for which the warning "the server ignores ranges" was printed
}

// print prints the lines of an entry.
func (p *printer) print(e *report.Entry) {
	switch o := e.Result.Outcome(); o {
	case report.Failed, report.Refused:
		p.console.Printf("%s: %s", e.Subject.Name(), e.Result.Reason())
	case report.Skipped, report.Copied:
		if p.o.Verbose {
			p.console.Printf("%s: %s: %s", e.Subject.Name(), o, e.Result.Reason())
		}
	}
	if p.o.Quiet {
		p.printAsked(e)
		return
	}
	if source := e.Subject.Source; e.Subject.Whole && !p.warned[source] {
		if p.warned == nil {
			p.warned = make(map[string]bool)
		}
		p.warned[source] = true
		p.console.Printf("%s: the server ignores ranges: the whole file is retrieved for each unit", source)
	}
	for _, problem := range e.Problems.All() {
		if problem.Common {
			p.commonNotes++
		}
		if !problem.Common || p.commonNotes <= maxCommonNotes || p.o.Verbose {
			p.printProblem(&e.Subject, problem)
		}
	}
	if p.o.Verbose {
		for _, problem := range e.Problems.LeftReferences() {
			p.printProblem(&e.Subject, problem)
		}
	}
	if n := e.Problems.Dropped(); n > 0 {
		p.console.Printf("%s: %d more problems", e.Subject.Name(), n)
	}
}

// printAsked prints the problems that the user has asked for with a flag. --quiet does not hide
// them.
func (p *printer) printAsked(e *report.Entry) {
	asked := false
	for _, problem := range e.Problems.All() {
		if problem.Asked {
			asked = true
			p.printProblem(&e.Subject, problem)
		}
	}
	if n := e.Problems.Dropped(); asked && n > 0 {
		p.console.Printf("%s: %d more problems", e.Subject.Name(), n)
	}
}

// printProblem prints a problem. The line begins with FILE:LINE:COLUMN if the line is known.
func (p *printer) printProblem(s *report.Subject, problem report.Problem) {
	text := problem.Text
	if problem.Line == 0 && problem.Offset >= 0 {
		text = "offset " + strconv.FormatInt(problem.Offset, 10) + ": " + text
	}
	if problem.Part != "" {
		text = "part " + problem.Part + ": " + text
	}
	if problem.Line == 0 {
		p.console.Printf("%s: %s", s.Name(), text)
		return
	}
	if s.Inner != "" {
		text = s.ItemName() + ": " + text
	}
	p.console.PrintAt(s.Source, problem.Line, problem.Column, text)
}
