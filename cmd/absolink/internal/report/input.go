package report

import (
	"fmt"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/input"
)

// FailOpen sets the outcome for a file that could not be opened. The outcome is Skipped for a lock
// file that another program has removed after its directory was read. Otherwise it is Failed.
func (e *Entry) FailOpen(f input.File, err error) {
	if f.IsReleasedLock(err) {
		e.Result.Skip("a lock that another program has removed")
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

// SkipUnread decides by size and kind whether the input is searched for links. If it is, SkipUnread
// changes nothing and returns false. If it is not, SkipUnread sets the outcome to Skipped and
// returns true. It also adds a problem if the user may expect links from this input.
func (e *Entry) SkipUnread(in *input.Document) bool {
	switch {
	case in.TooLarge:
		e.Result.Skip("larger than --max-size")
		e.Problems.Add(Problem{Offset: -1, Text: TooLargeText(in)})
		return true
	case in.Kind == input.Other:
		e.Result.Skip(in.Why)
		if in.Decision.Reason == input.Template && !in.Named {
			e.Result.AddClass(Template)
		}
		e.Problems.noteUnknownKind(in)
		return true
	}
	return false
}

// noteUnknownKind adds a problem for an input whose kind is input.Other. It adds none for an empty
// input, or for a file found in a directory. But an input that is damaged, misnamed, or mail in a
// foreign format always gets a problem.
func (p *Problems) noteUnknownKind(in *input.Document) {
	switch reason := in.Decision.Reason; {
	case reason == input.Damaged, in.Named && !in.Empty:
		p.Add(Problem{Offset: -1, Text: in.Why})
	case reason == input.Misnamed:
		p.NoteMisnamed(in)
	case reason == input.Foreign:
		p.Note("", in.Why)
	}
}

// NoteMisnamed adds a minor problem for an input whose name stands for another kind of file than
// its content. The kind of the content decides how the input is read.
func (p *Problems) NoteMisnamed(in *input.Document) {
	p.Add(Problem{Offset: -1, Text: in.Why, Minor: true, Common: !in.Named})
}

// NoteChange adds a problem if another program has changed the file of the input since it was
// opened. The input may then have been read partly before and partly after the change.
func (p *Problems) NoteChange(in *input.Document) {
	if in.Changed() {
		p.Add(Problem{Offset: -1, Text: "was changed by another program while it was read"})
	}
}

// TooLargeText returns the text of the problem for an input that is larger than --max-size allows.
func TooLargeText(in *input.Document) string {
	if in.Coding != coding.None {
		return fmt.Sprintf("expands to %d bytes or more, which --max-size does not allow: not read", in.Size)
	}
	return fmt.Sprintf("%d bytes are more than --max-size allows: not read", in.Size)
}
