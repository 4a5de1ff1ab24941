package rewrite

import (
	"slices"
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve"
	"absolink/resolve/move"
)

// Three steps give the new text of a link. The link is resolved to an absolute URI. The rules of
// the map are applied to that URI, once. The result is written in the form of the site, relative to
// the new URI of the document.
//
// The relative forms are for pages, pictures, style sheets, manifests and Markdown. Programs read
// feeds, sitemaps and outlines away from their site, so links in these documents become absolute.
// Links with a base of their own (xml:base, codebase) become absolute too. Messages have no URI in
// the site: Site.Messages is the form of their links. With the form AsWritten, links keep their
// form in every document: see aswritten.go.

// mover decides how the links of one document change.
type mover struct {
	p        *Plan
	site     *move.Site
	d        *document.Document
	page     *move.Page // nil if the document has no URI of its own
	usesForm bool       // links to resources of the site are written in the form of the site
	bases    *newBases  // nil unless links keep their form

	// for URLs in running text
	seals seals
	line  editedLine
}

// mover returns the mover of d, or nil if nothing moves. It also decides whether the resolver drops
// the BASE of d. Afterwards the caller must prepare the resolver for d.
func (p *Plan) mover(d *document.Document) *mover {
	if !p.r.moves() {
		return nil
	}
	site, r := p.r.Site, p.r
	m := &r.mover
	*m = mover{p: p, site: site, d: d}
	if d.Entity == nil {
		m.page = p.locate(d)
	}
	if r.form(d) == move.AsWritten {
		r.bases.reset(d, p.movedLayer(d.Layer))
		m.bases = &r.bases
		return m
	}
	if d.Entity != nil {
		return m
	}
	if m.page == nil || m.page.Form == move.Absolute || site.Form == move.Absolute || !takesRelative(d.Format) {
		return m
	}
	r.Resolver.BaseElement = extract.DropBase
	m.usesForm = d.Base() == d.Layer || dropsBase(&r.Resolver, d)
	if !m.usesForm {
		r.Resolver.BaseElement = p.base
	}
	return m
}

// locate returns the page of d in the site, or nil if d has none. It sets p.newURI if Locate gives
// the page.
func (p *Plan) locate(d *document.Document) *move.Page {
	if p.r.Locate == nil {
		uri := d.Layer.Retrieval(&p.r.Resolver.Policy)
		if uri == "" {
			return nil
		}
		page, _ := p.r.Site.Page(uri) // nil after an error
		return page
	}
	page, err := p.r.Locate(d)
	if err != nil || page == nil {
		return nil
	}
	p.newURI = page.URI("")
	return page
}

// takesRelative reports whether documents of a format may have relative links. In all other
// documents, every form of the site except AsWritten makes links absolute.
func takesRelative(f extract.Format) bool {
	switch f {
	case extract.HTML, extract.XHTML, extract.XML, extract.SVG, extract.CSS, extract.Manifest,
		extract.Markdown:
		return true
	}
	return false
}

// dropsBase reports whether r drops the BASE of d. It clears r.InMessage, which is for the document
// before d. Prepare sets it for d.
func dropsBase(r *extract.Resolver, d *document.Document) bool {
	r.InMessage = nil
	for l := range r.Links(d.Doc) {
		if l.Drop {
			return true
		}
	}
	return false
}

// move decides whether l changes. If l changes, move sets the new URI of l, and returns the new
// text.
func (m *mover) move(l *Link) []byte {
	listOnly := m.d.Format.ListOnly()
	if isText(m.d.Format) || l.InText() && !listOnly {
		return m.moveText(l)
	}
	if l.URI == nil && l.Status == extract.Unresolved && !l.ListOnly && !l.Unsure() {
		return m.restore(l)
	}
	if known, open, ok := m.knownStart(l); ok {
		if text, done := m.moveStart(l, known, open); done {
			return text
		}
	}
	switch {
	case l.Status == extract.IdentifierRef:
		m.noteIdentifier(l)
		return l.URI
	case l.Drop || l.URI == nil || listOnly:
		return l.URI
	}
	if n := l.Prefix(); n < len(l.Value) {
		return m.movePattern(l, n)
	}
	if m.bases != nil {
		return m.moveAsWritten(l)
	}
	return m.moveToForm(l)
}

// knownStart returns the length of the known start of l if a template or a script may append more
// to l. open reports whether the document has more after the start: see [extract.Ref.Known]. ok is
// true only if l is an absolute URL or a URL in a script, may continue after the start, and may be
// edited.
func (m *mover) knownStart(l *Link) (n int, open, ok bool) {
	switch {
	case l.Status == extract.AbsoluteRef, l.Status == extract.Suspect:
	case l.Status == extract.Resolved && l.Kind == extract.KindScript:
	default:
		return 0, false, false
	}
	n, open, whole := l.Known()
	if whole || m.d.Format.ListOnly() || m.locked(l) {
		return 0, false, false
	}
	return n, open, m.bases == nil || open || hasScheme(l)
}

// moveToForm is move for a link that is replaced as a whole, by a reference in the form of the site
// or by an absolute URI.
func (m *mover) moveToForm(l *Link) []byte {
	was := string(l.URI)
	if m.inCodebase(l) {
		l.Change = false
		return nil
	}
	uri, inSiteForm, err := m.target(l, was)
	if err != nil {
		m.unmoved(l, was+": "+err.Error())
		return nil
	}
	if !inSiteForm && l.Status == extract.AbsoluteRef {
		if text, ok := m.strip(l, uri); ok {
			return text
		}
	}
	if slices.Contains(l.Warnings, "unwritable") {
		l.Change = true // the text of the resolver did not fit; the new text may fit
	}
	l.Change = l.Change || m.changes(l, was, uri, inSiteForm)
	text := uri
	if inSiteForm {
		text, uri = m.reference(&l.Link, was, uri)
		if m.alreadyLeads(&l.Link, text, uri) {
			l.Change = false
		}
	}
	if m.locked(l) {
		l.Change = false
		m.noteLeft(l, was, uri)
	}
	if l.Change {
		l.URI = []byte(uri)
	}
	return []byte(text)
}

// inCodebase reports whether l, as it is written, leads from the codebase of its element to a file
// of the site on the disk. The codebase moves together with its files, so l stays as it is written.
func (m *mover) inCodebase(l *Link) bool {
	return m.usesForm && m.site.Form == move.Disk && !l.Absolute && l.Status == extract.Resolved &&
		l.From != nil && l.From.Source == base.Codebase && m.site.SameFile(l.Base, string(l.Value))
}

// unmoved leaves l as it is written. Unless l is only listed, a problem of the plan says why.
func (m *mover) unmoved(l *Link, why string) {
	if !l.ListOnly {
		m.p.Problems = append(m.p.Problems, minor(m.d.Problem(l.Span, Unmoved, why)))
	}
	l.Change = false
}

// changes reports whether the move changes l, which the resolver does not change. was is the old
// URI of l, and uri is the new one. inSiteForm reports whether l is written in the form of the
// site.
func (m *mover) changes(l *Link, was, uri string, inSiteForm bool) bool {
	switch {
	case l.Status == extract.AbsoluteRef:
		return uri != was || inSiteForm
	case l.Status != extract.Resolved || strings.HasPrefix(was, "thismessage:"): // no program finds such a URI
		return false
	case l.Element == "base":
		return m.uriAtNewPlace(&l.Link) != uri
	case l.Absolute:
		return true // even if it is only listed
	case m.page == nil:
		return uri != was // a message has no URI of its own that could move
	}
	return m.site.Form != move.Absolute || uri != was || m.uriIfUnchanged(l, was) != uri
}

// locked reports whether l must stay as it is written.
func (m *mover) locked(l *Link) bool {
	return l.Unsafe || l.ListOnly && l.Doubtful
}

// uriIfUnchanged returns the URI that l has in the output if it stays as it is written. was is the
// old URI of l. The result is "" if the URI depends on changes of a layer around l.
func (m *mover) uriIfUnchanged(l *Link, was string) string {
	switch {
	case m.bases != nil:
		return m.resolveInOutput(&l.Link, l.Value)
	case l.Status == extract.AbsoluteRef || m.page == nil:
		return was
	case l.Layer == m.d.Layer, l.Layer == m.d.Base() && m.usesForm:
		return m.uriAtNewPlace(&l.Link)
	case l.Layer != nil && l.Layer.Source == base.JSONBase && resolve.Split(l.Layer.Value).Scheme != "":
		return was // nothing changes an @base
	case l.Layer == m.d.Base() && m.site.Map.URI(l.Base) == l.Base:
		return was // this BASE stays as well
	}
	return ""
}

// noteLeft records a problem if l, which stays as it is written, does not lead to uri in the
// output. was is the old URI of l.
func (m *mover) noteLeft(l *Link, was, uri string) {
	if m.uriIfUnchanged(l, was) != uri {
		m.p.Problems = append(m.p.Problems, minor(m.d.Problem(l.Span, Left, uri)))
	}
}

// noteIdentifier records a problem if l, a relative identifier, gets another URI from the new place
// of the document. Identifiers are never edited, because programs compare them as text. They have
// no meaning on a disk.
func (m *mover) noteIdentifier(l *Link) {
	if m.page == nil || m.site.Form == move.Disk || l.URI == nil || resolve.Split(string(l.Value)).Scheme != "" {
		return
	}
	was := string(l.URI)
	if m.uriIfUnchanged(l, was) == "" {
		return // a changed layer around l gives the new URI
	}
	if uri, _, err := m.target(l, was); err == nil {
		m.noteLeft(l, was, uri)
	}
}

// reference returns the new text of l for uri, in the form of the site if l can hold it, and the
// URI of that text. was is the old URI of l.
func (m *mover) reference(l *extract.Link, was, uri string) (text, leads string) {
	text = m.page.Reference(uri)
	if !holdsStart(l, text) {
		if dotted := m.page.Dotted(uri); holdsStart(l, dotted) {
			text = dotted
		}
	}
	absolute := uri
	if m.page.Form == move.Disk {
		absolute = m.site.Map.URI(was)
	}
	if text == uri || !l.Holds([]byte(text)) && l.Holds([]byte(absolute)) {
		return absolute, absolute // no relative path leads to uri, or l cannot hold one
	}
	return text, uri
}

// holdsStart reports whether the document can hold text in place of l, and keeps the first byte of
// text.
func holdsStart(l *extract.Link, text string) bool {
	b := []byte(text)
	return l.Holds(b) && l.Fit(b)[0] == b[0]
}

// alreadyLeads reports whether l leads to uri from the new place of the document, in an accepted
// form. Such a link stays as it is written. text is the text that would replace it.
func (m *mover) alreadyLeads(l *extract.Link, text, uri string) bool {
	value := string(l.Value)
	return l.Status == extract.Resolved && m.page.Fits(value) &&
		m.uriAtNewPlace(l) == uri && (value == text || m.page.Inside(value, uri))
}

// target returns the new URI of l. inSiteForm reports whether l is written in the form of the site.
// was is the old URI of l.
func (m *mover) target(l *Link, was string) (uri string, inSiteForm bool, err error) {
	if !m.usesForm || l.Absolute || alwaysAbsolute(l) || l.Layer != m.d.Layer && l.Layer != m.d.Base() {
		uri, err = m.site.Map.Move(was, m.p.Written)
		return uri, false, err
	}
	if l.NamesDirectory() {
		if uri, inSiteForm, err = m.site.MoveDirectory(was, m.p.Written); inSiteForm || m.site.Form != move.Disk {
			return uri, inSiteForm, err
		}
	}
	return m.site.Move(was, m.p.Written)
}

// alwaysAbsolute reports whether every form of the site makes l absolute. Such links are hosts to
// connect to, and addresses of an amp-analytics. A link that is only listed is always absolute if
// it is in a meta or in JSON-LD, or is absolute already.
func alwaysAbsolute(l *Link) bool {
	analytics := l.Element == "script" && l.Attr == "" && l.Kind == extract.KindService && !l.ListOnly
	return l.Kind == extract.KindHint || analytics ||
		l.ListOnly && (l.Kind == extract.KindMeta || l.Element == "meta" || l.Status != extract.Resolved)
}

// restore returns the new text of l, a reference without a base. If the value of l is a path in a
// web archive, its original URI replaces l.
func (m *mover) restore(l *Link) []byte {
	uri := m.site.Map.Original(string(l.Value))
	if uri == "" {
		return nil
	}
	uri, err := m.site.Map.Move(uri, m.p.Written)
	if err != nil {
		m.p.Problems = append(m.p.Problems, minor(m.d.Problem(l.Span, Unmoved, uri+": "+err.Error())))
		return nil
	}
	l.URI = []byte(uri)
	l.Change = true
	return l.URI
}

// minor returns p as a minor problem.
func minor(p document.Problem) document.Problem {
	p.Minor = true
	return p
}

// uriAtNewPlace returns the URI of l, as it is written, with the new URI of the document as base.
// If the document has no URI of its own, uriAtNewPlace returns the old URI of l.
func (m *mover) uriAtNewPlace(l *extract.Link) string {
	if m.page == nil {
		return string(l.URI)
	}
	return m.page.URI(string(l.Value))
}

// status returns the status, in the output, of a link that is replaced by text. A nil mover makes
// all links absolute.
func (m *mover) status(text []byte) extract.Status {
	switch {
	case m == nil || resolve.Split(string(text)).Scheme != "":
		return extract.AbsoluteRef
	case text[0] == '#':
		return extract.SameDocument
	}
	return extract.Resolved
}
