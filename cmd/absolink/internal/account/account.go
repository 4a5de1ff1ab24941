// Package account reports the outcome of every input of a run. Only [Account.Report] tells the user
// about outcomes. It gets the entry of each input, and of each item of a container, in their order.
// From the entries it writes
//
//   - the lines on standard error,
//   - a line of --report,
//   - the unit of a failed input, for --dead-letter and --stream,
//   - the trailer of a unit of --stream,
//   - the totals, which give the summary ([Account.Close]) and the exit status ([Account.Status]).
//
// A unit is a file or a range of a file that a run can read on its own: see package unit. A
// container is a mailbox or a web archive, and its items are messages or records.
//
// A run goes through these steps:
//
//	a, err := account.New(&options, &inputs, os.Stdin, os.Stdout, os.Stderr)
//	err = a.Open()             // creates the files
//	a.Report(entry, os.Stdout) // for each input
//	err = a.Close(err)         // closes the files and sums up
//	a.PrintHints(unmatched)
//	status := a.Status(strict)
//
// Files in reading order: options.go, files.go (--report, and files that would be written twice),
// letter.go (--dead-letter), edges.go (--edges), stream.go, messages.go (lines on standard error),
// account.go, note.go (doubtful flags, and notes about unresolved links), closing.go (the summary,
// the exit status and the hints at the end).
package account

import (
	"io"
	"io/fs"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/source"
	"absolink/cmd/absolink/internal/unit"
)

// Account reports the outcomes of one run, and adds them up.
type Account struct {
	Console *console.Console
	Totals  report.Totals // of the reported entries

	o           *Options
	inputs      *source.Set
	outputs     outputs
	reportFile  reportFile
	deadLetters deadLetters
	stream      stream
	printer     printer
}

// New returns the account of a run over inputs. in is standard input. The account keeps o, which
// must not change afterwards. The error is a *[flag.Error] if an output is also an input or another
// output.
func New(o *Options, inputs *source.Set, in io.Reader, stdout, stderr io.Writer) (*Account, error) {
	if err := o.check(inputs, in, stdout); err != nil {
		return nil, err
	}
	bar := console.IsTerminal(stderr) && !(o.ResultsOnStdout && console.IsTerminal(stdout))
	a := &Account{o: o, inputs: inputs, Console: console.New(stderr, "absolink", o.Progress, bar)}
	a.Reset(stdout)
	return a, nil
}

// Reset empties the account after a run, for another run with the same options.
func (a *Account) Reset(stdout io.Writer) {
	*a = Account{o: a.o, inputs: a.inputs, Console: a.Console, outputs: outputs{stdout: stdout},
		stream: stream{o: &a.o.Stream}, printer: printer{console: a.Console, o: &a.o.Messages}}
}

// Open creates the files of the account, and empties an earlier report of the same name. The error
// is a *[flag.Error].
func (a *Account) Open() error {
	if !a.reportsInStream() {
		if err := a.reportFile.open(a.o.Report, &a.outputs); err != nil {
			return err
		}
	}
	return a.deadLetters.open(a.o.DeadLetter, a.inputs.UnitsFormat == unit.Lines, &a.outputs)
}

// reportsInStream reports whether the report is part of the stream.
func (a *Account) reportsInStream() bool { return a.o.Stream.On && a.o.Report == "-" }

// ClaimOutput registers an open file as an output, so that no other output is the same file. name
// is the name that the user gave, and role describes the output in messages. The error is a
// *[flag.Error] if the file is already another output.
func (a *Account) ClaimOutput(name, role string, stat func() (fs.FileInfo, error)) error {
	return a.outputs.add(name, role, stat)
}

// Report reports the outcome of an input, or of an item of a container. The caller must report the
// entries in the order of the inputs, and a container after its items. With --stream, out is the
// stream. It already has the results of the input. Report ignores the entry of a cancelled input
// and of its items, as if the input had never begun.
func (a *Account) Report(e *report.Entry, out io.Writer) {
	if e.Result.HasClass(report.Cancelled) {
		return
	}
	for _, item := range e.Items.Unreported {
		a.Report(item, out)
	}
	if e.UnitEnd != nil {
		a.stream.writeTrailer(e.UnitEnd, out)
		return
	}
	a.printer.print(e)
	a.Totals.Add(e)
	if a.o.OnReport != nil {
		a.o.OnReport(e)
	}
	if err := a.reportFile.write(e); err != nil {
		a.Console.Printf("--report: %v", err)
		a.Totals.AddFault()
	}
	if a.reportsInStream() {
		a.stream.writeReport(e, out)
	}
	if line, ok := deadLetter(e); ok {
		if err := a.deadLetters.write(e.Subject.Unit, line); err != nil {
			a.Console.Printf("--dead-letter: %v", err)
			a.Totals.Faults = true
		}
		if a.o.Stream.On {
			a.stream.writeDead(e, line, out)
		}
	}
	a.stream.add(e, out)
	a.Console.AddDone(e.Subject.Inner != "", e.Progress, e.Problems.Len())
}
