package links

import (
	"fmt"
	"slices"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/fault"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
)

// hiddenHeader is the text of the problem that a message begins with a blank line, before its
// header.
const hiddenHeader = "begins with a blank line, which ends the header: the header fields after it are read as text; " +
	"remove the blank line, and the message is read"

// DescribeMessage sets the Message-ID of the message m in e. With Options.Envelopes it also sets
// the subject, sender and date. If m is nil, it sets nothing.
func (f *Finder) DescribeMessage(e *report.Entry, m *mime.Message) {
	switch {
	case f.o.Envelopes:
		e.Subject.Message = record.MessageOf(m, true)
	case m != nil:
		e.Subject.Message.ID, _ = m.Root.Get("Message-ID")
	}
}

// NoteProblems adds the problems of an input to e. list has the problems of the documents in the
// input, and begins with the defects of a message. NoteProblems adds these defects, then
// hiddenHeader, then the rest of list. Last it adds the numbers of links and references that were
// not reported one by one.
func (f *Finder) NoteProblems(e *report.Entry, in *input.Document, list []document.Problem) {
	n := slices.IndexFunc(list, func(p document.Problem) bool { return p.Kind != document.Defect })
	if n < 0 {
		n = len(list)
	}
	e.Problems.AddFound(list[:n]...)
	if in.HidesHeader() {
		e.Problems.Add(report.Problem{Offset: in.Place.Origin, Line: in.FirstLine(), Column: 1,
			Text: hiddenHeader, Minor: true})
	}
	e.Problems.AddFound(list[n:]...)
	if n := e.Links.MissingFragments - maxFragmentNotes; n > 0 && !f.o.Targets.AllFragments {
		more := console.Plural(n, "more link has", "more links have")
		e.Problems.Note("",
			more+" the warning missing-fragment; -v reports all of them; to turn this check off, give "+
				"--check-fragments=never")
	}
	if n := e.Links.ByStatus[extract.Invalid] - maxInvalidNotes; n > 0 {
		e.Problems.Note("", console.Plural(n, "more link is", "more links are")+
			" invalid; extract --status invalid --format jsonl gives the reasons")
	}
	if n := e.Links.UnknownCharset - maxUnsureNotes; n > 0 {
		e.Problems.Note("", console.Plural(n, "more link is", "more links are")+
			" in an unknown charset; extract --status unresolved --format jsonl shows them")
	}
}

// maxInvalidNotes is the number of invalid references that are reported one by one for a document
// or message.
const maxInvalidNotes = 3

// maxUnsureNotes is the number of references in an unknown charset that are reported one by one for
// a document or message.
const maxUnsureNotes = 3

// noteUnsure counts a reference in an unknown charset. It also reports the reference, with its
// bytes, if it is among the first maxUnsureNotes.
func noteUnsure(d *document.Document, l *extract.Link, e *report.Entry) {
	e.Links.UnknownCharset++
	if e.Links.UnknownCharset <= maxUnsureNotes {
		raw := d.Data[l.Start:l.End]
		text := fmt.Sprintf("unresolved link %q: %v", raw[:min(len(raw), 200)], l.Err)
		isUnknownCharset := func(p extract.Problem) bool { return p.Kind == extract.UnknownCharset }
		if !slices.ContainsFunc(d.Problems(), isUnknownCharset) { // the text of that problem names --charset, too
			text += "; --charset NAME sets the charset of the document"
		}
		e.Problems.NoteAt(d, l.Span, text)
	}
}

// noteInvalid reports an invalid reference if it is among the first maxInvalidNotes. Call it before
// the reference is counted in e.
func noteInvalid(d *document.Document, l *extract.Link, e *report.Entry) {
	if e.Links.ByStatus[extract.Invalid] < maxInvalidNotes {
		e.Problems.NoteAt(d, l.Span,
			fmt.Sprintf("invalid link %q: %s", l.Value[:min(len(l.Value), 200)], fault.Reason(l.Err)))
	}
}
