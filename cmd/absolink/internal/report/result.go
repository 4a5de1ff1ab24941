package report

import (
	"errors"
	"io/fs"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
)

// Outcome is what became of an input.
type Outcome string

// The outcomes.
const (
	Listed    Outcome = "listed"    // its references, or its bases, were printed
	Rewritten Outcome = "rewritten" // it was written with edits; in a dry run: would have been
	Unchanged Outcome = "unchanged" // nothing in it was to be edited
	Copied    Outcome = "copied"    // it is of a kind or size that is not edited
	Skipped   Outcome = "skipped"   // it was left alone, for the reason given
	Refused   Outcome = "refused"   // writing it would have lost something
	Failed    Outcome = "failed"    // it could not be read or written
	Restored  Outcome = "restored"  // it got its old bytes back
)

// outcomes are all outcomes, in the order in which a summary names them.
var outcomes = []Outcome{Listed, Rewritten, Unchanged, Copied, Skipped, Refused, Failed, Restored}

// Class is a set of classes of reasons.
type Class uint8

// The classes.
const (
	Usage       Class = 1 << iota // the command line is wrong
	Missing                       // a file is not there
	Unavailable                   // it was not read to its end, and may be another time
	Cancelled                     // the run was interrupted before the input was done
	Backup                        // it is the backup of a file beside it
	Template                      // only its name says what it is, the name of a template
)

// Result is the outcome of an input, with its reason. Until one of its methods sets it, there is
// no outcome.
type Result struct {
	outcome Outcome
	reason  string
	class   Class
}

// Outcome returns the outcome.
func (r *Result) Outcome() Outcome { return r.outcome }

// Reason returns why the input was skipped, copied, refused, failed, or not read to its end; "" if
// there is no reason.
func (r *Result) Reason() string { return r.reason }

// Is reports whether the reason is of the class c.
func (r *Result) Is(c Class) bool { return r.class&c != 0 }

// Lost reports whether the input was not read or not written.
func (r *Result) Lost() bool { return r.outcome == Failed || r.outcome == Refused }

// Set sets the outcome. An earlier reason stays: an input that is skipped for a reason is copied
// for the same reason.
func (r *Result) Set(o Outcome) { r.outcome = o }

// Skip makes the outcome Skipped.
func (r *Result) Skip(reason string) {
	r.outcome = Skipped
	r.reason = reason
}

// Mark adds c to the classes of the reason.
func (r *Result) Mark(c Class) { r.class |= c }

// CutShort gives the reason why the input ends too early. The outcome is set later.
func (r *Result) CutShort(reason string) {
	r.reason = reason
	r.class |= Unavailable
}

// Fail makes the outcome Failed, for an error of reading or writing. The class is Unavailable,
// except for damaged data, which another attempt finds damaged again.
func (r *Result) Fail(err error) {
	r.fail(Failed, err)
	var damaged *coding.Error
	var zipped *input.ZipError
	if !errors.As(err, &damaged) && !errors.As(err, &zipped) {
		r.class |= Unavailable
	}
}

// FailUnread makes the outcome Failed, for a file that could not be looked for. The class is
// Unavailable, whatever the error is.
func (r *Result) FailUnread(err error) {
	r.fail(Failed, err)
	r.class |= Unavailable
}

// FailForGood makes the outcome Failed, for an error that another attempt meets again.
func (r *Result) FailForGood(err error) { r.fail(Failed, err) }

// Refuse makes the outcome Refused.
func (r *Result) Refuse(err error) { r.fail(Refused, err) }

func (r *Result) fail(o Outcome, err error) {
	r.outcome = o
	r.reason = err.Error()
	r.class &^= Missing | Unavailable
	if errors.Is(err, fs.ErrNotExist) {
		r.class |= Missing
	}
}

// Rephrase replaces the reason by words that tell a user more. The outcome and the class stay.
func (r *Result) Rephrase(reason string) { r.reason = reason }

func (r *Result) append(o record.Object) record.Object {
	return o.String("outcome", string(r.outcome)).String("reason", r.reason)
}
