package report

import (
	"errors"
	"io/fs"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
)

// Outcome says how the work on an input or item ended.
type Outcome string

// The outcomes.
const (
	Listed    Outcome = "listed"    // its references or its bases were printed
	Rewritten Outcome = "rewritten" // it was written with edits, or would be without --dry-run or --diff
	Unchanged Outcome = "unchanged" // it needed no edit
	Copied    Outcome = "copied"    // it was copied unchanged, because absolink does not edit it; the reason says why
	Skipped   Outcome = "skipped"   // it was left out
	Refused   Outcome = "refused"   // it was not written, because something would be lost
	Failed    Outcome = "failed"    // it could not be read or written
	Restored  Outcome = "restored"  // an undo has put its old bytes back, or would without --dry-run
)

// outcomes are all outcomes, in the order of the summary.
var outcomes = [...]Outcome{Listed, Rewritten, Unchanged, Copied, Skipped, Refused, Failed, Restored}

// Class is a set of the constants below, which classify the reason of an outcome. The exit status
// and the messages of a run depend on it.
type Class uint8

// The classes.
const (
	Usage       Class = 1 << iota // the command line is wrong
	Missing                       // a file does not exist
	Unavailable                   // the input was not read to its end; another attempt may succeed
	Cancelled                     // the run was interrupted before the input was done
	Backup                        // the input is the backup of a file beside it
	// the input has the name of a template, and its content shows no known file type
	Template
)

// Result is the outcome of an input, with its reason. A new Result has no outcome.
type Result struct {
	outcome Outcome
	reason  string
	class   Class
}

// Outcome returns the outcome.
func (r *Result) Outcome() Outcome { return r.outcome }

// Reason returns the reason of the outcome: why the input was skipped, copied or refused, or why it
// failed. It is also the reason why an input was not read to its end. It is "" if there is none.
func (r *Result) Reason() string { return r.reason }

// HasClass reports whether the reason belongs to the class c.
func (r *Result) HasClass(c Class) bool { return r.class&c != 0 }

// Lost reports whether the input was not read, or not written.
func (r *Result) Lost() bool { return r.outcome == Failed || r.outcome == Refused }

// SetOutcome sets the outcome and keeps the reason. For example, an input that [Result.Skip] has
// skipped may then be copied: it keeps the reason why it was skipped.
func (r *Result) SetOutcome(o Outcome) { r.outcome = o }

// Skip sets the outcome to Skipped, and the reason.
func (r *Result) Skip(reason string) {
	r.outcome = Skipped
	r.reason = reason
}

// AddClass adds c to the classes of the reason.
func (r *Result) AddClass(c Class) { r.class |= c }

// CutShort sets the reason why the input was not read to its end, and adds the class Unavailable.
// It keeps the outcome.
func (r *Result) CutShort(reason string) {
	r.reason = reason
	r.class |= Unavailable
}

// Fail sets the outcome to Failed after an error of reading or writing. It adds the class
// Unavailable, unless the error says that the data are damaged: another attempt would find the same
// damage.
func (r *Result) Fail(err error) {
	r.fail(Failed, err)
	var damaged *coding.Error
	var zipped *input.ZipError
	if !errors.As(err, &damaged) && !errors.As(err, &zipped) {
		r.class |= Unavailable
	}
}

// FailUnread sets the outcome to Failed for a file that could not be found or read. It always adds
// the class Unavailable.
func (r *Result) FailUnread(err error) {
	r.fail(Failed, err)
	r.class |= Unavailable
}

// FailForGood sets the outcome to Failed after an error that another attempt would meet again.
func (r *Result) FailForGood(err error) { r.fail(Failed, err) }

// Refuse sets the outcome to Refused, and the reason to the text of err.
func (r *Result) Refuse(err error) { r.fail(Refused, err) }

// fail sets the outcome, and the reason to the text of err. It removes the class Unavailable. It
// sets the class Missing if a file does not exist, and otherwise removes it.
func (r *Result) fail(o Outcome, err error) {
	r.outcome = o
	r.reason = err.Error()
	r.class &^= Missing | Unavailable
	if errors.Is(err, fs.ErrNotExist) {
		r.class |= Missing
	}
}

// Rephrase replaces the reason by a better text, and keeps the outcome and the class.
func (r *Result) Rephrase(reason string) { r.reason = reason }

// appendMembers appends the members of r to an object of JSON.
func (r *Result) appendMembers(o record.Object) record.Object {
	return o.String("outcome", string(r.outcome)).String("reason", r.reason)
}
