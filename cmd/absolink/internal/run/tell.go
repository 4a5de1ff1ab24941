package run

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// What a run says of its inputs: an entry of the report and lines on standard error.

// NoteUnresolved notes the links of e, or of its items, that got no absolute URI.
func (r *Run) NoteUnresolved(e *report.Entry, links report.Unresolved) {
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
			" unresolved for want of a base; "+r.basesFor(e)+" gives one")
	}
	if n := links.Suspect; n > 0 {
		e.Problems.Note("", console.Plural(n, "reference is", "references are")+
			" suspect, such as a piece of a template or the name of a part; extract --status suspect --format jsonl "+
			"shows what stays as it is")
	}
}

// basesFor names the flags that give a base to what e is about. Where a message lies is not
// where it was retrieved from.
func (r *Run) basesFor(e *report.Entry) string {
	switch {
	case r.o.Inputs.One():
		return "--base or --default-base"
	case isMail(e.Subject.Kind):
		return "--default-base"
	}
	return "--root DIR=URI or --default-base"
}

// isMail reports whether kind is that of a message, or of what holds some.
func isMail(kind string) bool {
	return slices.Contains([]string{input.Message.String(),
		input.MHTML.String(), input.Emlx.String(), input.Mbox.String()}, kind)
}

// Emit tells what became of one input, or of an item of a container, in their order. out is
// what its results have been written to.
func (r *Run) Emit(e *report.Entry, out io.Writer) {
	for _, m := range e.Items.Entries {
		r.Emit(m, out)
	}
	switch {
	case e.Result.Is(report.Cancelled):
		return
	case e.UnitEnd != nil:
		r.toStream(out, r.o.trailer(nil, &r.stream, e.UnitEnd))
		return
	}
	r.tell(e)
	r.retrieving.Load().follow()
	r.Totals.Add(e)
	if r.o.Told != nil {
		r.o.Told(e)
	}
	if r.account.report != nil {
		if _, err := r.account.report.Write(e.AppendJSON(nil)); err != nil {
			r.Console.Printf("--report: %v", err)
			r.Totals.Fault()
			r.account.report.Close()
			r.account.report = nil
		}
	}
	if r.o.Stream && r.o.Report == "-" {
		r.toStream(out, appendReport(nil, e))
	}
	r.dead(e, out)
	r.stream.add(e)
	r.Console.Done(e.Subject.Inner != "", e.Step, e.Problems.Len())
}

// tell prints the lines of one input.
func (r *Run) tell(e *report.Entry) {
	switch e.Result.Outcome() {
	case report.Failed, report.Refused:
		r.Console.Printf("%s: %s", e.Subject.Name(), e.Result.Reason())
	case report.Skipped:
		if r.o.Verbose {
			r.Console.Printf("%s: skipped: %s", e.Subject.Name(), e.Result.Reason())
		}
	case report.Copied:
		if r.o.Verbose {
			r.Console.Printf("%s: copied: %s", e.Subject.Name(), e.Result.Reason())
		}
	}
	if r.o.Quiet {
		return
	}
	if e.Subject.Whole && !r.whole[e.Subject.Source] {
		if r.whole == nil {
			r.whole = make(map[string]bool)
		}
		r.whole[e.Subject.Source] = true
		r.Console.Printf("%s: the server does not know ranges: the whole file is retrieved for each unit",
			e.Subject.Source)
	}
	for _, p := range e.Problems.All() {
		if p.Common {
			r.common++
		}
		if !p.Common || r.common <= maxCommon || r.o.Verbose {
			r.tellProblem(e, p)
		}
	}
	if r.o.Verbose {
		for _, p := range e.Problems.Left() {
			r.tellProblem(e, p)
		}
	}
	if e.Problems.Dropped() > 0 {
		r.Console.Printf("%s: %d more problems", e.Subject.Name(), e.Problems.Dropped())
	}
}

// maxCommon is how many problems that are Common are told without -v.
const maxCommon = 10

// tellProblem prints the line of one problem.
func (r *Run) tellProblem(e *report.Entry, p report.Problem) {
	if p.Line == 0 {
		r.Console.Printf("%s", place(e.Subject.Name(), p))
		return
	}
	text := p.Text
	if p.Part != "" {
		text = "part " + p.Part + ": " + text
	}
	if e.Subject.Inner != "" {
		text = e.Subject.ItemName() + ": " + text
	}
	r.Console.Place(e.Subject.Source, p.Line, p.Column, text)
}

// place writes a problem with where it is.
func place(source string, p report.Problem) string {
	s := source
	if p.Part != "" {
		s += ": part " + p.Part
	}
	if p.Offset >= 0 {
		s += ": offset " + strconv.FormatInt(p.Offset, 10)
	}
	return s + ": " + p.Text
}

// A value that is mistyped matches nothing, and an empty result looks like an answer: what
// the command line asks for and no input had is said when a run has ended.

// sayUnmatched says what was asked for and not found.
func (r *Run) sayUnmatched() {
	if r.o.Quiet || r.o.Inputs.Units != "" || r.o.Inputs.Shard.N > 0 {
		return // what one of many processes has not, another may have
	}
	choices := r.command.Unmatched()
	for _, text := range slices.Concat(r.o.Inputs.Unmatched(), choices) {
		r.Console.Printf("%s", text)
	}
	if t := &r.Totals.Found.Templates; t.N > 0 {
		done := "left out"
		if r.o.Copies {
			done = "copied as written"
		}
		r.Console.Printf("%s whose type neither the name nor the beginning tells, %s: %s; --type html with --include "+
			"reads such files", console.Plural(t.N, "template", "templates"), done, t)
	}
	if n := r.common - maxCommon; n > 0 && !r.o.Verbose {
		r.Console.Printf("%s otherwise than named; -v names each",
			console.Plural(n, "more file begins", "more files begin"))
	}
	others := &r.Totals.Found.Other
	if others.N > 0 && others.N == r.Totals.Inputs.N && slices.ContainsFunc(r.o.Inputs.Args(), input.IsDir) {
		r.Console.Printf("no document, message, mailbox or archive among %s (%s); -v names them, --type T reads them "+
			"as that kind", console.Plural(others.N, "file", "files"), others)
	}
	if t := &r.Totals; r.o.More != nil && len(choices) == 0 &&
		t.Links.ByStatus.Sum() == 0 && t.Found.Read.N > 0 && t.Problems == 0 {
		read := console.Plural(t.Found.Read.N, "document or message", "documents and messages")
		text := fmt.Sprintf("no reference in %s (%s)", read, &t.Found.Read)
		switch flags := r.o.More(); len(flags) {
		case 0:
		case 1:
			text += "; " + flags[0] + " looks in more places"
		default:
			last := len(flags) - 1
			text += "; " + strings.Join(flags[:last], ", ") + " and " + flags[last] + " look in more places"
		}
		r.Console.Printf("%s", text)
	}
}
