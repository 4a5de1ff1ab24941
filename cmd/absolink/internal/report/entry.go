// Package report describes the outcome of a run. It has an [Entry] for each input, for each message
// of a mailbox and for each record of a web archive. [Totals] is their sum. The JSON lines of
// --report are entries.
//
// An entry has six parts. These packages set each part:
//
//	Subject   the input or item        run and container, when they open it
//	Result    the outcome and reason   the command, and run if it fails
//	Items     messages and records     container
//	Links     counts of links          links, list
//	Edits     counts of edits          write
//	Problems  messages to the user     all of them
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

// Entry describes the outcome of one input, or of one item of a container. The entry of a container
// counts neither links nor edits: the entries of its items do. The zero value is empty.
type Entry struct {
	Subject  Subject
	Result   Result
	Items    Items
	Links    Links
	Edits    Edits
	Problems Problems

	Seconds  float64 // time of the work
	Progress int64   // stored bytes of the input that are finished with this entry, for the progress bar

	// UnitEnd is the unit that ends here, or nil. If it is set, the entry describes no input. All
	// inputs of the unit came before it.
	UnitEnd *unit.Unit
}

// FailWrite sets the outcome after an error of writing: Refused for a *[files.Refusal], and
// otherwise Failed. It sets Edits.Links to 0.
func (e *Entry) FailWrite(err error) {
	e.Edits.Links = 0
	var refusal *files.Refusal
	if errors.As(err, &refusal) {
		e.Result.Refuse(err)
		return
	}
	e.Result.Fail(err)
}

// Failure returns the reason if the input was lost. Otherwise it returns the first defect, or "".
func (e *Entry) Failure() string {
	if e.Result.Lost() {
		return e.Result.Reason()
	}
	return e.Problems.FirstDefect()
}

// AppendJSON appends the entry as a JSON object on one line.
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
