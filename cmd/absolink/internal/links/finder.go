package links

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"path"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/authority"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/robots"
	"absolink/extract"
	"absolink/extract/dom"
	"absolink/mime/document"
	"absolink/resolve"
)

// Finder finds the links of one input after the other. Only one goroutine may use it.
type Finder struct {
	Docs document.Set // the documents of the input that was opened last

	o        *Options
	resolver extract.Resolver
	memo     base.Memo   // caches the bases of layers
	outer    outerLayers // the layers around the current file
	current  current     // the current document
	lastBase string      // base of the link that was counted last
	blocker  blocker     // set by the last call of findBlocker

	foundURI string // result of FoundURI

	foundLink bool        // a link was found in one of the documents
	trial     extract.Doc // the document that TryMoreOptions reads again

	ctx   context.Context // ends the work early when it is done; nil if the work never ends early
	polls int             // number of calls of PollCancelled
}

// outerLayers caches the layers that the options put around a file. They are the same for all
// messages of a mailbox.
type outerLayers struct {
	layer     *base.Layer // nil before the first file
	file      input.File
	retrieval string // Bases.Retrieval when layer was made
}

// current is the document of the last call of Enter, with the facts by which its links are chosen.
type current struct {
	doc       *document.Document
	scope     *dom.Scope // the tree of doc; nil if no flag needs it, or if doc has no tree
	host      string     // the host for --same-host, or empty if it is unknown
	robots    robots.Directives
	hasRobots bool // robots is set
}

// blocker says why links get no base from a layer and the layers around it.
type blocker struct {
	layer   *base.Layer // the layer of these links
	reason  string      // the reason in words for users; empty if none of the layers has a base
	tooLong string      // the reason if it is that the base is too long; otherwise empty
}

// NewFinder returns a Finder with the options o. Call [Options.Prepare] before NewFinder.
func NewFinder(o *Options) *Finder {
	return &Finder{o: o, resolver: o.Bases.Resolver()}
}

// SetContext sets the context of the work on the next inputs. When ctx is done,
// [Finder.PollCancelled] returns true, and the expressions of --match and --no-match match no
// further link.
func (f *Finder) SetContext(ctx context.Context) { f.ctx = ctx }

// PollCancelled returns true if it finds that the context of [Finder.SetContext] is done. Call it
// for each link, and stop when it returns true. It checks the context at every 64th call, or at
// every call if --match or --no-match is given. At all other calls it returns false.
func (f *Finder) PollCancelled() bool {
	if f.ctx == nil {
		return false
	}
	f.polls++
	return (f.polls%64 == 0 || f.o.Choice.hasPatterns()) && f.ctx.Err() != nil
}

// Open finds the documents of an input and their layers, and puts them into f.Docs. If the input
// cannot be read, Open sets the reason in e and returns false.
func (f *Finder) Open(in *input.Document, e *report.Entry) bool {
	if e.SkipUnread(in) {
		return false
	}
	content := in.DocumentSource(f.o.Reading.Charset)
	content.Robots = f.isRobotsTxt(in)
	if err := f.Docs.Open(content, f.OuterLayers(in), f.o.DocumentOptions()); err != nil {
		e.Result.Fail(err)
		return false
	}
	e.Result.SetOutcome(report.Listed)
	f.DescribeMessage(e, f.Docs.Message)
	return true
}

// isRobotsTxt reports whether in is the robots.txt of a site, by its name or its retrieval URI.
func (f *Finder) isRobotsTxt(in *input.Document) bool {
	const name = "robots.txt"
	uri := in.Record.Target
	if !in.Place.Inner {
		if path.Base(in.Coding.Name(in.Rel)) == name {
			return true
		}
		// Without --base the URI of a retrieved input comes from its URL.
		if in.URL == "" || f.o.Bases.Retrieval != "" || strings.Contains(in.URL, name) {
			uri = f.InputURI(in)
		}
	}
	return strings.Contains(uri, name) && path.Base(resolve.Split(uri).Path) == name
}

// OuterLayers returns the layers around an input, or nil if there are none. The innermost layer is
// the WARC-Target-URI, followed by the layers of [Bases.OptionLayers].
func (f *Finder) OuterLayers(in *input.Document) *base.Layer {
	cached := &f.outer
	retrieval := f.o.Bases.Retrieval
	if cached.layer == nil || cached.file.Path != in.Path ||
		cached.file.URL != in.URL || cached.retrieval != retrieval {
		*cached = outerLayers{layer: f.o.Bases.OptionLayers(in.File), file: in.File, retrieval: retrieval}
	}
	if in.Record.Target != "" {
		return &base.Layer{Source: base.WARCTarget, Value: in.Record.Target, Outer: cached.layer}
	}
	return cached.layer
}

// Base returns the base of a document whose innermost layer is l, and the layer from which the base
// comes. It returns "" and nil if there is no base.
func (f *Finder) Base(l *base.Layer) (uri string, from *base.Layer) {
	return f.memo.Base(l, &f.resolver.Policy)
}

// Explain returns how [Finder.Base] finds the base: a step for l, and one for each layer around it.
func (f *Finder) Explain(l *base.Layer) []base.Step { return f.memo.Explain(l, &f.resolver.Policy) }

// Links makes d the current document, as [Finder.Enter] does, and yields its links. Pass each link
// to [Finder.Accept].
func (f *Finder) Links(d *document.Document, e *report.Entry) iter.Seq[extract.Link] {
	f.Enter(d, e)
	d.Prepare(&f.resolver)
	return f.resolver.Links(d.Doc)
}

// Accept returns false if Options.Listing is set and l is not chosen. Otherwise it counts the link
// as [Finder.Count] does, and returns true. If Targets.Check is set, it first looks for the file of
// the link. Accept sets l.URI to the URI to list: [Finder.Clean] changes it, and Options.NoFragment
// cuts off its fragment. l is a link of d, the current document.
func (f *Finder) Accept(d *document.Document, l *extract.Link, e *report.Entry) bool {
	f.foundLink = true
	stillWrapped := f.Clean(d, l)
	whole := l.URI
	listed := whole
	if f.o.NoFragment {
		listed = withoutFragment(whole)
	}
	l.URI = listed // Chosen compares this URI
	if f.o.Listing && !f.o.Choice.ChoosesAll() && !f.Chosen(l) {
		return false
	}
	if stillWrapped {
		NoteWrapped(l, e)
	}
	l.URI = whole // the check of the file and Count need the fragment
	if f.o.Targets.Check {
		f.CheckTarget(d, l, string(l.URI), asIs, e)
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
	f.lastBase = ""
	e.Links.CountDocument(d)
	f.current = current{doc: d, scope: f.newScope(d, e)}
	if f.o.Choice.SameHost {
		f.current.host = f.hostOf(d)
	}
}

// Robots returns the directives for robots in the current document. They apply to the document and
// all of its links. The directives of X-Robots-Tag fields come first, then those of meta elements.
func (f *Finder) Robots() robots.Directives {
	if f.current.hasRobots {
		return f.current.robots
	}
	f.current.hasRobots = true
	for _, value := range f.current.doc.HTTP("X-Robots-Tag") {
		f.current.robots = f.current.robots.AddField(value, f.o.Reading.Options.Robot)
	}
	for _, content := range f.current.doc.Robots() {
		f.current.robots = f.current.robots.AddMeta(content)
	}
	return f.current.robots
}

// hostOf returns the host that d was retrieved from. If that is unknown, it returns the host of the
// base of d, or "".
func (f *Finder) hostOf(d *document.Document) string {
	uri := d.Layer.Retrieval(&f.resolver.Policy)
	if uri == "" {
		uri, _ = f.Base(d.Base())
	}
	return authority.Host(uri)
}

// DocumentURI returns the URI that d, a document of the input in, was retrieved from. It returns ""
// if the URI is unknown. For a record of a web archive it returns the WARC-Target-URI unchanged, as
// other readers of archives show it.
func (f *Finder) DocumentURI(in *input.Document, d *document.Document) string {
	if in.Record.Target != "" {
		return in.Record.Target
	}
	return d.Layer.Retrieval(&f.resolver.Policy)
}

// InputURI returns the URI that the input was retrieved from, in the form of [Finder.DocumentURI].
func (f *Finder) InputURI(in *input.Document) string {
	if in.Record.Target != "" {
		return in.Record.Target
	}
	return f.OuterLayers(in).Retrieval(&f.resolver.Policy)
}

// newScope returns the tree of a document, in which the elements of --select are marked. It returns
// nil if the document is not HTML, or if no flag needs the tree. It also returns nil if the tree
// cannot be made or searched: then it adds the problem to e.
func (f *Finder) newScope(d *document.Document, e *report.Entry) *dom.Scope {
	selector := f.o.Choice.selector
	if selector == nil && !f.o.LinkText {
		return nil
	}
	if d.Format != extract.HTML && d.Format != extract.Bookmarks {
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
	m := selector.newMatching()
	s.Select(m)
	if m.exceeded() {
		e.Problems.Add(report.Problem{Part: d.Section(), Offset: -1, Text: errWork.Error()})
		return nil
	}
	return s
}

// Count counts the link l and its base in e, and adds problems of the link to e. If l names a part
// that the message does not have, Count adds a warning to l. l is a link of d, the current
// document.
func (f *Finder) Count(d *document.Document, l *extract.Link, e *report.Entry) {
	f.foundLink = true
	switch l.Status {
	case extract.Invalid:
		noteInvalid(d, l, e)
	case extract.Unresolved:
		f.findBlocker(l)
		f.countUnresolved(d, l, e)
	}
	if l.Unsure() {
		noteUnsure(d, l, e)
	}
	if l.Status == extract.AbsoluteRef && d.Missing(l.Stripped()) {
		warn(l, "missing-part")
		e.Links.MissingParts++
	}
	e.Links.Count(l)
	if l.Base != f.lastBase {
		f.lastBase = l.Base
		e.Links.AddHost(authority.Of(l.Base))
	}
}

// countUnresolved counts l, an unresolved link of d, in e if its base is unusable. For messages, it
// keeps the first link without a base, and the first link with an unusable base.
func (f *Finder) countUnresolved(d *document.Document, l *extract.Link, e *report.Entry) {
	reason := f.blocker.reason
	switch {
	case l.Unsure():
	case reason == "" && e.Links.WithoutBase == nil:
		e.Links.WithoutBase = report.NewUnlinked(d, l)
	case reason != "" && e.Links.UnusableBases.First == nil:
		e.Links.UnusableBases.Add(1, reason, report.NewUnlinked(d, l))
	case reason != "":
		e.Links.UnusableBases.Add(1, reason, nil)
	}
}

// BaseTooLongText returns a text for users if l has no base because its base is too long. Otherwise
// it returns "". l must be unresolved.
func (f *Finder) BaseTooLongText(l *extract.Link) string {
	f.findBlocker(l)
	return f.blocker.tooLong
}

// findBlocker sets f.blocker to the reason why l has no base. l must be unresolved.
func (f *Finder) findBlocker(l *extract.Link) {
	if f.blocker.layer == l.Layer {
		return
	}
	f.blocker = blocker{layer: l.Layer}
	for _, step := range f.Explain(l.Layer) {
		switch {
		case isTooLong(step.Reason):
			f.blocker.tooLong = step.Reason
			f.blocker.reason = step.Reason
			return
		case step.Stops:
			f.blocker.reason = fmt.Sprintf("the base %.200q is not used: %s", step.Layer.Value, step.Reason)
			return
		}
	}
}

// isTooLong reports whether reason, a reason of package base, says that a base is too long.
func isTooLong(reason string) bool { return strings.HasPrefix(reason, "base-too-long: ") }

// Text returns the text, alt or title of l, a link of the current document. It returns "" if the
// link has no text, or without Options.LinkText.
func (f *Finder) Text(l *extract.Link) string {
	switch {
	case !f.o.LinkText:
	case f.current.scope != nil:
		return f.current.scope.Text(l.Ref)
	case f.current.doc.Format == extract.WAT, f.current.doc.Format == extract.Markdown:
		return f.current.doc.LinkText(l.Start)
	}
	return ""
}

// FoundURI returns the URI of the file that the last [Finder.CheckTarget] found under another name.
// It returns "" if there was no such file.
func (f *Finder) FoundURI() string { return f.foundURI }
