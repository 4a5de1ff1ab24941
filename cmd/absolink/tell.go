package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
)

// What a run says of its inputs: an entry of the report and lines on standard error.

// left notes in e the references that no absolute URI could be given to, and how many name
// parts that are missing.
func (r *runner) left(e *report.Entry, links *report.Links, missing int) {
	if missing > 0 {
		e.Note("", console.Plural(missing, "cid: reference names", "cid: references name")+" no part of the message; extract --format jsonl shows them with the warning missing-part")
	}
	if n := links[extract.Unresolved]; n > 0 {
		e.Note("", console.Plural(n, "reference is", "references are")+" unresolved for want of a base; "+r.basesFor(e)+" gives one")
	}
	if n := links[extract.Suspect]; n > 0 {
		e.Note("", console.Plural(n, "reference is", "references are")+" suspect, such as the rest of a template; extract --status suspect --format jsonl shows what stays as it is")
	}
}

// basesFor names the flags that give a base to what e is about. Where a message lies is not
// where it was retrieved from.
func (r *runner) basesFor(e *report.Entry) string {
	switch {
	case r.one:
		return "--base or --default-base"
	case isMail(e.Kind):
		return "--default-base"
	}
	return "--root DIR=URI or --default-base"
}

// isMail reports whether kind is that of a message, or of what holds some.
func isMail(kind string) bool {
	return slices.Contains([]string{input.Message.String(), input.MHTML.String(), input.Mbox.String()}, kind)
}

// namedInvalid is how many invalid references of a document, or message, are named.
const namedInvalid = 3

// noteInvalid names an invalid reference, of many the first ones.
func noteInvalid(d *document.Document, l *extract.Link, e *report.Entry) {
	if e.Links[extract.Invalid] < namedInvalid {
		e.Add(d.Problem(l.Span, fmt.Sprintf("invalid reference %q: %s", clip(l.Value), why(l.Err))))
	}
}

// leftInvalid notes how many more there are.
func leftInvalid(e *report.Entry) {
	if n := e.Links[extract.Invalid] - namedInvalid; n > 0 {
		e.Note("", console.Plural(n, "more reference is", "more references are")+" invalid; extract --status invalid --format jsonl says why")
	}
}

// emit tells what became of one input, or of an item of a container, in their order.
func (r *runner) emit(e *report.Entry) {
	for _, m := range e.Items {
		r.emit(m)
	}
	if e.Cancelled {
		return
	}
	r.tell(e)
	r.totals.Add(e)
	if r.report != nil {
		if _, err := r.report.Write(e.AppendJSON(nil)); err != nil {
			r.con.Printf("--report: %v", err)
			r.totals.Defects = true
			r.report.Close()
			r.report = nil
		}
	}
	r.dead.add(r.con, e)
	r.con.Done(e.Inner != "", e.Step, len(e.Problems)+e.Dropped)
}

// tell prints the lines of one input.
func (r *runner) tell(e *report.Entry) {
	switch e.Outcome {
	case report.Failed, report.Refused:
		r.con.Printf("%s: %s", e.Name(), e.Reason)
	case report.Skipped:
		if r.o.verbose {
			r.con.Printf("%s: skipped: %s", e.Name(), e.Reason)
		}
	case report.Copied:
		if r.o.verbose {
			r.con.Printf("%s: copied: %s", e.Name(), e.Reason)
		}
	}
	if r.o.quiet {
		return
	}
	for _, p := range e.Problems {
		r.tellProblem(e, p)
	}
	if e.Dropped > 0 {
		r.con.Printf("%s: %d more problems", e.Name(), e.Dropped)
	}
}

// tellProblem prints the line of one problem.
func (r *runner) tellProblem(e *report.Entry, p document.Problem) {
	if p.Line == 0 {
		r.con.Printf("%s", place(e.Name(), p))
		return
	}
	text := p.Text
	if p.Part != "" {
		text = "part " + p.Part + ": " + text
	}
	if e.Inner != "" {
		text = strings.TrimPrefix(e.Name(), e.Source+": ") + ": " + text
	}
	r.con.Place(e.Source, p.Line, p.Column, text)
}

// place writes a problem with where it is.
func place(source string, p document.Problem) string {
	s := source
	if p.Part != "" {
		s += ": part " + p.Part
	}
	if p.Offset >= 0 {
		s += ": offset " + strconv.FormatInt(p.Offset, 10)
	}
	return s + ": " + p.Text
}
