package account

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
)

// Status is the outcome of a whole run. It gives the exit status of the program.
type Status uint8

// The statuses. If several apply, Status returns the first of them.
const (
	Done    Status = iota
	Misused        // an output is also an input or another output
	Unread         // a unit could not be read to its end; only for runs with units
	Faulty         // there was a defect; in a run with units, only a defect of something other than an input
	Strict         // a link is unresolved, invalid or dead, and the run is strict
)

// Status returns the outcome of the run. strict selects the status Strict.
func (a *Account) Status(strict bool) Status {
	t := &a.Totals
	units := a.inputs.Units != ""
	switch {
	case t.Class&report.Usage != 0:
		return Misused
	case units && t.Class&report.Unavailable != 0:
		return Unread
	case t.Faults, t.Defects && !units:
		return Faulty
	}
	dead := t.Links.ByStatus[extract.Unresolved] +
		t.Links.ByStatus[extract.Invalid] + t.Links.MissingTargets + t.Edits.Old
	if strict && dead > 0 {
		return Strict
	}
	return Done
}

// Close closes the files that Open created, and prints the summary. err is the error that ended the
// work, or nil. Close returns err, or else the first error of writing records or of closing the
// report.
func (a *Account) Close(err error) error {
	a.deadLetters.close()
	closeErr := a.reportFile.close()
	if err == nil {
		err = a.stream.err
	}
	if err == nil {
		err = closeErr
	}
	if errors.Is(err, context.Canceled) {
		written := "no file is half written"
		if a.o.ResultsOnStdout {
			written = "standard output has the first results only"
		}
		a.Console.Printf("interrupted: %s; %s",
			console.Plural(a.Totals.Inputs.N, "input was done", "inputs were done"), written)
		return err
	}
	wantsSummary := a.o.Summary || a.o.MailSummary && a.Totals.Messages.N > 0
	if a.o.Verbose || wantsSummary && !a.o.Quiet {
		a.Console.Printf("%s", a.Totals.String())
	}
	return err
}

// PrintHints prints hints at the end of a run. First come the arguments that matched nothing in any
// input: a mistyped value matches nothing, and the empty result looks like an answer. unmatched has
// the messages about such values of the command. PrintHints prints nothing if the inputs are units
// or a shard, because other processes have the rest.
func (a *Account) PrintHints(unmatched []string) {
	if a.o.Quiet || a.inputs.Units != "" || a.inputs.Shard.N > 0 {
		return
	}
	for _, text := range slices.Concat(a.inputs.Unmatched(), unmatched) {
		a.Console.Printf("%s", text)
	}
	kinds := &a.Totals.InputKinds
	if n := kinds.Templates.N; n > 0 {
		outcome := "left out"
		if a.o.WritesCopies {
			outcome = "copied as written"
		}
		a.Console.Printf("%s whose type neither the name nor the beginning tells, %s: %s; --type html with --include "+
			"reads such files", console.Plural(n, "template", "templates"), outcome, &kinds.Templates)
	}
	if n := a.printer.commonNotes - maxCommonNotes; n > 0 && !a.o.Verbose {
		a.Console.Printf("%s otherwise than named; -v names each",
			console.Plural(n, "more file begins", "more files begin"))
	}
	if n := kinds.Other.N; n > 0 && n == a.Totals.Inputs.N && slices.ContainsFunc(a.inputs.Args(), input.IsDir) {
		a.Console.Printf("no document, message, mailbox or archive among %s (%s); -v names them, --type T reads them "+
			"as that kind", console.Plural(n, "file", "files"), &kinds.Other)
	}
	if a.o.HelpfulFlags != nil && len(unmatched) == 0 && kinds.Read.N > 0 &&
		a.Totals.Links.ByStatus.Sum() == 0 && a.Totals.Problems == 0 {
		a.Console.Printf("no reference in %s (%s)%s",
			console.Plural(kinds.Read.N, "document or message", "documents and messages"), &kinds.Read,
			flagHint(a.o.HelpfulFlags()))
	}
}

// flagHint returns a hint that the flags look for references in more places. It is "" without
// flags.
func flagHint(flags []string) string {
	last := len(flags) - 1
	switch last {
	case -1:
		return ""
	case 0:
		return fmt.Sprintf("; %s looks in more places", flags[0])
	default:
		return fmt.Sprintf("; %s and %s look in more places", strings.Join(flags[:last], ", "), flags[last])
	}
}
