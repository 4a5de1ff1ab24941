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

// With the form AsWritten each link keeps its form. The map gives the new URI of a link. If the
// text of the link, with its base in the output, resolves to this URI, the link stays as it is
// written. Otherwise a reference of the same form that resolves to the new URI replaces the text.
// If there is no such reference, the new URI itself replaces it.
//
// The base of a link may be different in the output. The plan may edit a BASE, xml:base or
// codebase, and a page of a site has a new URI. Header fields never change, so parts of messages
// keep the base from their header fields.
//
// baseInOutput, newLayer, newValue and moveAsWritten call each other: the base of a link comes from
// a layer, and the new value of the layer is the new text of another link, such as a BASE. The base
// of that other link comes from the next outer layer. So the recursion ends at the layer of the
// document.

// newBases holds the bases that the links of one document have in the output.
type newBases struct {
	outer  *base.Layer // d.Layer as it is in the output
	d      *document.Document
	layers map[*base.Layer]*outputBase // the keys are layers of the input
	links  []baseLink
}

// outputBase is the base, in the output, of all links with one layer of the input.
type outputBase struct {
	layer    *base.Layer // the layer in the output
	page     *move.Page  // the page at the URI of the base; nil if there is none, or if it is not looked up yet
	lookedUp bool        // page was looked up
}

// baseLink is a link that may give the value of a layer, such as a BASE.
type baseLink struct {
	extract.Link
	staysAsWritten bool // the plan must not edit it
}

// reset makes k the new bases of d, and reuses its memory. outer is d.Layer as it is in the output.
func (k *newBases) reset(d *document.Document, outer *base.Layer) {
	if len(k.layers) > maxKeptLayers || k.layers == nil {
		k.layers = make(map[*base.Layer]*outputBase)
	}
	clear(k.layers)
	clear(k.links)
	k.d, k.outer, k.links = d, outer, k.links[:0]
}

// maxKeptLayers is the largest number of layers of a document whose memory is kept.
const maxKeptLayers = 16

// form returns the form of the links of d.
func (r *Rewriter) form(d *document.Document) move.Form {
	if d.Entity != nil {
		return r.Site.Messages
	}
	return r.Site.Form
}

// needsBasesFirst reports whether all links of the current document must be read before the first
// one is planned, because some of them may be bases of others. The document must have been read.
func (p *Plan) needsBasesFirst() bool {
	m := p.doc.mover
	return m != nil && m.bases != nil && p.doc.Layered()
}

// addBases adds the links of list that may give the values of layers. p plans the document.
func (k *newBases) addBases(list []extract.Link, p *Plan) {
	n := p.n
	for _, l := range list {
		if !l.Drop {
			n++
		}
		if k.isBase(&l.Ref) {
			stays := !l.Drop && p.staysAsWritten != nil && p.staysAsWritten(n)
			k.links = append(k.links, baseLink{l, stays})
		}
	}
}

// isBase reports whether l may give the value of a layer.
func (k *newBases) isBase(l *extract.Ref) bool {
	return l.Element == "base" || l.Attr == "xml:base" || l.Attr == "codebase" ||
		isFeedLink(l, k.d.Format)
}

// isFeedLink reports whether l may give the base for the HTML of a feed.
func isFeedLink(l *extract.Ref, f extract.Format) bool {
	switch f {
	case extract.Feed:
		return l.Element == "link"
	case extract.JSONFeed:
		return l.Element == "item" && l.Attr == "url" || l.Element == "feed" && l.Attr == "home_page_url"
	}
	return false
}

// isValueOf reports whether the link l gives the value of a layer.
func (l *baseLink) isValueOf(layer *base.Layer) bool {
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
		if l.Attr == "xml:base" {
			return false
		}
		if l.Status == extract.AbsoluteRef {
			// An absolute link needs no base, so its text alone is compared. Its layer may differ
			// from layer.Outer: for an item, layer.Outer may be the layer of the channel.
			return string(l.Value) == layer.Value
		}
	default:
		return false
	}
	return l.Layer == layer.Outer && string(l.Value) == layer.Value
}

// baseInOutput returns the base, in the output, of all links with this layer in the input. It
// computes each base once.
func (m *mover) baseInOutput(layer *base.Layer) *outputBase {
	k := m.bases
	if at := k.layers[layer]; at != nil {
		return at
	}
	at := &outputBase{layer: layer} // until newLayer returns: it may ask for the base of layer itself
	k.layers[layer] = at
	at.layer = m.newLayer(layer)
	return at
}

// newLayer returns the layer of the output that corresponds to a layer of the input.
func (m *mover) newLayer(layer *base.Layer) *base.Layer {
	k := m.bases
	switch {
	case layer == nil:
		return nil
	case layer == m.d.Layer:
		return k.outer
	}
	outer := m.baseInOutput(layer.Outer).layer
	value := m.newValue(layer)
	if outer == layer.Outer && value == layer.Value {
		return layer
	}
	changed := *layer
	changed.Outer, changed.Value = outer, value
	return &changed
}

// newValue returns the value, in the output, of a layer of the document. It is the new text of the
// link that gives the value. If this link is dropped, the value is "", so the base of the next
// outer layer counts.
func (m *mover) newValue(layer *base.Layer) string {
	for i := range m.bases.links {
		b := &m.bases.links[i]
		if !b.isValueOf(layer) {
			continue
		}
		if b.Drop {
			return ""
		}
		problems := len(m.p.Problems)
		l := Link{Link: b.Link}
		text := m.moveAsWritten(&l)
		m.p.Problems = m.p.Problems[:problems] // these problems are added again when b itself is planned
		if !l.Change || m.d.ReadOnly() || b.staysAsWritten || !l.Holds(text) {
			return layer.Value
		}
		return string(l.Fit(text))
	}
	return layer.Value
}

// movedLayer returns the layer of the output that corresponds to a layer around the document.
func (p *Plan) movedLayer(layer *base.Layer) *base.Layer {
	if p.Message != nil && p.r.moves() && p.r.Site.Messages == move.AsWritten {
		return layer
	}
	return p.r.movedLayer(layer, p.newURI)
}

// pageAt returns the page at the URI of the base of l in the output, or nil.
func (m *mover) pageAt(l *Link) *move.Page {
	at := m.baseInOutput(l.Layer)
	if !at.lookedUp {
		at.lookedUp = true
		if uri, _ := at.layer.Base(&m.p.r.Resolver.Policy); uri != "" {
			at.page, _ = m.site.At(uri)
		}
	}
	return at.page
}

// resolveInOutput returns the URI to which value, a reference in the place of l, resolves in the
// output. It returns "" if value does not resolve.
func (m *mover) resolveInOutput(l *extract.Link, value []byte) string {
	at := m.baseInOutput(l.Layer)
	moved := *l
	moved.Layer = at.layer
	return string(m.p.r.Resolver.Resolve(&moved, value))
}

// moveAsWritten is move for a link that keeps its form and is replaced as a whole.
func (m *mover) moveAsWritten(l *Link) []byte {
	if m.staysAbsolute(l) {
		return nil
	}
	switch l.Status {
	case extract.Resolved, extract.AbsoluteRef:
	case extract.SameDocument:
		if !l.Change {
			return nil
		}
	default:
		l.Change = false
		return nil
	}
	was := string(l.URI)
	uri, err := m.site.Map.Move(was, m.p.Written)
	if err != nil {
		m.unmoved(l, was+": "+err.Error())
		return nil
	}
	if l.Status == extract.AbsoluteRef && !m.keptBase(l) {
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
	unchanged := was // the URI of l in the output if l stays as it is written
	if m.baseInOutput(l.Layer).layer != l.Layer {
		unchanged = m.resolveInOutput(&l.Link, l.Value)
	}
	l.Change = !m.sameTarget(unchanged, uri) && !m.keptBase(l)
	if !l.Change {
		if unchanged != was {
			l.URI = []byte(unchanged)
		}
		l.uriInOutput = true
		return nil
	}
	return m.settleAsWritten(l, uri, m.sameFormText(l, uri))
}

// staysAbsolute reports whether l is an absolute link that stays as it is written, because no rule
// concerns it.
func (m *mover) staysAbsolute(l *Link) bool {
	return l.Status == extract.AbsoluteRef && !l.Change && !slices.Contains(l.Warnings, "unwritable") &&
		!m.locked(l) && !m.keptBase(l) && !m.site.Map.Concerns(l.URI)
}

// sameTarget reports whether now is uri, or becomes uri without its tracking parameters. Tracking
// parameters are only removed from absolute links.
func (m *mover) sameTarget(now, uri string) bool {
	return now == uri || m.site.Map.StripTracking && m.site.Map.Strip(now) == uri
}

// settleAsWritten sets the URI of l to uri and returns text if l changes. If l stays, it returns
// nil. If l must stay as it is written, settleAsWritten also records that l does not lead to uri.
func (m *mover) settleAsWritten(l *Link, uri, text string) []byte {
	if m.locked(l) || m.keptBase(l) {
		l.Change = false
		m.noteLeft(l, string(l.URI), uri)
	}
	if !l.Change {
		return nil
	}
	l.URI = []byte(uri)
	return []byte(text)
}

// keptBase reports whether l stays because it is a base. Links that the caller keeps may depend on
// it: see [Rewriter.Partial].
func (m *mover) keptBase(l *Link) bool { return m.p.r.Partial && m.bases.isBase(&l.Ref) }

// sameFormText returns the new text of l for uri. The text has the form of l if such a text leads
// to uri and the document can hold it. Otherwise the text is uri itself.
func (m *mover) sameFormText(l *Link, uri string) string {
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
	isPartName := m.p.r.Resolver.PartName
	switch {
	case !l.Holds([]byte(text)), m.resolveInOutput(&l.Link, []byte(text)) != uri:
		return uri
	case isPartName != nil && isPartName([]byte(text)):
		return uri // text would name a part of the message
	}
	return text
}

// movePatternAsWritten is movePattern for a document whose links keep their form. The first n bytes
// of l are a URL.
func (m *mover) movePatternAsWritten(l *Link, n int) []byte {
	first := l.Value[:n]
	if n == 0 || l.Unsafe || l.Status == extract.Suspect {
		l.Change = false
		m.noteLeft(l, string(l.URI), m.site.Map.URI(string(l.URI)))
		return nil
	}
	was := string(m.p.r.Resolver.Resolve(&l.Link, first))
	uri, err := m.site.Map.Move(was, m.p.Written)
	if err != nil {
		m.unmoved(l, was+": "+err.Error())
		return nil
	}
	l.Change = was != "" && m.resolveInOutput(&l.Link, first) != uri
	if !l.Change {
		return nil
	}
	text := uri
	rest := string(l.Value[n:])
	if page := m.pageAt(l); page != nil && l.Status == extract.Resolved {
		if ref := page.Like(string(first), uri); continues(ref, rest) {
			text = ref
		}
	}
	if strings.HasSuffix(string(l.URI), rest) { // rest may have names in braces, which are not encoded: see pattern.go
		l.URI = []byte(m.resolveInOutput(&l.Link, []byte(text)) + rest)
	} else {
		l.URI = []byte(m.resolveInOutput(&l.Link, []byte(text+rest)))
	}
	return []byte(text + rest)
}

// hasScheme reports whether the value of a link begins with a scheme.
func hasScheme(l *Link) bool { return resolve.Split(string(l.Stripped())).Scheme != "" }
