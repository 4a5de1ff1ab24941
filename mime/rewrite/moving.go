package rewrite

import (
	"slices"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve"
	"absolink/resolve/move"
)

// Three steps give the new text of a link. Its target is its current one, as an absolute URI. The
// target is mapped, once. The result is written in the requested form, relative to the new URI of
// the document.
//
// The relative forms are for pages, pictures, style sheets and manifests. Feeds, sitemaps and
// outlines are read far from their place, or must not hold relative links. Messages have no place
// in the site. Links in all of these become absolute, and so do links below a separate base inside
// a document (xml:base, codebase).

// mover decides how the links of one document change.
type mover struct {
	p      *Plan
	site   *move.Site
	d      *document.Document
	page   *move.Page // nil if the document has no URI of its own
	formed bool       // links to resources of the site are written in its form
	like   *likeness  // links keep their form; nil otherwise

	seals seals // of running text
	line  line
}

// mover returns the mover of d, or nil if nothing moves. It prepares the resolver for d.
func (p *Plan) mover(d *document.Document) *mover {
	if !p.r.moves() {
		return nil
	}
	site, r := p.r.Site, &p.r.Resolver
	m := &mover{p: p, site: site, d: d}
	if d.Entity == nil {
		m.page = p.locate(d)
	}
	if p.r.form(d) == move.AsWritten {
		m.like = p.newLikeness(d, p.moved(d.Layer))
		return m
	}
	if d.Entity != nil {
		return m
	}
	if m.page == nil || m.page.Form == move.Absolute || site.Form == move.Absolute || !placed(d.Format) {
		return m
	}
	r.BaseElement = extract.DropBase
	m.formed = d.Base() == d.Layer || drops(r, d)
	if !m.formed {
		r.BaseElement = p.base
	}
	return m
}

// locate returns the place of d in the site, or nil if it has none.
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
	p.place = page.URI("")
	return page
}

// placed reports whether documents of a format are read at their place and may have relative links.
// In all other documents, --to relative and the other forms make links absolute.
func placed(f extract.Format) bool {
	switch f {
	case extract.HTML, extract.XHTML, extract.XML, extract.SVG, extract.CSS, extract.Manifest:
		return true
	}
	return false
}

// drops reports whether the BASE of d can be dropped.
func drops(r *extract.Resolver, d *document.Document) bool {
	r.InMessage = nil
	for l := range r.Links(d.Doc) {
		if l.Drop {
			return true
		}
	}
	return false
}

// move decides whether l changes, sets its new URI, and returns the new text.
func (m *mover) move(l *Link) []byte {
	if isText(m.d.Format) || l.InText() && !m.d.Format.ListOnly() {
		return m.moveText(l)
	}
	if l.URI == nil && l.Status == extract.Unresolved && !l.ListOnly && !l.Unsure() {
		return m.restore(l)
	}
	if l.Status == extract.AbsoluteRef || l.Status == extract.Suspect ||
		l.Status == extract.Resolved && l.Kind == extract.KindScript {
		if known, open, whole := l.Known(); !whole && !m.d.Format.ListOnly() && !m.locked(l) &&
			(m.like == nil || open || hasScheme(l)) {
			if text, ok := m.start(l, known, open); ok {
				return text
			}
		}
	}
	if l.Status == extract.IdentifierRef {
		m.noteIdentifier(l)
	}
	if l.Drop || l.URI == nil || l.Status == extract.IdentifierRef || m.d.Format.ListOnly() {
		return l.URI
	}
	if n := l.Prefix(); n < len(l.Value) {
		return m.movePattern(l, n)
	}
	if m.like != nil {
		return m.moveAsWritten(l)
	}
	was := string(l.URI)
	if m.inCodebase(l) {
		l.Change = false
		return l.URI
	}
	uri, here, err := m.target(l, was)
	if err != nil {
		m.unmoved(l, was+": "+err.Error())
		return l.URI
	}
	if !here && l.Status == extract.AbsoluteRef {
		if text, ok := m.strip(l, uri); ok {
			return text
		}
	}
	if slices.Contains(l.Warnings, "unwritable") {
		l.Change = true // it would change; the new text may fit
	}
	l.Change = l.Change || m.changes(l, was, uri, here)
	text := uri
	if here {
		text, uri = m.reference(&l.Link, was, uri)
		if m.stays(&l.Link, text, uri) {
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

// inCodebase reports whether l leads from the codebase of its element to a file of the site. The
// codebase stays a directory, so l stays as it is written.
func (m *mover) inCodebase(l *Link) bool {
	return m.formed && m.site.Form == move.Disk && !l.Absolute && l.Status == extract.Resolved &&
		l.From != nil && l.From.Source == base.Codebase && m.site.Holds(l.Base, string(l.Value))
}

// unmoved leaves l as it is written, and records why, unless l is only listed.
func (m *mover) unmoved(l *Link, why string) {
	if !l.ListOnly {
		m.p.Problems = append(m.p.Problems, minor(m.d.Problem(l.Span, Unmoved, why)))
	}
	l.Change = false
}

// changes reports whether the move changes l. was is its old URI, uri its new one.
func (m *mover) changes(l *Link, was, uri string, here bool) bool {
	switch {
	case l.Status == extract.AbsoluteRef:
		return uri != was || here
	case l.Status != extract.Resolved:
		return false
	case l.Element == "base":
		return m.now(&l.Link) != uri
	case l.Absolute:
		return true // even if it is only listed
	case !l.ListOnly:
		return false // the resolver has decided
	case m.page == nil:
		return uri != was // no message moves
	}
	return m.site.Form != move.Absolute || uri != was || m.after(l, was) != uri
}

// locked reports whether l must stay as it is written.
func (m *mover) locked(l *Link) bool {
	return l.Unsafe || l.ListOnly && l.Doubtful
}

// after returns the URI to which l leads after the move if it stays as it is written. was is its
// URI now. The result is empty if it depends on changes of a layer around l.
func (m *mover) after(l *Link, was string) string {
	switch {
	case m.like != nil:
		return m.leadsNow(&l.Link, l.Value)
	case l.Status == extract.AbsoluteRef || m.page == nil:
		return was
	case l.Layer == m.d.Layer, l.Layer == m.d.Base() && m.formed:
		return m.now(&l.Link)
	case l.Layer != nil && l.Layer.Source == base.JSONBase && resolve.Split(l.Layer.Value).Scheme != "":
		return was // nothing changes an @base
	case l.Layer == m.d.Base() && m.site.Map.URI(l.Base) == l.Base:
		return was // this BASE does not change either
	}
	return ""
}

// noteLeft records that l stays as it is written, although it should lead to uri and now leads
// elsewhere. was is its old URI.
func (m *mover) noteLeft(l *Link, was, uri string) {
	if m.after(l, was) != uri {
		m.p.Problems = append(m.p.Problems, minor(m.d.Problem(l.Span, Left, uri)))
	}
}

// noteIdentifier records that l, an identifier, names something else from the new place of the
// document. Identifiers are never written, because programs compare them as text. On a disk they
// have no meaning.
func (m *mover) noteIdentifier(l *Link) {
	if m.page == nil || m.site.Form == move.Disk || l.URI == nil || resolve.Split(string(l.Value)).Scheme != "" {
		return
	}
	was := string(l.URI)
	if m.after(l, was) == "" {
		return // it moves with a layer around it
	}
	if uri, _, err := m.target(l, was); err == nil {
		m.noteLeft(l, was, uri)
	}
}

// reference returns the text for uri in the form of the site, and the URI to which the text leads.
// was is the old URI of l.
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
		return absolute, absolute // no path leads there, or its place takes none
	}
	return text, uri
}

// holdsStart reports whether the place of l can hold text, with its first byte unchanged.
func holdsStart(l *extract.Link, text string) bool {
	b := []byte(text)
	return l.Holds(b) && l.Fit(b)[0] == b[0]
}

// stays reports whether l may stay as it is written, because it already leads to uri. text is the
// new text that would be written.
func (m *mover) stays(l *extract.Link, text, uri string) bool {
	value := string(l.Value)
	return l.Status == extract.Resolved && m.page.Fits(value) &&
		m.now(l) == uri && (value == text || m.page.Inside(value, uri))
}

// target returns the new URI of l, and whether l is written in the form of the site. was is its old
// URI.
func (m *mover) target(l *Link, was string) (uri string, here bool, err error) {
	if !m.formed || l.Absolute || alwaysAbsolute(l) || l.Layer != m.d.Layer && l.Layer != m.d.Base() {
		uri, err = m.site.Map.Move(was, m.p.Written)
		return uri, false, err
	}
	if l.NamesDirectory() {
		if uri, here, err = m.site.MoveDirectory(was, m.p.Written); here || m.site.Form != move.Disk {
			return uri, here, err
		}
	}
	return m.site.Move(was, m.p.Written)
}

// alwaysAbsolute reports whether l is absolute in every form of the site. Such links are hosts to
// connect to, references of a meta or of JSON-LD, and absolute references that are only listed.
func alwaysAbsolute(l *Link) bool {
	return l.Kind == extract.KindHint ||
		l.ListOnly && (l.Kind == extract.KindMeta || l.Element == "meta" || l.Status != extract.Resolved)
}

// restore handles l, a reference without a base. If l leads into a web archive, it becomes the URI
// that was captured there. restore returns the new text.
func (m *mover) restore(l *Link) []byte {
	uri := m.site.Map.Original(string(l.Value))
	if uri == "" {
		return l.URI
	}
	uri, err := m.site.Map.Move(uri, m.p.Written)
	if err != nil {
		m.p.Problems = append(m.p.Problems, minor(m.d.Problem(l.Span, Unmoved, uri+": "+err.Error())))
		return l.URI
	}
	l.URI = []byte(uri)
	l.Change = true
	return l.URI
}

func minor(p document.Problem) document.Problem {
	p.Minor = true
	return p
}

// now returns the URI to which l, as it is written, leads from the new place of the document
// without its BASE.
func (m *mover) now(l *extract.Link) string {
	if m.page == nil {
		return string(l.URI)
	}
	return m.page.URI(string(l.Value))
}

// status returns the status of l in the output, with text as its new text. A nil mover makes all
// links absolute.
func (m *mover) status(l *extract.Link, text []byte) extract.Status {
	switch {
	case m == nil || string(text) == string(l.URI) || resolve.Split(string(text)).Scheme != "":
		return extract.AbsoluteRef
	case text[0] == '#':
		return extract.SameDocument
	}
	return extract.Resolved
}
