package links

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/robots"
	"absolink/extract"
	"absolink/extract/dom"
	"absolink/mime/document"
	"absolink/resolve"
)

// Finder finds the links of one document after the other. It is for one goroutine, which reuses it
// for the next input.
type Finder struct {
	Set document.Set // documents of the last opened input

	o        *Options
	resolver extract.Resolver
	bases    base.Memo // results under the policy
	around   around    // of the current input
	current  current   // the current document
	counted  string    // base of the last counted link
	blocked  blocked   // the last explained layer

	elsewhere string // URI of the file that the current link probably means, or empty

	foundAny bool        // a link was found in some document
	further  extract.Doc // a document that is read with more options, until a link is found

	ctx   context.Context // the work ends when it is done; nil for no end
	polls int             // number of calls of Ended
}

// around caches the layers around a file, which are the same for all messages of a mailbox.
type around struct {
	layer     *base.Layer // nil before the first file
	file      input.File
	retrieval string // the value of Bases.Retrieval for layer
}

// current is the document that was entered last, with the facts that links are chosen by.
type current struct {
	doc    *document.Document
	scope  *dom.Scope // nil if it is not needed or the document has no tree
	host   string     // or empty if it is unknown
	robots robots.Directives
	asked  bool // robots is set
}

// blocked explains why a layer and the layers around it give no base.
type blocked struct {
	layer *base.Layer
	long  string // message that the base is too long, or empty
	why   string // reason for users, or empty if nothing blocks the base
}

// NewFinder returns a Finder with the options o, which must have been checked.
func NewFinder(o *Options) *Finder {
	return &Finder{o: o, resolver: extract.Resolver{Policy: o.Bases.Policy}}
}

// Until makes the work on the next inputs end when ctx is done: Ended then returns true, and no
// more expressions are matched.
func (f *Finder) Until(ctx context.Context) { f.ctx = ctx }

// Ended reports whether the work is to end. The caller asks it for each link. It checks the context
// only now and then, unless a link may take long.
func (f *Finder) Ended() bool {
	if f.ctx == nil {
		return false
	}
	f.polls++
	return (f.polls%64 == 0 || f.o.Choice.matches()) && f.ctx.Err() != nil
}

// Open opens the documents of in, each with its layers, in Set. It reports false if there is
// nothing to read; the reason is then in e.
func (f *Finder) Open(in *input.Document, e *report.Entry) bool {
	if e.Unread(in) {
		return false
	}
	content := in.DocumentSource(f.o.Reading.Charset)
	content.Robots = f.isRobots(in)
	if err := f.Set.Open(content, f.Around(in), f.o.Documents()); err != nil {
		e.Result.Fail(err)
		return false
	}
	e.Result.Set(report.Listed)
	f.Identify(e, f.Set.Message)
	return true
}

// isRobots reports whether in is the robots.txt of a site, judged by its name or its retrieval URI.
func (f *Finder) isRobots(in *input.Document) bool {
	const name = "robots.txt"
	if !in.Place.Inner && path.Base(in.Coding.Name(in.Rel)) == name {
		return true
	}
	uri := in.Record.Target
	if !in.Place.Inner {
		uri = f.Retrieved(in)
	}
	return strings.Contains(uri, name) && path.Base(resolve.Split(uri).Path) == name
}

// Around returns the layers around in.
func (f *Finder) Around(in *input.Document) *base.Layer {
	a := &f.around
	if a.layer == nil || a.file.Path != in.Path || a.file.URL != in.URL || a.retrieval != f.o.Bases.Retrieval {
		*a = around{f.o.Bases.Around(in.File), in.File, f.o.Bases.Retrieval}
	}
	if in.Record.Target != "" {
		return &base.Layer{Source: base.WARCTarget, Value: in.Record.Target, Outer: f.around.layer}
	}
	return f.around.layer
}

// Base returns the base that l gives, or "", and the layer that it comes from.
func (f *Finder) Base(l *base.Layer) (uri string, from *base.Layer) {
	return f.bases.Base(l, &f.resolver.Policy)
}

// Explain returns the steps from l through the layers around it to a base.
func (f *Finder) Explain(l *base.Layer) []base.Step { return f.bases.Explain(l, &f.resolver.Policy) }

// Links enters d and yields its links. The caller passes each link to [Finder.Takes].
func (f *Finder) Links(d *document.Document, e *report.Entry) iter.Seq[extract.Link] {
	f.Enter(d, e)
	d.Prepare(&f.resolver)
	return f.resolver.Links(d.Doc)
}

// Takes reports whether l, a link of d, is listed. If so, it counts the link and its base in e.
// With Options.NoFragment it cuts the fragment off the URI of l.
func (f *Finder) Takes(d *document.Document, l *extract.Link, e *report.Entry) bool {
	f.foundAny = true
	whole := l.URI
	if f.o.NoFragment {
		l.URI = withoutFragment(l.URI)
	}
	if f.o.Listing && !f.o.Choice.All() && !f.Chooses(l) {
		return false
	}
	listed := l.URI
	l.URI = whole // files are looked up with the fragment
	if f.o.Targets.Check {
		f.Look(d, l, string(l.URI), asIs, e)
	}
	f.Count(d, l, e)
	l.URI = listed
	return true
}

// withoutFragment returns a URI without its fragment. It leaves a javascript: URL unchanged,
// because its # is part of the script.
func withoutFragment(uri []byte) []byte {
	const script = "javascript:"
	n := bytes.IndexByte(uri, '#')
	if n < 0 || bytes.EqualFold(uri[:min(n, len(script))], []byte(script)) {
		return uri
	}
	return uri[:n]
}

// Enter counts d in e and makes it the current document.
func (f *Finder) Enter(d *document.Document, e *report.Entry) {
	f.counted = ""
	e.Links.Enter(d)
	f.current = current{doc: d, scope: f.newScope(d, e)}
	if f.o.Choice.SameHost {
		f.current.host = f.hostOf(d)
	}
}

// Robots returns the directives for robots that apply to the current document and all of its links.
// The X-Robots-Tag fields of its response come first, then its meta elements.
func (f *Finder) Robots() robots.Directives {
	if f.current.asked {
		return f.current.robots
	}
	f.current.asked = true
	for _, value := range f.current.doc.HTTP("X-Robots-Tag") {
		f.current.robots = f.current.robots.AddField(value, f.o.Reading.Options.Robot)
	}
	for _, content := range f.current.doc.Robots() {
		f.current.robots = f.current.robots.AddMeta(content)
	}
	return f.current.robots
}

// hostOf returns the host that d was retrieved from. If it is unknown, it returns the host of the
// base.
func (f *Finder) hostOf(d *document.Document) string {
	uri := d.Layer.Retrieval(&f.resolver.Policy)
	if uri == "" {
		uri, _ = f.Base(d.Base())
	}
	return record.Host(uri)
}

// Page returns the URI that d, a document of in, was retrieved from, or "" if it is unknown. For a
// record it is the WARC-Target-URI as written, so that other readers show the same URI.
func (f *Finder) Page(in *input.Document, d *document.Document) string {
	if in.Record.Target != "" {
		return in.Record.Target
	}
	return d.Layer.Retrieval(&f.resolver.Policy)
}

// Retrieved returns the URI that in was retrieved from, in the form of [Finder.Page].
func (f *Finder) Retrieved(in *input.Document) string {
	if in.Record.Target != "" {
		return in.Record.Target
	}
	return f.Around(in).Retrieval(&f.resolver.Policy)
}

// newScope returns the scope of a document with the selected elements in it. It returns nil if the
// document is not HTML or no flag needs a scope.
func (f *Finder) newScope(d *document.Document, e *report.Entry) *dom.Scope {
	selector := f.o.Choice.selector
	if selector == nil && !f.o.Context || d.Format != extract.HTML && d.Format != extract.Bookmarks {
		return nil
	}
	s := new(dom.Scope)
	if err := s.Reset(d.Doc); err != nil {
		e.Problems.Add(report.Problem{Part: d.Section(), Offset: -1,
			Text: fmt.Sprintf("no tree for --select and --context: %v", err)})
		return nil
	}
	if selector == nil {
		return s
	}
	m := selector.over()
	s.Select(m)
	if m.exceeded() {
		e.Problems.Add(report.Problem{Part: d.Section(), Offset: -1, Text: errWork.Error()})
		return nil
	}
	return s
}

// Count counts l, a link of the current document d, and its base in e. It adds warnings to l, and
// reports problems in e.
func (f *Finder) Count(d *document.Document, l *extract.Link, e *report.Entry) {
	f.foundAny = true
	switch l.Status {
	case extract.Invalid:
		noteInvalid(d, l, e)
	case extract.Unresolved:
		f.explain(l)
		if why := f.blocked.why; why != "" && !l.Unsure() {
			e.Links.NoBase.Add(1, why)
		}
	}
	if l.Unsure() {
		noteUnsure(d, l, e)
	}
	if l.Status == extract.AbsoluteRef && d.Missing(l.Stripped()) {
		l.Warnings = append(slices.Clip(l.Warnings), "missing-part")
		e.Links.NoPart++
	}
	e.Links.Count(l)
	if l.Base != f.counted {
		f.counted = l.Base
		e.Links.Host(record.Authority(l.Base))
	}
}

// TooLong returns the message that the base of l is too long, or "". l must be unresolved.
func (f *Finder) TooLong(l *extract.Link) string {
	f.explain(l)
	return f.blocked.long
}

// explain sets blocked for the base of l, which must be unresolved.
func (f *Finder) explain(l *extract.Link) {
	if f.blocked.layer == l.Layer {
		return
	}
	f.blocked.layer = l.Layer
	f.blocked.long = ""
	f.blocked.why = ""
	for _, step := range f.Explain(l.Layer) {
		switch {
		case isTooLong(step.Reason):
			f.blocked.long = step.Reason
			f.blocked.why = step.Reason
			return
		case strings.HasPrefix(step.Reason, "a template, "):
			f.blocked.why = fmt.Sprintf("the base %.200q is a piece of a template", step.Layer.Value)
			return
		case step.Stops:
			f.blocked.why = fmt.Sprintf("the base %.200q is not used: %s", step.Layer.Value, step.Reason)
			return
		}
	}
}

// isTooLong reports whether package base rejected a base because of its length.
func isTooLong(reason string) bool { return strings.HasPrefix(reason, "base-too-long: ") }

// Text returns the text, alt or title of the current link l. It returns "" if the link has no text,
// or if text is not requested.
func (f *Finder) Text(l *extract.Link) string {
	if f.current.scope == nil || !f.o.Context {
		return ""
	}
	return f.current.scope.Text(l.Ref)
}

// Elsewhere returns the URI of the file that the current link probably means. It returns "" if
// there is no such file, or if the link has that URI.
func (f *Finder) Elsewhere() string { return f.elsewhere }
