// Package report describes the outcome of a run. It has an [Entry] for each input, for each message
// of a mailbox and for each record of a web archive. [Totals] is the sum of the entries. Each JSON
// line of --report is an entry.
//
// An entry has six parts. The last column names the packages that set the part:
//
//	Subject   the input or item        run and container, when they open it
//	Result    the outcome and reason   the package of the command; package run after an error
//	Items     messages and records     container
//	Links     counts of links          links, list
//	Edits     counts of edits          write
//	Problems  messages to the user     all of these packages
//
// Files in reading order: subject.go, result.go, items.go, links.go, edits.go, problem.go (one
// problem and its text), problems.go (all problems of an entry), entry.go, totals.go (the sum of
// entries), input.go (entries of inputs that are not read).
package report

import (
	"errors"
	"strconv"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/unit"
)

// Entry describes the outcome of one input, or of one item of a container. For a container, the
// entries of the items count the links and edits; the entry of the container itself counts none.
// The zero value is empty.
type Entry struct {
	Subject  Subject
	Result   Result
	Items    Items
	Links    Links
	Edits    Edits
	Problems Problems

	Seconds float64 // how long the work took
	// Progress is the number of bytes of the file that were finished since the previous entry of
	// the same input, for the progress bar. For a compressed file it counts compressed bytes.
	Progress int64

	// UnitEnd is nil in the entry of an input or item. An entry with a UnitEnd describes no input:
	// it says only that all inputs of this unit are done. Package unit explains units.
	UnitEnd *unit.Unit
}

// FailWrite sets the outcome after an error of writing: Refused for a *[files.Refusal], and
// otherwise Failed. It also sets Edits.Links, Edits.Broken and Edits.DKIM to 0, because these edits
// were not written.
func (e *Entry) FailWrite(err error) {
	e.Edits.Links = 0
	e.Edits.Broken = 0
	e.Edits.DKIM = 0
	var refusal *files.Refusal
	if errors.As(err, &refusal) {
		e.Result.Refuse(err)
		return
	}
	e.Result.Fail(err)
}

// Failure returns the reason of the outcome if the input was lost: see [Result.Lost]. Otherwise it
// returns the text of the first defect, or "".
func (e *Entry) Failure() string {
	if e.Result.Lost() {
		return e.Result.Reason()
	}
	return e.Problems.FirstDefect()
}

// AppendJSON appends the entry as a JSON object on one line.
func (e *Entry) AppendJSON(dst []byte) []byte {
	o := record.Object(append(dst, '{'))
	o = e.Subject.appendMembers(o)
	o = e.Items.appendMembers(o)
	o = e.Result.appendMembers(o)
	o = e.Links.appendMembers(o)
	o = e.Edits.appendMembers(o)
	o = e.Problems.appendMembers(o).Strings("base_hosts", e.Links.hosts)
	o = o.Raw("seconds", strconv.AppendFloat(nil, e.Seconds, 'f', 6, 64))
	return append(o, "}\n"...)
}
