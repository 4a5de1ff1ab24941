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

// Status is the outcome of a whole run. The exit status of the program depends on it.
type Status uint8

// The statuses. If several problems apply, Status returns the first of them in this order.
const (
	Done    Status = iota
	Misused        // an output would replace an input or another output
	Unread         // a unit could not be read to its end; only in a run over units
	Faulty         // there was a defect; in a run over units, defects of the inputs do not count
	// Strict is only for a strict run: a link is unresolved, invalid or without a target, or
	// --find-old found an old address in the output.
	Strict
)

// Status returns the outcome of the run. It returns Strict only if strict is true.
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
// work, or nil. Close returns err. If err is nil, it returns the first error of writing records or
// of closing the report.
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

// PrintHints prints hints at the end of a run. The first hints name directories without an input,
// patterns that match no file, and flag values that matched nothing: otherwise the empty result of
// a mistyped value looks like an answer. unmatched has the messages about flag values. PrintHints
// prints nothing if the inputs are units or a shard, because other processes have the other inputs.
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
		a.Console.Printf("%s %s, because neither name nor content tells the type: %s; --type html with --include "+
			"reads such files", console.Plural(n, "template was", "templates were"), outcome, &kinds.Templates)
	}
	if n := a.printer.commonNotes - maxCommonNotes; n > 0 && !a.o.Verbose {
		a.Console.Printf("%s; -v names each", console.Plural(n, "more file has content that does not fit the name",
			"more files have content that does not fit the name"))
	}
	if n := kinds.Other.N; n > 0 && n == a.Totals.Inputs.N && slices.ContainsFunc(a.inputs.Args(), input.IsDir) {
		a.Console.Printf("no document, message, mailbox or archive among %s (%s); -v names them, --type T reads them "+
			"as T", console.Plural(n, "file", "files"), &kinds.Other)
	}
	if a.o.HelpfulFlags != nil && len(unmatched) == 0 && kinds.Read.N > 0 &&
		a.Totals.Links.ByStatus.Sum() == 0 && a.Totals.Problems == 0 {
		a.Console.Printf("no link in %s (%s)%s",
			console.Plural(kinds.Read.N, "document or message", "documents and messages"), &kinds.Read,
			flagHint(a.o.HelpfulFlags()))
	}
}

// flagHint returns a hint that the flags look for references in more places. If flags is empty, so
// is the hint.
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
