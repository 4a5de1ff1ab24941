// Package report keeps account of a run: one [Entry] per input, per message of a mailbox and per
// record of a web archive, and [Totals], the sum of them. The JSON lines of --report are entries.
//
// An entry has six parts. Each is written by the package that knows it:
//
//	Subject   which input it is        run and container, when they open it
//	Result    the outcome and reason   the command, and run if it fails
//	Items     messages and records     container
//	Links     counts of links          links, list
//	Edits     counts of edits          write
//	Problems  what a user should know  all of them
//
// Files in reading order: subject.go, result.go, items.go, links.go, edits.go, words.go (a problem
// in words), problem.go (the problems of an entry), entry.go, totals.go (the sum of entries),
// input.go (entries of inputs that are not read).
package report

import (
	"errors"
	"strconv"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/unit"
)

// Entry is the account of one input, or of one item of a container. The entry of a container has
// neither links nor edits: its items have them. The zero value is empty.
type Entry struct {
	Subject  Subject
	Result   Result
	Items    Items
	Links    Links
	Edits    Edits
	Problems Problems

	Seconds float64
	Step    int64 // bytes of the source that are done with this entry, for the progress bar

	// UnitEnd is set in an entry about no input: all inputs of this unit came before.
	UnitEnd *unit.Unit
}

// Unwritten turns an error of writing into the outcome: refused for an *[files.Refusal], else
// failed. Nothing is edited then.
func (e *Entry) Unwritten(err error) {
	e.Edits.N = 0
	var refusal *files.Refusal
	if errors.As(err, &refusal) {
		e.Result.Refuse(err)
		return
	}
	e.Result.Fail(err)
}

// Failure returns what went wrong, in words: the reason if the input was lost, else the first
// defect, and "" if there is none.
func (e *Entry) Failure() string {
	if e.Result.Lost() {
		return e.Result.Reason()
	}
	return e.Problems.FirstDefect()
}

// AppendJSON appends the entry as one line.
func (e *Entry) AppendJSON(dst []byte) []byte {
	o := record.Object(append(dst, '{'))
	o = e.Subject.append(o)
	o = e.Items.append(o)
	o = e.Result.append(o)
	o = e.Links.append(o)
	o = e.Edits.append(o)
	o = e.Problems.append(o).Strings("base_hosts", e.Links.hosts)
	o = o.Raw("seconds", strconv.AppendFloat(nil, e.Seconds, 'f', 6, 64))
	return append(o, "}\n"...)
}
