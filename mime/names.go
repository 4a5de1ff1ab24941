package mime

import (
	"bytes"
	"strings"
	"sync"

	"absolink/base"
	"absolink/mime/internal/header"
	"absolink/resolve"
)

// names holds the names by which references can mean parts of one message. It builds its
// tables when they are first needed. It is safe for concurrent use.
type names struct {
	policy base.Policy
	outer  *base.Layer
	own    bool // references are resolved here too, as their layers are not trusted

	mu      sync.Mutex
	related map[*Entity]*partNames
	bases   map[*Entity]*resolve.Base
	memo    base.Memo
}

// Names returns a function that gives, for an entity e, the [extract.Resolver.InMessage] of its
// documents (RFC 2557 Sections 8.2 and 8.3, RFC 2110 Section 8.2). The latter reports whether a
// reference in e names a part of the same or of a surrounding multipart/related: value is the
// reference as written, uri what it resolves to, or empty. It is nil if e lies in no
// multipart/related. Both functions are safe for concurrent use.
//
// Relative Content-Locations are resolved under the policy (nil for the default one) against the
// layers of their entities, with outer around them. The Trust of the policy does not matter:
// names are compared, not written.
func (m *Message) Names(p *base.Policy, outer *base.Layer) func(e *Entity) func(value, uri []byte) bool {
	n := &names{outer: outer}
	if p != nil {
		n.policy = *p
	}
	n.own = n.policy.Trust != base.TrustAll
	n.policy.Force, n.policy.FileBase, n.policy.Trust = "", true, base.TrustAll
	return n.in
}

// in returns what [Message.Names] gives of e.
func (n *names) in(e *Entity) func(value, uri []byte) bool {
	if !e.isRelated() {
		return nil
	}
	return func(value, uri []byte) bool { return n.has(e, value, uri) }
}

// isRelated reports whether e lies in a multipart/related.
func (e *Entity) isRelated() bool {
	for a := e.Parent; a != nil; a = a.Parent {
		if a.kind == "multipart/related" {
			return true
		}
	}
	return false
}

func (n *names) has(e *Entity, value, uri []byte) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	value = withoutFragment(value)
	for a := e.Parent; a != nil; a = a.Parent {
		if a.kind != "multipart/related" {
			continue
		}
		in := n.of(a)
		if len(uri) > 0 && in.has(value, withoutFragment(uri)) {
			return true
		}
		if (len(uri) == 0 || n.own) && len(value) > 0 {
			own, _ := n.base(e).Append(nil, value)
			if in.has(value, withoutFragment(own)) {
				return true
			}
		}
	}
	return false
}

// Missing reports whether a reference as written is a cid: URL (RFC 2392) that names no part
// anywhere in the message that e belongs to. It is safe for concurrent use.
func (e *Entity) Missing(value []byte) bool {
	id, ok := cidOf(withoutFragment(value))
	if !ok {
		return false
	}
	for ; e != nil; e = e.m.within {
		if e.m.hasID(id) {
			return false
		}
	}
	return true
}

// hasID reports whether a part of m has a Content-ID.
func (m *Message) hasID(id string) bool {
	m.once.Do(func() {
		m.ids = make(map[string]bool)
		for part := range m.Root.All() {
			addContentID(m.ids, part)
		}
	})
	return m.ids[id]
}

// cidOf returns the Content-ID that a cid: URL names.
func cidOf(uri []byte) (id string, ok bool) {
	if len(uri) < 4 || !strings.EqualFold(string(uri[:4]), "cid:") {
		return "", false
	}
	return resolve.Unescape(string(uri[4:])), true
}

func addContentID(ids map[string]bool, e *Entity) {
	if id, k := e.Get("Content-ID"); k > 0 {
		ids[strings.Trim(header.Unfold(id), "<> \t")] = true
	}
}

func withoutFragment(uri []byte) []byte {
	uri, _, _ = bytes.Cut(uri, []byte("#"))
	return uri
}

// partNames are the names of the parts of one multipart/related.
type partNames struct {
	uris      map[string]bool // Content-Locations, resolved
	relative  map[string]bool // relative ones as written
	contentID map[string]bool
}

func (p *partNames) has(value, uri []byte) bool {
	if id, ok := cidOf(value); ok {
		return p.contentID[id]
	}
	return len(value) > 0 && p.relative[string(value)] || len(uri) > 0 && p.uris[string(uri)]
}

// of returns the names of the parts below a multipart/related, but for those of
// an inner one and of messages inside.
func (n *names) of(related *Entity) *partNames {
	p := n.related[related]
	if p == nil {
		p = &partNames{map[string]bool{}, map[string]bool{}, map[string]bool{}}
		if n.related == nil {
			n.related = make(map[*Entity]*partNames)
		}
		n.related[related] = p
		n.collect(p, related)
	}
	return p
}

func (n *names) collect(p *partNames, e *Entity) {
	for _, part := range e.Parts {
		n.add(p, part)
		if part.kind != "multipart/related" && !part.message() {
			n.collect(p, part)
		}
	}
}

func (n *names) add(p *partNames, e *Entity) {
	addContentID(p.contentID, e)
	field, k := e.Get("Content-Location")
	location := base.Layer{Source: base.ContentLocation, Value: field}
	value, ok := location.Reference()
	if k == 0 || value == "" || !ok {
		return
	}
	b := n.base(e.Parent)
	if uri, err := b.Resolve(value); err == nil {
		uri, _, _ = strings.Cut(uri, "#")
		p.uris[uri] = true
	}
	if b.Form([]byte(value)) == resolve.Relative {
		p.relative[value] = true
	}
}

// base returns what relative names in e are resolved against. A message without
// any base has "thismessage:/" (RFC 2557 Section 5), for comparing only.
func (n *names) base(e *Entity) *resolve.Base {
	if b := n.bases[e]; b != nil {
		return b
	}
	uri, _ := n.memo.Base(e.Layer(n.outer), &n.policy)
	b, err := resolve.NewBase(uri, n.policy.Rules)
	if err != nil || uri == "" {
		if b, err = resolve.NewBase("thismessage:/", n.policy.Rules); err != nil {
			panic("mime: " + err.Error())
		}
	}
	if n.bases == nil {
		n.bases = make(map[*Entity]*resolve.Base)
	}
	n.bases[e] = b
	return b
}
