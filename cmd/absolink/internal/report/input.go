package report

import (
	"fmt"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
)

// Missed settles e for a file that cannot be had, which is no failure of a lock that
// went while the tree was walked.
func (e *Entry) Missed(f input.File, err error) {
	if f.Unlocked(err) {
		e.Outcome, e.Reason = Skipped, "a lock that was given up"
		return
	}
	e.Fail(Failed, err)
}

// Archives returns the names of the web archives in a WACZ, and notes what is wrong with it: it
// fails, and there are none, if it cannot be read.
func (e *Entry) Archives(in *input.Document) []string {
	names, wrong, err := in.Archives()
	if err != nil {
		e.Fail(Failed, err)
		return nil
	}
	for _, text := range wrong {
		e.Add(Problem{Offset: -1, Text: text})
	}
	return names
}

// Unread settles in e an input that no references are looked for in, and reports whether it is one.
func (e *Entry) Unread(in *input.Document) bool {
	e.Outcome = Skipped
	switch {
	case in.TooLarge:
		e.Reason = "larger than --max-size"
		e.Add(Problem{Offset: -1, Text: TooLarge(in)})
	case in.Kind != input.Other:
		return false
	default:
		e.Reason = in.Why
		e.Template = !in.Named && in.Decision.Reason == input.Template
		switch {
		case in.Decision.Reason == input.Damaged, in.Named && !in.Empty:
			e.Add(Problem{Offset: -1, Text: in.Why})
		case in.Decision.Reason == input.Misnamed:
			e.NoteMisnamed(in)
		case in.Decision.Reason == input.Foreign:
			e.Note("", in.Why)
		}
	}
	return true
}

// NoteMisnamed notes in e that the beginning of in, and not its name, has told its kind.
func (e *Entry) NoteMisnamed(in *input.Document) {
	e.Add(Problem{Offset: -1, Text: in.Why, Minor: true, Common: !in.Named})
}

// TooLarge says how large an input is that is not read for its size.
func TooLarge(in *input.Document) string {
	if in.Coding != coding.None {
		return fmt.Sprintf("expands to %d bytes or more, and --max-size allows fewer: not read", in.Size)
	}
	return fmt.Sprintf("%d bytes are more than --max-size allows: not read", in.Size)
}

// NoteChange notes in e that in was written to while it was read: what was read may be
// partly what it was before.
func (e *Entry) NoteChange(in *input.Document) {
	if in.Changed() {
		e.Add(Problem{Offset: -1, Text: "was changed by another program while it was read"})
	}
}
