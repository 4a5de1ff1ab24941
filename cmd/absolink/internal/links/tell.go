package links

import (
	"fmt"
	"slices"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
)

// hiddenHeader is the problem of a message whose header stands behind a blank line.
const hiddenHeader = "begins with a blank line, which ends the header: the fields behind it are read as text; remove " +
	"the line to have the message read"

// Identify records in e the identity of the message m, which may be nil. With Options.Envelopes
// this includes its subject, sender and date.
func (f *Finder) Identify(e *report.Entry, m *mime.Message) {
	switch {
	case f.o.Envelopes:
		e.Subject.Message = record.MessageOf(m, true)
	case m != nil:
		e.Subject.Message.ID, _ = m.Root.Get("Message-ID")
	}
}

// Tell records in e the problems of in. list holds the problems of its documents. Defects of a
// message come first, then a hidden header, then the other problems. At the end come the numbers of
// links and references that had a problem but were not reported one by one.
func (f *Finder) Tell(e *report.Entry, in *input.Document, list []document.Problem) {
	n := slices.IndexFunc(list, func(p document.Problem) bool { return p.Kind != document.Defect })
	if n < 0 {
		n = len(list)
	}
	e.Problems.Found(list[:n]...)
	if in.HidesHeader() {
		e.Problems.Add(report.Problem{Offset: in.Place.Origin, Line: in.FirstLine(), Column: 1,
			Text: hiddenHeader, Minor: true})
	}
	e.Problems.Found(list[n:]...)
	if n := e.Links.Fragments - namedFragments; n > 0 && !f.o.Targets.AllFragments {
		more := console.Plural(n, "more link has", "more links have")
		e.Problems.Note("", more+" the warning missing-fragment; -v names each, --check-fragments never none")
	}
	if n := e.Links.ByStatus[extract.Invalid] - namedInvalid; n > 0 {
		e.Problems.Note("", console.Plural(n, "more reference is", "more references are")+
			" invalid; extract --status invalid --format jsonl says why")
	}
	if n := e.Links.Unsure - namedUnsure; n > 0 {
		e.Problems.Note("", console.Plural(n, "more reference is", "more references are")+
			" written in a charset that is not known; extract --status unresolved --format jsonl shows them")
	}
}

// namedInvalid is the number of invalid references that are reported for a document or message.
const namedInvalid = 3

// namedUnsure is the number of references in an unknown charset that are reported for a document or
// message.
const namedUnsure = 3

// noteUnsure counts a reference in an unknown charset and reports it with its bytes. It reports
// only the first ones.
func noteUnsure(d *document.Document, l *extract.Link, e *report.Entry) {
	e.Links.Unsure++
	if e.Links.Unsure <= namedUnsure {
		raw := d.Data[l.Start:l.End]
		text := fmt.Sprintf("unresolved reference %q: %v", raw[:min(len(raw), 200)], l.Err)
		named := func(p extract.Problem) bool { return p.Kind == extract.UnknownCharset }
		if !slices.ContainsFunc(d.Problems(), named) {
			text += "; --charset NAME says which charset it is in" // no other line says it
		}
		e.Problems.NoteAt(d, l.Span, text)
	}
}

// noteInvalid reports an invalid reference, if it is one of the first.
func noteInvalid(d *document.Document, l *extract.Link, e *report.Entry) {
	if e.Links.ByStatus[extract.Invalid] < namedInvalid {
		e.Problems.NoteAt(d, l.Span,
			fmt.Sprintf("invalid reference %q: %s", l.Value[:min(len(l.Value), 200)], record.Why(l.Err)))
	}
}
