package links

import (
	"slices"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve"
)

// Fragments says whether the places are looked for that fragments name. The zero value is
// AutoFragments.
type Fragments uint8

// The values of Fragments.
const (
	// AutoFragments names the first ten missing places of each input, and all with
	// Options.AllFragments.
	AutoFragments  Fragments = iota
	NeverFragments           // no place is looked for
)

// String returns auto or never.
func (f Fragments) String() string {
	return [...]string{AutoFragments: "auto", NeverFragments: "never"}[f]
}

// namedFragments is how many links to missing places in pages are named of one input.
const namedFragments = 10

// Look notes a link of d to a file, or a place in one, that is not there, in its warnings and in e.
// Options.CheckFiles must be set. to is the URI, with its fragment, to which the link leads as it
// will be written: that of the link unless a rule moves it, "" if there is none. move returns where
// the rules move another URI; nil if the link will be written absolute.
func (f *Finder) Look(d *document.Document, l *extract.Link, to string, move func(uri string) string, e *report.Entry) {
	f.meant = ""
	if l.Kind == extract.KindHint || l.Element == "base" {
		return
	}
	switch l.Status {
	case extract.SameDocument:
		f.lookInside(d, l, to, e)
	case extract.Resolved, extract.AbsoluteRef, extract.Unresolved:
		if to != "" {
			f.lookFor(d, l, to, move, e)
		}
	}
}

// lookFor looks for the file of l.
func (f *Finder) lookFor(
	d *document.Document, l *extract.Link, to string, move func(uri string) string, e *report.Entry,
) {
	uri := string(l.URI)
	check := f.o.tree.Check
	if l.NamesDirectory() {
		check = f.o.tree.CheckDirectory
	}
	verdict, meant := check(uri, to)
	if verdict == site.Missing && f.inCodebase(l, move) {
		return
	}
	switch verdict {
	case site.Found:
		f.lookInside(d, l, to, e)
	case site.Moved:
		f.meant = meant
		warn(l, "moved?")
		e.Problems.NoteAt(d, l.Span, "moved?: "+console.Printable(string(l.Value))+" is there as "+meant)
	case site.Missing:
		e.Links.NoFile++
		warn(l, "missing")
		text := "missing: " + console.Printable(string(l.Value))
		if to != uri && !f.o.tree.Below(uri) {
			text += ", which becomes " + to // by a rule
		}
		e.Problems.NoteAt(d, l.Span, text)
	}
}

// inCodebase reports whether l leads to a file from the codebase of its element, if that had a
// slash at its end: programs that load classes add it. A link that will be written absolute leads
// elsewhere then. move is that of Look.
func (f *Finder) inCodebase(l *extract.Link, move func(uri string) string) bool {
	if move == nil || l.From == nil || l.From.Source != base.Codebase || strings.HasSuffix(l.Base, "/") {
		return false
	}
	if verdict, _ := f.o.tree.CheckDirectory(l.Base, move(l.Base)); verdict != site.Found {
		return false
	}
	b, err := resolve.NewBase(l.Base+"/", f.o.Policy.Rules)
	if err != nil {
		return false
	}
	uri, err := b.Resolve(string(l.Value))
	if err != nil {
		return false
	}
	verdict, _ := f.o.tree.Check(uri, move(uri))
	return verdict == site.Found
}

// asIs moves no URI.
func asIs(uri string) string { return uri }

// warn adds a warning to l.
func warn(l *extract.Link, warning string) { l.Warnings = append(slices.Clip(l.Warnings), warning) }

// lookInside notes a link to a place in a page that does not have it. In style sheets, and in
// usemap, a fragment names something else.
func (f *Finder) lookInside(d *document.Document, l *extract.Link, to string, e *report.Entry) {
	_, fragment, _ := strings.Cut(to, "#")
	if fragment == "" || f.o.Fragments == NeverFragments ||
		l.Attr == "usemap" || l.Attr == "style" || l.Element == "style" {
		return
	}
	if d.Format != extract.HTML && d.Format != extract.XHTML && d.Format != extract.SVG {
		return
	}
	path := f.o.tree.File(string(l.URI), to)
	if path != "" && l.Status == extract.SameDocument && l.Kind == extract.KindRes {
		path = f.file.Path // a part of a picture, whatever BASE says
	}
	if path == "" || f.o.anchors.Has(path, fragment) {
		return
	}
	e.Links.NoFile++
	e.Links.Fragments++
	warn(l, "missing-fragment")
	if f.o.AllFragments || e.Links.Fragments <= namedFragments {
		text := "missing-fragment: " + console.Printable(string(l.Value)) + ": the page has no such id or name"
		p := report.Of(d.Problem(l.Span, report.Remark, text))
		p.Minor, p.Kept = true, f.o.AllFragments
		e.Problems.Add(p)
	}
}
