package rewrite

import (
	"cmp"
	"slices"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve"
	"absolink/resolve/move"
)

// What a link is to lead to is always decided by what it leads to now, as an absolute URI;
// then that is mapped, once; then it is written in the form that is asked for, relative to
// the URI that the document itself will have.
//
// A form other than absolute is for pages, pictures, style sheets and manifests. Feeds,
// sitemaps and outlines are read far from where they were retrieved from, or may not hold
// relative links at all; messages have no place in the site. They, and what has a base of
// its own inside of a document (xml:base, codebase), get absolute links.

// mover says what becomes of the links of one document.
type mover struct {
	p      *Plan
	site   *move.Site
	d      *document.Document
	page   *move.Page // nil if the document has no URI of its own
	formed bool       // links to what belongs to the site have its form
}

// mover returns that of d, nil if nothing moves. It sets the resolver up for d.
func (p *Plan) mover(d *document.Document) *mover {
	if !p.r.moves() {
		return nil
	}
	site, r := p.r.Site, &p.r.Resolver
	m := &mover{p: p, site: site, d: d}
	uri := cmp.Or(p.place, d.Layer.Retrieval(&r.Policy))
	if uri == "" || d.Entity != nil {
		return m
	}
	page, err := site.Page(uri)
	if err != nil {
		return m
	}
	m.page = page
	if site.Form == move.Absolute || !placed(d.Format) {
		return m
	}
	r.BaseElement = extract.DropBase
	if p.r.AnyDepth {
		page.Form = move.RootRelative
	}
	m.formed = d.Base() == d.Layer || !p.r.Chooses && drops(r, d)
	if !m.formed {
		r.BaseElement = p.base
	}
	return m
}

// placed reports whether documents of a format are read where they stand, and may have relative
// links: --to relative and the like make those of all others absolute.
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

// move decides whether l is to be changed, sets what it leads to then, and returns what is
// to be written.
func (m *mover) move(l *Link) []byte {
	if l.URI == nil && l.Status == extract.Unresolved && !l.ListOnly && !l.Unsure() {
		return m.restore(l)
	}
	if l.Status == extract.AbsoluteRef || l.Status == extract.Suspect ||
		l.Status == extract.Resolved && l.Kind == extract.KindScript {
		if known, open, whole := l.Known(); !whole && !m.d.Format.ListOnly() && !m.locked(l) {
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
	if slices.Contains(l.Warnings, "unwritable") {
		l.Change = true // as it would be; what is written instead may fit
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

// inCodebase reports whether l leads to a file from the codebase of its element, which stays a
// directory. It stays as it is written.
func (m *mover) inCodebase(l *Link) bool {
	return m.formed && m.site.Form == move.Disk && !l.Absolute && l.Status == extract.Resolved &&
		l.From != nil && l.From.Source == base.Codebase && m.site.Holds(l.Base, string(l.Value))
}

// unmoved leaves l as it is written, and notes why, unless l is listed only.
func (m *mover) unmoved(l *Link, why string) {
	if !l.ListOnly {
		m.p.Problems = append(m.p.Problems, minor(m.d.Problem(l.Span, Unmoved, why)))
	}
	l.Change = false
}

// changes reports whether the move changes l, which leads to was and is to lead to uri.
func (m *mover) changes(l *Link, was, uri string, here bool) bool {
	switch {
	case l.Status == extract.AbsoluteRef:
		return uri != was || here
	case l.Status != extract.Resolved:
		return false
	case l.Element == "base":
		return m.now(&l.Link) != uri
	case l.Absolute:
		return true // even if it is listed only
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

// after returns what l, which leads to was, leads to after the move if it stays as it is written;
// "" if that depends on what becomes of a layer around it.
func (m *mover) after(l *Link, was string) string {
	switch {
	case l.Status == extract.AbsoluteRef || m.page == nil:
		return was
	case l.Layer == m.d.Layer, l.Layer == m.d.Base() && m.formed:
		return m.now(&l.Link)
	case l.Layer != nil && l.Layer.Source == base.JSONBase && resolve.Split(l.Layer.Value).Scheme != "":
		return was // nothing changes an @base
	case l.Layer == m.d.Base() && m.site.Map.URI(l.Base) == l.Base:
		return was // nor this BASE
	}
	return ""
}

// noteLeft notes that l, which leads to was, stays as it is written and leads elsewhere than to
// uri now.
func (m *mover) noteLeft(l *Link, was, uri string) {
	if m.after(l, was) != uri {
		m.p.Problems = append(m.p.Problems, minor(m.d.Problem(l.Span, Left, uri)))
	}
}

// noteIdentifier notes that l, an identifier, names something else from the new place of the
// document. Identifiers are never written, since they are compared as they are. On a disk none of
// them means anything.
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

// reference returns what is written for uri in the form of the site, and what that leads to. l
// leads to was.
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

// holdsStart reports whether the place of l can hold text, and its first byte as it is.
func holdsStart(l *extract.Link, text string) bool {
	b := []byte(text)
	return l.Holds(b) && l.Fit(b)[0] == b[0]
}

// stays reports whether l, as it is written, does for uri, which text would be written for.
func (m *mover) stays(l *extract.Link, text, uri string) bool {
	value := string(l.Value)
	return l.Status == extract.Resolved && m.page.Fits(value) &&
		m.now(l) == uri && (value == text || m.page.Inside(value, uri))
}

// target returns what l, which leads to was, is to lead to, and whether it is written in the
// form that is asked for.
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

// alwaysAbsolute reports whether l is absolute in every form of the site: a host to connect to, a
// reference of a meta or of JSON-LD, and an absolute one that is listed only.
func alwaysAbsolute(l *Link) bool {
	return l.Kind == extract.KindHint ||
		l.ListOnly && (l.Kind == extract.KindMeta || l.Element == "meta" || l.Status != extract.Resolved)
}

// restore has l, which has no base, changed if it leads into a web archive, to what was
// captured there, and returns what is written.
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

// now returns what l, as it is written, leads to from the place of the document in
// the output, without its BASE.
func (m *mover) now(l *extract.Link) string {
	if m.page == nil {
		return string(l.URI)
	}
	return m.page.URI(string(l.Value))
}

// status returns that of l in the output, if text is written for it. A nil mover
// makes all absolute.
func (m *mover) status(l *extract.Link, text []byte) extract.Status {
	switch {
	case m == nil || string(text) == string(l.URI) || resolve.Split(string(text)).Scheme != "":
		return extract.AbsoluteRef
	case text[0] == '#':
		return extract.SameDocument
	}
	return extract.Resolved
}
