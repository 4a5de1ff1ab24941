package mime

import (
	"bytes"
	"strings"

	"absolink/base"
	"absolink/resolve"
)

// Names knows by what names references can mean parts of one message (RFC 2557
// Sections 8.2 and 8.3, RFC 2110 Section 8.2). It builds its tables when they
// are first needed and is not safe for concurrent use.
type Names struct {
	policy  base.Policy
	outer   *base.Layer
	related map[*Entity]*partNames
}

// Names returns the names of the parts of m. Relative Content-Locations are
// resolved under the policy (nil for the default one) against the layers of their
// entities, the outermost in outer.
func (m *Message) Names(p *base.Policy, outer *base.Layer) *Names {
	n := &Names{outer: outer, related: map[*Entity]*partNames{}}
	if p != nil {
		n.policy = *p
	}
	n.policy.Force, n.policy.FileBase = "", true
	return n
}

// Names reports whether a reference in e names a part of the same or a
// surrounding multipart/related, under the default policy and without a
// retrieval URI. value is the reference as written, uri what it resolves to or
// nil. For more than a few references take Message.Names.
func (e *Entity) Names(value, uri []byte) bool {
	return e.m.Names(nil, nil).For(e)(value, uri)
}

// For returns the function that reports whether a reference in e names a part
// of the same or of a surrounding multipart/related. It is what
// extract.Resolver.InMessage asks for; value is the reference as written, uri
// what it resolves to or empty.
func (n *Names) For(e *Entity) func(value, uri []byte) bool {
	var around []*partNames
	for a := e.Parent; a != nil; a = a.Parent {
		if a.kind == "multipart/related" {
			around = append(around, n.of(a))
		}
	}
	if len(around) == 0 {
		return func(_, _ []byte) bool { return false }
	}
	var own *resolve.Base
	return func(value, uri []byte) bool {
		value, _, _ = bytes.Cut(value, []byte("#"))
		if len(uri) == 0 && len(value) > 0 {
			if own == nil {
				own = n.base(e)
			}
			uri, _ = own.Append(nil, value)
		}
		uri, _, _ = bytes.Cut(uri, []byte("#"))
		for _, p := range around {
			if p.has(value, uri) {
				return true
			}
		}
		return false
	}
}

// partNames are the names of the parts of one multipart/related.
type partNames struct {
	uris      map[string]bool // Content-Locations, resolved
	relative  map[string]bool // relative ones as written
	contentID map[string]bool
}

func (p *partNames) has(value, uri []byte) bool {
	if len(value) >= 4 && strings.EqualFold(string(value[:4]), "cid:") {
		return p.contentID[percentDecoded(string(value[4:]))]
	}
	return len(value) > 0 && p.relative[string(value)] || len(uri) > 0 && p.uris[string(uri)]
}

// of returns the names of the parts below a multipart/related, but for those of
// an inner one and of messages inside.
func (n *Names) of(related *Entity) *partNames {
	p := n.related[related]
	if p == nil {
		p = &partNames{map[string]bool{}, map[string]bool{}, map[string]bool{}}
		n.related[related] = p
		n.collect(p, related)
	}
	return p
}

func (n *Names) collect(p *partNames, e *Entity) {
	for _, part := range e.Parts {
		n.add(p, part)
		if part.kind != "multipart/related" && !part.message() {
			n.collect(p, part)
		}
	}
}

func (n *Names) add(p *partNames, e *Entity) {
	if id, k := e.Get("Content-ID"); k > 0 {
		p.contentID[bare(id)] = true
	}
	value, k := e.Get("Content-Location")
	if value = bare(value); k == 0 || value == "" {
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
func (n *Names) base(e *Entity) *resolve.Base {
	uri, _ := e.Layer(n.outer).Base(&n.policy)
	if b, err := resolve.NewBase(uri, n.policy.Rules); err == nil && uri != "" {
		return b
	}
	b, err := resolve.NewBase("thismessage:/", n.policy.Rules)
	if err != nil {
		panic("mime: " + err.Error())
	}
	return b
}

// bare returns a Content-ID or Content-Location without blanks, line ends and
// the brackets or quotes around it.
func bare(value string) string {
	value = strings.Join(strings.Fields(value), "")
	if k := len(value); k >= 2 && (value[0] == '<' && value[k-1] == '>' || value[0] == '"' && value[k-1] == '"') {
		value = value[1 : k-1]
	}
	if len(value) >= 4 && strings.EqualFold(value[:4], "URL:") {
		value = value[4:]
	}
	return value
}
