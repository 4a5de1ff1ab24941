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

// maxFragmentNotes is the number of links with a missing fragment that are reported one by one for
// a document or message. Targets.AllFragments lifts this limit.
const maxFragmentNotes = 10

// CheckTarget looks for the target file of l, a link of d, and in this file for the id or name in
// the fragment of l. If the file, id or name is missing, CheckTarget adds a warning to l and a
// problem to e. If the file exists only under another name, it does the same, and [Finder.FoundURI]
// returns the URI of this file. Targets.Check must be set.
//
// target is the URI of the link in the output, with its fragment, or "" if the output has no URI
// for the link. newURI maps an old URI of the site to its URI after the move. It is nil if the link
// becomes absolute.
func (f *Finder) CheckTarget(
	d *document.Document, l *extract.Link, target string, newURI func(uri string) string, e *report.Entry,
) {
	f.foundURI = ""
	if l.Kind == extract.KindHint || l.Element == "base" {
		return
	}
	switch l.Status {
	case extract.SameDocument:
		if fragment := f.anchorOf(d, l, target); fragment != "" {
			f.checkAnchor(d, l, f.o.Targets.tree.File(string(l.URI), target), fragment, e)
		}
	case extract.Resolved, extract.AbsoluteRef, extract.Unresolved:
		if target != "" {
			f.checkFile(d, l, target, newURI, e)
		}
	}
}

// checkFile looks for the target file of l, and in this file for the id or name. The parameters are
// those of [Finder.CheckTarget].
func (f *Finder) checkFile(
	d *document.Document, l *extract.Link, target string, newURI func(uri string) string, e *report.Entry,
) {
	uri := target
	if string(l.URI) != target {
		uri = string(l.URI)
	}
	locate := f.o.Targets.tree.Locate
	if l.NamesDirectory() {
		locate = f.o.Targets.tree.LocateDirectory
	}
	verdict, foundURI, file := locate(uri, target)
	if verdict == site.Missing && f.inCodebase(l, newURI) {
		return
	}
	if verdict == site.Missing && d.Format == extract.Markdown {
		readme := withReadme(uri)
		readmeTarget := withReadme(target)
		if v, _, file := locate(readme, readmeTarget); v == site.Found {
			f.checkAnchor(d, l, file, f.anchorOf(d, l, readmeTarget), e)
			return
		}
	}
	if verdict != site.Found && d.Format == extract.Markdown {
		if v, _ := f.o.Targets.tree.CheckDirectory(uri, target); v == site.Found {
			return // hosts of source code list the directory
		}
	}
	if verdict == site.Missing && d.Format == extract.Markdown {
		if source := f.o.Targets.tree.Source(uri, target); source != "" {
			verdict = site.Similar
			foundURI = source
		}
	}
	switch verdict {
	case site.Found:
		f.checkAnchor(d, l, file, f.anchorOf(d, l, target), e)
	case site.Similar:
		f.foundURI = foundURI
		warn(l, "moved?")
		e.Problems.NoteAt(d, l.Span, "moved?: "+console.Printable(string(l.Value))+" exists as "+foundURI)
	case site.Missing:
		e.Links.MissingTargets++
		warn(l, "missing")
		text := "missing: " + console.Printable(string(l.Value))
		if target != uri && !f.o.Targets.tree.Below(uri) {
			text += ", which becomes " + target // a rule of the move has changed the URI
		}
		e.Problems.NoteAt(d, l.Span, text)
	}
}

// withReadme returns the URI of README.md in the directory that uri names. Hosts of source code
// show this file with its directory.
func withReadme(uri string) string {
	page, fragment, found := strings.Cut(uri, "#")
	page = strings.TrimSuffix(page, "/") + "/README.md"
	if found {
		return page + "#" + fragment
	}
	return page
}

// inCodebase reports whether the codebase of l lacks a slash at its end, and the target file of l
// exists below the codebase with this slash. Programs that load classes add the slash. newURI is
// the parameter of [Finder.CheckTarget]; if it is nil, inCodebase returns false.
func (f *Finder) inCodebase(l *extract.Link, newURI func(uri string) string) bool {
	if newURI == nil || l.From == nil || l.From.Source != base.Codebase || strings.HasSuffix(l.Base, "/") {
		return false
	}
	if verdict, _ := f.o.Targets.tree.CheckDirectory(l.Base, newURI(l.Base)); verdict != site.Found {
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
	verdict, _ := f.o.Targets.tree.Check(uri, newURI(uri))
	return verdict == site.Found
}

// asIs returns uri. Accept passes it to CheckTarget, because a site that is listed does not move.
func asIs(uri string) string { return uri }

// warn adds a warning to l.
func warn(l *extract.Link, warning string) { l.Warnings = append(slices.Clip(l.Warnings), warning) }

// anchorOf returns the fragment of target, the URI of l, if it must be an id or name of the target
// page. Otherwise it returns "". In a style sheet, or in the attribute usemap, a fragment need not
// be an id or name.
func (f *Finder) anchorOf(d *document.Document, l *extract.Link, target string) string {
	if f.o.Targets.Fragments == NeverFragments || l.Attr == "usemap" || l.Attr == "style" || l.Element == "style" {
		return ""
	}
	switch d.Format {
	case extract.HTML, extract.XHTML, extract.SVG, extract.Markdown:
		_, fragment, _ := strings.Cut(target, "#")
		return fragment
	}
	return ""
}

// checkAnchor adds a warning to l and a problem to e if the target page lacks the id or name in
// fragment. path is the file of the target page, or "". fragment is a result of anchorOf.
func (f *Finder) checkAnchor(
	d *document.Document, l *extract.Link, path, fragment string, e *report.Entry,
) {
	if path != "" && l.Status == extract.SameDocument && l.Kind == extract.KindRes {
		path = f.outer.file.Path // such as <use href="#a">: the fragment names a part of this page, whatever BASE says
	}
	if path == "" || fragment == "" || f.o.Targets.anchors.Has(path, fragment) {
		return
	}
	e.Links.MissingTargets++
	e.Links.MissingFragments++
	warn(l, "missing-fragment")
	if f.o.Targets.AllFragments || e.Links.MissingFragments <= maxFragmentNotes {
		text := "missing-fragment: " + console.Printable(string(l.Value)) + ": the page has no such id or name"
		p := report.FromDocument(d.Problem(l.Span, report.Remark, text))
		p.Minor = true
		p.NeverDrop = f.o.Targets.AllFragments
		e.Problems.Add(p)
	}
}
