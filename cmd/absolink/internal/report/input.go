package report

import (
	"fmt"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
)

// FailOpen sets the outcome for a file that could not be opened: Failed. For a lock file that
// another program has removed since its directory was read, the outcome is Skipped.
func (e *Entry) FailOpen(f input.File, err error) {
	if f.IsReleasedLock(err) {
		e.Result.Skip("a lock that was given up")
		return
	}
	e.Result.Fail(err)
}

// ListArchives returns the names of the web archives in a WACZ, and adds the problems of the WACZ
// to e. If the WACZ cannot be read, it sets the outcome to Failed and returns nil.
func (e *Entry) ListArchives(in *input.Document) []string {
	names, problems, err := in.Archives()
	if err != nil {
		e.Result.Fail(err)
		return nil
	}
	for _, text := range problems {
		e.Problems.Add(Problem{Offset: -1, Text: text})
	}
	return names
}

// SkipUnread returns true if in is not searched for links, because of its kind or size. Then it has
// set the outcome to Skipped. It has also added a problem, if the user should know about it.
func (e *Entry) SkipUnread(in *input.Document) bool {
	if in.TooLarge {
		e.Result.Skip("larger than --max-size")
		e.Problems.Add(Problem{Offset: -1, Text: TooLargeText(in)})
		return true
	}
	if in.Kind != input.Other {
		return false
	}
	e.Result.Skip(in.Why)
	if !in.Named && in.Decision.Reason == input.Template {
		e.Result.AddClass(Template)
	}
	switch {
	case in.Decision.Reason == input.Damaged, in.Named && !in.Empty:
		e.Problems.Add(Problem{Offset: -1, Text: in.Why})
	case in.Decision.Reason == input.Misnamed:
		e.Problems.NoteMisnamed(in)
	case in.Decision.Reason == input.Foreign:
		e.Problems.Note("", in.Why)
	}
	return true
}

// NoteMisnamed adds the problem that the name of in says another kind than the content, which
// counts.
func (p *Problems) NoteMisnamed(in *input.Document) {
	p.Add(Problem{Offset: -1, Text: in.Why, Minor: true, Common: !in.Named})
}

// NoteChange adds a problem if in was changed while it was read: only a part of it may have been
// read before the change.
func (p *Problems) NoteChange(in *input.Document) {
	if in.Changed() {
		p.Add(Problem{Offset: -1, Text: "was changed by another program while it was read"})
	}
}

// TooLargeText returns the text of the problem for an input that is too large to be read.
func TooLargeText(in *input.Document) string {
	if in.Coding != coding.None {
		return fmt.Sprintf("expands to %d bytes or more, and --max-size allows fewer: not read", in.Size)
	}
	return fmt.Sprintf("%d bytes are more than --max-size allows: not read", in.Size)
}
