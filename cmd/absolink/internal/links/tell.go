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

// hiddenHeader is what is said of a message that has its header behind a blank line.
const hiddenHeader = "begins with a blank line, which ends the header: the fields behind it are read as text; remove " +
	"the line to have the message read"

// Identify notes in e which message m is, which may be nil: with all that people tell it by, where
// the options ask for envelopes.
func (f *Finder) Identify(e *report.Entry, m *mime.Message) {
	switch {
	case f.o.Envelopes:
		e.Subject.Message = record.MessageOf(m, true)
	case m != nil:
		e.Subject.Message.ID, _ = m.Root.Get("Message-ID")
	}
}

// Tell notes in e what is wrong with in, as its documents say it in list: defects of a message,
// what hides its header, then what the documents brought; and how many more references of them are
// invalid, or written in an unknown charset, than were named.
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

// namedInvalid is how many invalid references of a document, or message, are named.
const namedInvalid = 3

// namedUnsure is how many references in unknown charsets of a document, or message, are named.
const namedUnsure = 3

// noteUnsure counts a reference in an unknown charset, and names it with its bytes; of many the
// first ones.
func noteUnsure(d *document.Document, l *extract.Link, e *report.Entry) {
	e.Links.Unsure++
	if e.Links.Unsure <= namedUnsure {
		raw := d.Data[l.Start:l.End]
		text := fmt.Sprintf("unresolved reference %q: %v", raw[:min(len(raw), 200)], l.Err)
		named := func(p extract.Problem) bool { return p.Kind == extract.UnknownCharset }
		if !slices.ContainsFunc(d.Problems(), named) {
			text += "; --charset NAME says which charset it is in" // no other line says so
		}
		e.Problems.NoteAt(d, l.Span, text)
	}
}

// noteInvalid names an invalid reference, of many the first ones.
func noteInvalid(d *document.Document, l *extract.Link, e *report.Entry) {
	if e.Links.ByStatus[extract.Invalid] < namedInvalid {
		e.Problems.NoteAt(d, l.Span,
			fmt.Sprintf("invalid reference %q: %s", l.Value[:min(len(l.Value), 200)], record.Why(l.Err)))
	}
}
