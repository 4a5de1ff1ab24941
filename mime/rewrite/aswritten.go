package rewrite

import (
	"iter"
	"slices"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve"
	"absolink/resolve/move"
)

// With the form AsWritten each link keeps its form. A link stays if it leads to the mapped URI from
// its new base. Otherwise a new reference of the same form is written, or an absolute URI.
//
// The new base is what a reader of the output finds. A BASE, xml:base or codebase may be mapped
// itself, and a document of a site has a new URI. Header fields stay, so parts of messages keep the
// base that their headings give.

// likeness holds the new bases of one document.
type likeness struct {
	outer  *base.Layer // d.Layer after the move
	d      *document.Document
	layers map[*base.Layer]*place // by the layers before the move
	bases  []baseLink
}

// place is the base of the links of one layer in the output.
type place struct {
	layer *base.Layer
	page  *move.Page // relative to the base; nil until it is needed, or without a base
	known bool       // page is set
}

// baseLink is a link that may be the value of a layer.
type baseLink struct {
	extract.Link
	leaves bool // the plan leaves it as it is written
}

// newLikeness returns the new bases of d, whose layers become outer.
func (p *Plan) newLikeness(d *document.Document, outer *base.Layer) *likeness {
	return &likeness{d: d, outer: outer, layers: make(map[*base.Layer]*place)}
}

// form returns the form of the links of d.
func (r *Rewriter) form(d *document.Document) move.Form {
	if d.Entity != nil {
		return r.Site.Messages
	}
	return r.Site.Form
}

// arrange yields the links of the document. If links have layers of their own, arrange first reads
// all links for those that are bases.
func (m *mover) arrange(links iter.Seq[extract.Link]) iter.Seq[extract.Link] {
	return func(yield func(extract.Link) bool) {
		var list []extract.Link
		read, layered := false, false
		for l := range links {
			if !read {
				read = true
				layered = m.d.Layered()
			}
			if layered {
				list = append(list, l)
			} else if !yield(l) {
				return
			}
		}
		m.like.readBases(list, m.p)
		for _, l := range list {
			if !yield(l) {
				return
			}
		}
	}
}

// readBases keeps the links of list that may be the values of layers.
func (k *likeness) readBases(list []extract.Link, p *Plan) {
	n := p.n
	for _, l := range list {
		if !l.Drop {
			n++
		}
		if k.isBase(&l.Ref) {
			k.bases = append(k.bases, baseLink{l, !l.Drop && p.leave != nil && p.leave(n)})
		}
	}
}

// isBase reports whether l may be the value of a layer.
func (k *likeness) isBase(l *extract.Ref) bool {
	return l.Element == "base" || l.Attr == "xml:base" || l.Attr == "codebase" ||
		l.Element == "link" && k.d.Format == extract.Feed
}

// gives reports whether the link l is the value of a layer.
func (l *baseLink) gives(layer *base.Layer) bool {
	switch layer.Source {
	case base.BaseElement:
		if l.Element != "base" {
			return false
		}
	case base.XMLBase:
		if l.Attr != "xml:base" {
			return false
		}
	case base.Codebase:
		if l.Attr != "codebase" {
			return false
		}
	case base.FeedLink:
		if l.Element != "link" {
			return false
		}
	default:
		return false
	}
	return l.Layer == layer.Outer && string(l.Value) == layer.Value
}

// place returns the place of the links with a layer.
func (m *mover) place(layer *base.Layer) *place {
	k := m.like
	if at := k.layers[layer]; at != nil {
		return at
	}
	at := &place{layer: m.newLayer(layer)}
	k.layers[layer] = at
	return at
}

// newLayer returns a layer as the output has it.
func (m *mover) newLayer(layer *base.Layer) *base.Layer {
	k := m.like
	switch {
	case layer == nil:
		return nil
	case layer == m.d.Layer:
		return k.outer
	case layer.Source.Layer() != base.BaseElement.Layer():
		return m.p.moved(layer)
	}
	outer := m.place(layer.Outer).layer
	value, dropped := m.newValue(layer)
	switch {
	case dropped:
		return outer
	case outer == layer.Outer && value == layer.Value:
		return layer
	}
	changed := *layer
	changed.Outer, changed.Value = outer, value
	return &changed
}

// newValue returns the value of a layer of the document in the output. dropped reports that the
// output lacks the layer.
func (m *mover) newValue(layer *base.Layer) (value string, dropped bool) {
	for i := range m.like.bases {
		b := &m.like.bases[i]
		if !b.gives(layer) {
			continue
		}
		if b.Drop {
			return "", true
		}
		problems := len(m.p.Problems)
		l := Link{Link: b.Link}
		text := m.moveAsWritten(&l)
		m.p.Problems = m.p.Problems[:problems] // found again when b is planned
		if !l.Change || m.d.ReadOnly() || b.leaves || !l.Holds(text) {
			break
		}
		return string(l.Fit(text)), false
	}
	return layer.Value, false
}

// moved returns a layer around the document in the output.
func (p *Plan) moved(layer *base.Layer) *base.Layer {
	if p.Message != nil && p.r.moves() && p.r.Site.Messages == move.AsWritten {
		return layer
	}
	return p.r.moved(layer, p.place)
}

// pageAt returns the page at the new base of l, or nil.
func (m *mover) pageAt(l *Link) *move.Page {
	at := m.place(l.Layer)
	if !at.known {
		at.known = true
		if uri, _ := at.layer.Base(&m.p.r.Resolver.Policy); uri != "" {
			at.page, _ = m.site.At(uri)
		}
	}
	return at.page
}

// leadsNow returns the URI to which a reference in the place of l leads in the output, or "".
func (m *mover) leadsNow(l *extract.Link, value []byte) string {
	at := m.place(l.Layer)
	moved := *l
	moved.Layer = at.layer
	return string(m.p.r.Resolver.Resolve(&moved, value))
}

// moveAsWritten is move for a link that keeps its form.
func (m *mover) moveAsWritten(l *Link) []byte {
	switch l.Status {
	case extract.Resolved, extract.AbsoluteRef, extract.SameDocument:
	default:
		l.Change = false
		return l.URI
	}
	if l.Status == extract.SameDocument && !l.Change {
		return l.URI
	}
	was := string(l.URI)
	uri, err := m.site.Map.Move(was, m.p.Written)
	if err != nil {
		m.unmoved(l, was+": "+err.Error())
		return l.URI
	}
	if l.Status == extract.AbsoluteRef && !m.partial(l) {
		if text, ok := m.strip(l, uri); ok {
			return text
		}
	}
	if l.Status != extract.Resolved {
		l.Change = l.Change || uri != was || slices.Contains(l.Warnings, "unwritable")
		return m.settleAsWritten(l, uri, uri)
	}
	if l.Change && l.Element == "base" && m.p.r.Resolver.BaseElement == extract.AbsolutizeBase {
		return m.settleAsWritten(l, uri, uri)
	}
	now := was
	if m.place(l.Layer).layer != l.Layer {
		now = m.leadsNow(&l.Link, l.Value)
	}
	l.Change = !m.sameBut(now, uri) && !m.partial(l)
	if !l.Change {
		l.URI = []byte(now)
		l.exact = true
		return l.URI
	}
	return m.settleAsWritten(l, uri, m.likeWritten(l, uri))
}

// sameBut reports whether now is uri, but for parameters that are only removed from absolute links.
func (m *mover) sameBut(now, uri string) bool {
	return now == uri || m.site.Map.StripTracking && m.site.Map.Strip(now) == uri
}

// settleAsWritten makes uri the URI of l, unless l must stay as it is written. It returns text.
func (m *mover) settleAsWritten(l *Link, uri, text string) []byte {
	if m.locked(l) || m.partial(l) {
		l.Change = false
		m.noteLeft(l, string(l.URI), uri)
	}
	if l.Change {
		l.URI = []byte(uri)
	}
	return []byte(text)
}

// partial reports whether l stays because it is a base, and links that the caller keeps may depend
// on it.
func (m *mover) partial(l *Link) bool { return m.p.r.Partial && m.like.isBase(&l.Ref) }

// likeWritten returns the new text of l for uri, in the form of l if there is one.
func (m *mover) likeWritten(l *Link, uri string) string {
	page := m.pageAt(l)
	if page == nil {
		return uri
	}
	value := string(l.Stripped())
	text := page.Like(value, uri)
	if !holdsStart(&l.Link, text) {
		if dotted := page.Dotted(uri); text != uri && holdsStart(&l.Link, dotted) {
			text = dotted
		}
	}
	named := m.p.r.Resolver.PartName
	if !l.Holds([]byte(text)) || m.leadsNow(&l.Link, []byte(text)) != uri || named != nil && named([]byte(text)) {
		return uri
	}
	return text
}

// movePatternAsWritten is movePattern for a document whose links keep their form.
func (m *mover) movePatternAsWritten(l *Link, n int) []byte {
	first := l.Value[:n]
	if n == 0 || l.Unsafe || l.Status == extract.Suspect {
		l.Change = false
		m.noteLeft(l, string(l.URI), m.site.Map.URI(string(l.URI)))
		return l.URI
	}
	was := string(m.p.r.Resolver.Resolve(&l.Link, first))
	uri, err := m.site.Map.Move(was, m.p.Written)
	if err != nil {
		m.unmoved(l, was+": "+err.Error())
		return l.URI
	}
	l.Change = was != "" && m.leadsNow(&l.Link, first) != uri
	if !l.Change {
		return l.URI
	}
	text := uri
	if page := m.pageAt(l); page != nil && l.Status == extract.Resolved {
		if ref := page.Like(string(first), uri); continues(ref) {
			text = ref
		}
	}
	text += string(l.Value[n:])
	l.URI = []byte(m.leadsNow(&l.Link, []byte(text)))
	return []byte(text)
}

// hasScheme reports whether the value of a link begins with a scheme.
func hasScheme(l *Link) bool { return resolve.Split(string(l.Stripped())).Scheme != "" }
