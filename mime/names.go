package mime

import (
	"bytes"
	"strings"
	"sync"

	"absolink/base"
	"absolink/mime/internal/header"
	"absolink/resolve"
)

// names finds the part of a message that a reference names. It builds its tables when they are
// first needed. It is safe for concurrent use.
type names struct {
	m      *Message
	policy base.Policy // trusts all layers: its bases serve only for comparing
	outer  *base.Layer
	// distrusts is set if the policy of the caller distrusts some layers. Then the
	// caller may have resolved a reference to another URI than policy gives, so names resolves it
	// again.
	distrusts bool

	mu     sync.Mutex             // guards the fields below
	tables map[*Entity]*nameTable // by multipart/related; the key nil stands for the whole message
	bases  map[*Entity]*resolve.Base
	memo   base.Memo
}

// newNames returns the names of m. p is the policy of the caller, and outer are the layers around
// m.
func (m *Message) newNames(p *base.Policy, outer *base.Layer) *names {
	n := &names{m: m, outer: outer}
	if p != nil {
		n.policy = *p
	}
	n.distrusts = n.policy.Trust != base.TrustAll
	n.policy.Force = ""
	n.policy.FileBase = true
	n.policy.Trust = base.TrustAll
	return n
}

// InMessage returns a function that takes an entity e. It returns the function to set as
// [extract.Resolver.InMessage] for the document in e. That function reports whether a reference in
// e names a part of the same multipart/related, or of a multipart/related around it (RFC 2557
// Sections 8.2 and 8.3, RFC 2110 Section 8.2). value is the reference as written; uri is the
// resolved reference, or empty. The function for e is nil if e is outside of every
// multipart/related. All these functions are safe for concurrent use.
//
// A cid: URL is compared with Content-IDs. It is also compared with the Content-Locations of parts
// without a Content-ID, because browsers save cid: URLs there. Relative Content-Locations are
// resolved under the policy p, or the default policy if p is nil. Their base is the Content-Base of
// the same entity. Without a Content-Base, the base comes from the layers around the entity, with
// outer around all. The Trust of the policy does not matter, because names are only compared and
// never written.
func (m *Message) InMessage(p *base.Policy, outer *base.Layer) func(e *Entity) func(value, uri []byte) bool {
	n := m.newNames(p, outer)
	return func(e *Entity) func(value, uri []byte) bool {
		if !e.isRelated() {
			return nil
		}
		return func(value, uri []byte) bool { return n.findRelated(e, value, uri) != nil }
	}
}

// PartFinder returns a function that returns the part of m that a reference in e names, or nil.
// value is the reference as written; uri is the resolved reference, or empty. The function looks in
// each multipart/related around e by the rules of [Message.InMessage], and then in the whole
// message. It is safe for concurrent use.
func (m *Message) PartFinder(p *base.Policy, outer *base.Layer) func(e *Entity, value, uri []byte) *Entity {
	n := m.newNames(p, outer)
	return func(e *Entity, value, uri []byte) *Entity {
		if part := n.findRelated(e, value, uri); part != nil {
			return part
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		return n.findIn(nil, e, withoutFragment(value), uri)
	}
}

// isRelated reports whether e is in a multipart/related.
func (e *Entity) isRelated() bool {
	for a := e.Parent; a != nil; a = a.Parent {
		if a.mediaType == "multipart/related" {
			return true
		}
	}
	return false
}

// findRelated returns the part that a reference in e names, or nil. It looks in each
// multipart/related around e, the innermost first, and nowhere else.
func (n *names) findRelated(e *Entity, value, uri []byte) *Entity {
	n.mu.Lock()
	defer n.mu.Unlock()
	value = withoutFragment(value)
	for a := e.Parent; a != nil; a = a.Parent {
		if a.mediaType != "multipart/related" {
			continue
		}
		if part := n.findIn(a, e, value, uri); part != nil {
			return part
		}
	}
	return nil
}

// findIn returns the part that a reference in e names, or nil. It looks in related, a
// multipart/related, or in the whole message if related is nil. If the caller could not resolve the
// reference, or if its uri may be wrong, findIn resolves value. The caller must hold n.mu.
func (n *names) findIn(related, e *Entity, value, uri []byte) *Entity {
	table := n.table(related)
	if len(uri) > 0 {
		part := table.find(value, withoutFragment(uri))
		if part != nil || !n.distrusts {
			return part
		}
	}
	if len(value) == 0 {
		return nil
	}
	resolved, _ := n.base(e).Append(nil, value)
	return table.find(value, withoutFragment(resolved))
}

// Missing reports whether a reference as written is a cid: URL (RFC 2392) that names no part of the
// message of e or of the messages around it. It is safe for concurrent use.
func (e *Entity) Missing(value []byte) bool {
	id, ok := cidOf(withoutFragment(bytes.TrimFunc(value, isBlankOrControl)))
	if !ok {
		return false
	}
	for ; e != nil; e = e.m.enclosing {
		if e.m.hasID(id) {
			return false
		}
	}
	return true
}

// hasID reports whether a cid: URL with this id names a part of m.
func (m *Message) hasID(id string) bool {
	m.idsOnce.Do(func() {
		m.ids = make(map[string]*Entity)
		for part := range m.Root.All() {
			part.addContentIDs(m.ids)
			part.addCIDLocations(m.ids)
		}
	})
	return m.ids[id] != nil
}

// isBlankOrControl reports whether r is a blank or a C0 control. A URL may have these around it.
func isBlankOrControl(r rune) bool { return r <= ' ' }

// cidOf returns the Content-ID in a cid: URL. ok is false for other URLs.
func cidOf(uri []byte) (id string, ok bool) {
	if len(uri) < len(cid) || !strings.EqualFold(string(uri[:len(cid)]), cid) {
		return "", false
	}
	return resolve.Unescape(string(uri[len(cid):])), true
}

const cid = "cid:"

// ContentID returns the Content-ID of e (RFC 2045 Section 7) without brackets and comments, or an
// empty string. A field of encoded words is decoded.
func (e *Entity) ContentID() string {
	field, _ := e.Get("Content-ID")
	return reference(field)
}

// reference returns the value of a Content-Location without brackets, comments and blanks. It also
// reads a Content-ID, which has the same delimiters. It is empty if the value cannot be decoded.
func reference(field string) string {
	value, _ := (&base.Layer{Source: base.ContentLocation, Value: field}).Reference()
	return value
}

// addContentIDs adds e to ids under its Content-ID, unless another part has that ID. Programs write
// Content-IDs in many ways: with quotes, blanks, escapes or encoded words.
func (e *Entity) addContentIDs(ids map[string]*Entity) {
	field, k := e.Get("Content-ID")
	if k == 0 {
		return
	}
	words := header.Words(header.Unfold(field))
	for _, id := range [...]string{reference(field), reference(words), strings.Trim(words, "<> \t\"")} {
		e.addName(ids, id)
	}
}

// addCIDLocations adds e to ids under a Content-Location that is a cid: URL, unless another part
// has that name. It adds nothing if e has a Content-ID (RFC 2557 Section 9.5).
func (e *Entity) addCIDLocations(ids map[string]*Entity) {
	field, k := e.Get("Content-Location")
	if k == 0 || e.known[contentID].n > 0 {
		return
	}
	for _, v := range [...]string{reference(field), reference(header.Words(header.Unfold(field)))} {
		if len(v) > len(cid) && strings.EqualFold(v[:len(cid)], cid) {
			v, _, _ = strings.Cut(v, "#")
			e.addName(ids, v[len(cid):])
		}
	}
}

// addName adds e to names under a name, both as written and unescaped, unless another part has that
// name.
func (e *Entity) addName(names map[string]*Entity, name string) {
	for _, key := range [...]string{name, resolve.Unescape(name)} {
		if key != "" && names[key] == nil {
			names[key] = e
		}
	}
}

// location returns the reference in the Content-Location of e, or an empty string.
func (e *Entity) location() string {
	field, _ := e.Get("Content-Location")
	return reference(field)
}

// Location returns the Content-Location of e without its fragment, both as written and as an
// absolute URI. Both are empty if e has no Content-Location. uri is also empty if the field is
// relative and has no base. p is the policy for the base, or nil for the default policy. outer are
// the layers around the message, or nil.
func (e *Entity) Location(p *base.Policy, outer *base.Layer) (value, uri string) {
	value = e.location()
	if value == "" {
		return "", ""
	}
	value, _, _ = strings.Cut(value, "#")
	var policy base.Policy
	if p != nil {
		policy = *p
	}
	around, _ := e.locationLayer(outer)
	from, _ := around.Base(&policy)
	b, err := resolve.NewBase(from, policy.Rules)
	if err != nil {
		return value, ""
	}
	uri, _ = b.Resolve(value)
	return value, uri
}

// locationLayer returns the layers against which the Content-Location of e is resolved. These are
// the Content-Base of e itself (RFC 2110 Section 4.2, draft-fielding-uri-url-00e 5.1), then the
// layers around e. own is the layer of that Content-Base, or nil.
func (e *Entity) locationLayer(outer *base.Layer) (l, own *base.Layer) {
	if e.Parent != nil {
		outer = e.Parent.Layer(outer)
	}
	if field, k := e.Get("Content-Base"); k > 0 {
		own = &base.Layer{Source: base.ContentBase, Value: field, Part: e.Section, Outer: outer}
		return own, own
	}
	return outer, nil
}

func withoutFragment(uri []byte) []byte {
	uri, _, _ = bytes.Cut(uri, []byte("#"))
	return uri
}

// nameTable holds the parts of one multipart/related, or of the whole message, by their names. If
// several parts have the same name, the first counts.
type nameTable struct {
	uris         map[string]*Entity // by resolved Content-Location
	relative     map[string]*Entity // by relative Content-Location as written
	ids          map[string]*Entity // by Content-ID
	cidLocations map[string]*Entity // parts without a Content-ID, by a Content-Location that is a cid: URL
}

// find returns the part that a reference names, or nil.
func (p *nameTable) find(value, uri []byte) *Entity {
	if id, ok := cidOf(value); ok {
		if part := p.ids[id]; part != nil {
			return part
		}
		return p.cidLocations[id]
	}
	if len(uri) > 0 && p.uris[string(uri)] != nil {
		return p.uris[string(uri)]
	}
	return p.relative[string(value)]
}

// table returns the table of the parts below a multipart/related. It leaves out the parts of an
// inner multipart/related or an inner message. If related is nil, the table has all parts. The
// caller must hold n.mu.
func (n *names) table(related *Entity) *nameTable {
	p := n.tables[related]
	if p != nil {
		return p
	}
	p = &nameTable{map[string]*Entity{}, map[string]*Entity{}, map[string]*Entity{}, map[string]*Entity{}}
	if n.tables == nil {
		n.tables = make(map[*Entity]*nameTable)
	}
	n.tables[related] = p
	if related != nil {
		n.addBelow(p, related)
		return p
	}
	for part := range n.m.Root.All() {
		n.add(p, part)
	}
	return p
}

// addBelow adds the parts below e to p.
func (n *names) addBelow(p *nameTable, e *Entity) {
	for _, part := range e.Parts {
		n.add(p, part)
		if part.mediaType != "multipart/related" && !part.holdsMessage() {
			n.addBelow(p, part)
		}
	}
}

// add adds the names of e to p.
func (n *names) add(p *nameTable, e *Entity) {
	e.addContentIDs(p.ids)
	e.addCIDLocations(p.cidLocations)
	value := e.location()
	if value == "" {
		return
	}
	b, isOwn := n.locationBase(e)
	if uri, err := b.Resolve(value); err == nil {
		uri, _, _ = strings.Cut(uri, "#")
		addFirst(p.uris, uri, e)
	}
	if !isOwn && b.Form([]byte(value)) == resolve.Relative {
		addFirst(p.relative, value, e)
	}
}

// addFirst adds e to names, unless another part has that name.
func addFirst(names map[string]*Entity, name string, e *Entity) {
	if names[name] == nil {
		names[name] = e
	}
}

// locationBase returns the base of the Content-Location of e. isOwn reports whether the base comes
// from the Content-Base of e itself. If so, references in other parts have another base, so they do
// not name e by the mere text of its Content-Location.
func (n *names) locationBase(e *Entity) (b *resolve.Base, isOwn bool) {
	l, own := e.locationLayer(n.outer)
	if own == nil && e.Parent != nil {
		return n.base(e.Parent), false
	}
	b, from := n.newBase(l)
	return b, own != nil && from == own
}

// base returns the base of relative references in e. The caller must hold n.mu.
func (n *names) base(e *Entity) *resolve.Base {
	b := n.bases[e]
	if b != nil {
		return b
	}
	b, _ = n.newBase(e.Layer(n.outer))
	if n.bases == nil {
		n.bases = make(map[*Entity]*resolve.Base)
	}
	n.bases[e] = b
	return b
}

// newBase returns the base that layers give, and the layer that supplies it. A message without any
// base gets "thismessage:/" (RFC 2557 Section 5), which serves only for comparing.
func (n *names) newBase(l *base.Layer) (b *resolve.Base, from *base.Layer) {
	uri, from := n.memo.Base(l, &n.policy)
	b, err := resolve.NewBase(uri, n.policy.Rules)
	if err != nil || uri == "" {
		if b, err = resolve.NewBase("thismessage:/", n.policy.Rules); err != nil {
			panic("mime: " + err.Error())
		}
	}
	return b, from
}
