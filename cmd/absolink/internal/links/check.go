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

// namedFragments is the number of links to missing places in pages that are reported for each
// input.
const namedFragments = 10

// Look reports a link of d whose file, or place in a page, is missing: it adds a warning to l and a
// problem to e. Targets.Check must be set. to is the URI, with its fragment, that the link has in
// the output, or "". move returns the URI that the rules move a URI to. move is nil if the
// link becomes absolute.
func (f *Finder) Look(d *document.Document, l *extract.Link, to string, move func(uri string) string, e *report.Entry) {
	f.elsewhere = ""
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
	check := f.o.Targets.tree.Check
	if l.NamesDirectory() {
		check = f.o.Targets.tree.CheckDirectory
	}
	verdict, elsewhere := check(uri, to)
	if verdict == site.Missing && f.inCodebase(l, move) {
		return
	}
	switch verdict {
	case site.Found:
		f.lookInside(d, l, to, e)
	case site.Moved:
		f.elsewhere = elsewhere
		warn(l, "moved?")
		e.Problems.NoteAt(d, l.Span, "moved?: "+console.Printable(string(l.Value))+" is there as "+elsewhere)
	case site.Missing:
		e.Links.NoFile++
		warn(l, "missing")
		text := "missing: " + console.Printable(string(l.Value))
		if to != uri && !f.o.Targets.tree.Below(uri) {
			text += ", which becomes " + to // by a rule
		}
		e.Problems.NoteAt(d, l.Span, text)
	}
}

// inCodebase reports whether l leads to a file if a slash is added to the codebase of its element,
// as programs that load classes do. This does not apply to a link that becomes absolute. move is
// the parameter of [Finder.Look].
func (f *Finder) inCodebase(l *extract.Link, move func(uri string) string) bool {
	if move == nil || l.From == nil || l.From.Source != base.Codebase || strings.HasSuffix(l.Base, "/") {
		return false
	}
	if verdict, _ := f.o.Targets.tree.CheckDirectory(l.Base, move(l.Base)); verdict != site.Found {
		return false
	}
	b, err := resolve.NewBase(l.Base+"/", f.o.Bases.Policy.Rules)
	if err != nil {
		return false
	}
	uri, err := b.Resolve(string(l.Value))
	if err != nil {
		return false
	}
	verdict, _ := f.o.Targets.tree.Check(uri, move(uri))
	return verdict == site.Found
}

// asIs moves no URI.
func asIs(uri string) string { return uri }

// warn adds a warning to l.
func warn(l *extract.Link, warning string) { l.Warnings = append(slices.Clip(l.Warnings), warning) }

// lookInside reports a link to a place that its page does not have. It ignores style sheets and
// usemap, where a fragment does not name a place in a page.
func (f *Finder) lookInside(d *document.Document, l *extract.Link, to string, e *report.Entry) {
	_, fragment, _ := strings.Cut(to, "#")
	if fragment == "" || f.o.Targets.Fragments == NeverFragments ||
		l.Attr == "usemap" || l.Attr == "style" || l.Element == "style" {
		return
	}
	if d.Format != extract.HTML && d.Format != extract.XHTML && d.Format != extract.SVG {
		return
	}
	path := f.o.Targets.tree.File(string(l.URI), to)
	if path != "" && l.Status == extract.SameDocument && l.Kind == extract.KindRes {
		path = f.around.file.Path // a part of a picture in the page itself, whatever BASE says
	}
	if path == "" || f.o.Targets.anchors.Has(path, fragment) {
		return
	}
	e.Links.NoFile++
	e.Links.Fragments++
	warn(l, "missing-fragment")
	if f.o.Targets.AllFragments || e.Links.Fragments <= namedFragments {
		text := "missing-fragment: " + console.Printable(string(l.Value)) + ": the page has no such id or name"
		p := report.Of(d.Problem(l.Span, report.Remark, text))
		p.Minor, p.Kept = true, f.o.Targets.AllFragments
		e.Problems.Add(p)
	}
}
