package report

import (
	"cmp"
	"maps"
	"slices"

	"absolink/base"
	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
	"absolink/mime/document"
)

// Links counts the documents of an input or item, and their links.
type Links struct {
	Documents int // number of documents; the header fields of a message do not count as a document
	Pages     int // number of pages for which --pages writes a record
	ByStatus  Statuses
	ByKind    Kinds
	ByLayer   Layers

	MissingParts     int           // links to missing parts of the message
	WithoutBase      *Unlinked     // the first link without a base; nil if there is none
	UnusableBases    UnusableBases // unresolved links with an unusable base
	UnknownCharset   int           // unresolved links in an unknown charset
	MissingTargets   int           // links to a missing file or fragment
	MissingFragments int           // links to an existing file that lacks the fragment; MissingTargets counts them too
	Wrapped          int           // wrapped links (see --unwrap) from which no target can be read
	Edges            []Edges       // of each page, if they are asked for; not added up

	hosts []string // hosts of the bases
}

// Edges count the links of a page by host and by registrable domain.
type Edges struct {
	Host, Domain   string // of the page; empty if it is unknown
	Hosts, Domains []record.Count
}

// Statuses has the number of links for each [extract.Status].
type Statuses [int(extract.IdentifierRef) + 1]int

// Sum returns the number of links.
func (s *Statuses) Sum() int {
	sum := 0
	for _, n := range s {
		sum += n
	}
	return sum
}

// Kinds has the number of links for each [extract.Kind].
type Kinds [32]int

// Layers has the number of links for each [base.Source]. A link counts for the source of its base.
type Layers [32]int

// UnusableBases counts unresolved links with an unusable base. A base is unusable if it is too
// long, a piece of a template, opaque, or in an unknown charset. The base of an outer layer is not
// used instead, even if it is usable.
type UnusableBases struct {
	N      int
	Reason string    // the reason of the first link
	First  *Unlinked // the first link; nil if N is 0
}

// Add adds n links. reason says why their base is unusable. first is the first of them.
func (b *UnusableBases) Add(n int, reason string, first *Unlinked) {
	b.N += n
	b.Reason = cmp.Or(b.Reason, reason)
	b.First = cmp.Or(b.First, first)
}

// Unlinked is an unresolved link: its place and its text, for messages.
type Unlinked struct {
	Item   string // name of the message or record in a container, or ""
	Part   string // section number of the part of a message, or ""
	Offset int64  // in the source, if Line is known
	Line   int64  // from 1; 0 if it is unknown
	Column int64  // of its first byte in the line, from 1
	Value  string // at most 200 bytes
}

// NewUnlinked returns the Unlinked of l, a link of d. It has no offset and no line if
// the text of d is not in the source as it is, for example in a body in base64.
func NewUnlinked(d *document.Document, l *extract.Link) *Unlinked {
	p := d.Problem(l.Span, Remark, "")
	return &Unlinked{Part: p.Part, Offset: p.Offset, Line: p.Line, Column: p.Column,
		Value: string(l.Value[:min(len(l.Value), 200)])}
}

// CountDocument counts d, unless d holds the header fields of a message.
func (l *Links) CountDocument(d *document.Document) {
	if d.Format != extract.Heading {
		l.Documents++
	}
}

// Count counts link by its status, its kind and the layer of its base.
func (l *Links) Count(link *extract.Link) {
	l.ByStatus[link.Status]++
	l.ByKind[link.Kind]++
	layer := base.None
	if link.From != nil {
		layer = link.From.Source
	}
	l.ByLayer[layer]++
}

// ChangeStatus counts a link under its new status (after) instead of its old status (before).
func (l *Links) ChangeStatus(before, after extract.Status) {
	l.ByStatus[before]--
	l.ByStatus[after]++
}

// maxHosts is the largest number of hosts that Links stores.
const maxHosts = 100

// AddHost stores the host of a base. It does nothing if host is empty or is stored already, or if
// maxHosts hosts are stored.
func (l *Links) AddHost(host string) {
	if host != "" && !slices.Contains(l.hosts, host) && len(l.hosts) < maxHosts {
		l.hosts = append(l.hosts, host)
	}
}

// Hosts returns the hosts of the bases in the order in which they were added.
func (l *Links) Hosts() []string { return l.hosts }

// Add adds the counts of o to l. It does not add the hosts and the edges.
func (l *Links) Add(o *Links) {
	l.Documents += o.Documents
	l.Pages += o.Pages
	for i, n := range o.ByStatus {
		l.ByStatus[i] += n
	}
	for i, n := range o.ByKind {
		l.ByKind[i] += n
	}
	for i, n := range o.ByLayer {
		l.ByLayer[i] += n
	}
	l.MissingParts += o.MissingParts
	l.WithoutBase = cmp.Or(l.WithoutBase, o.WithoutBase)
	l.UnusableBases.Add(o.UnusableBases.N, o.UnusableBases.Reason, o.UnusableBases.First)
	l.UnknownCharset += o.UnknownCharset
	l.MissingTargets += o.MissingTargets
	l.MissingFragments += o.MissingFragments
	l.Wrapped += o.Wrapped
}

// Unresolved has a count for each reason why a link has no absolute URI or no known target. Package
// account describes these links to the user.
type Unresolved struct {
	UnusableBases UnusableBases
	WithoutBase   int       // unresolved links for which no base is known
	First         *Unlinked // the first of them
	Suspect       int       // links with the status suspect
	MissingParts  int       // links to missing parts of the message
	Wrapped       int       // wrapped links (see --unwrap) from which no target can be read
}

// Unresolved returns the counts of [Unresolved] for the links of l.
func (l *Links) Unresolved() Unresolved {
	return Unresolved{UnusableBases: l.UnusableBases,
		WithoutBase: l.ByStatus[extract.Unresolved] - l.UnusableBases.N - l.UnknownCharset, First: l.WithoutBase,
		Suspect: l.ByStatus[extract.Suspect], MissingParts: l.MissingParts, Wrapped: l.Wrapped}
}

// In returns a copy of u in which the first links name item, the item of a container that has them.
// If placed is false, In removes their lines: the lines in the file are unknown.
func (u Unresolved) In(item string, placed bool) Unresolved {
	for _, first := range []**Unlinked{&u.First, &u.UnusableBases.First} {
		if *first == nil {
			continue
		}
		link := **first
		link.Item = item
		if !placed {
			link.Line = 0
		}
		*first = &link
	}
	return u
}

// Add adds the counts of o to u.
func (u *Unresolved) Add(o Unresolved) {
	u.UnusableBases.Add(o.UnusableBases.N, o.UnusableBases.Reason, o.UnusableBases.First)
	u.First = cmp.Or(u.First, o.First)
	u.WithoutBase += o.WithoutBase
	u.Suspect += o.Suspect
	u.MissingParts += o.MissingParts
	u.Wrapped += o.Wrapped
}

// appendMembers appends the members of l to an object of JSON.
func (l *Links) appendMembers(o record.Object) record.Object {
	refs := record.Object{'{'}
	for s, n := range l.ByStatus {
		if n > 0 {
			refs = refs.Int(extract.Status(s).String(), int64(n))
		}
	}
	o = o.Int("documents", int64(l.Documents)).Raw("references", append(refs, '}'))
	if l.Wrapped > 0 {
		o = o.Int("wrapped", int64(l.Wrapped))
	}
	kinds := record.Object{'{'}
	for kind, n := range l.ByKind {
		if n > 0 {
			kinds = kinds.Int(extract.Kind(kind).String(), int64(n))
		}
	}
	if len(kinds) == 1 {
		return o
	}
	layers := record.Object{'{'}
	sums := make(map[string]int)
	for source, n := range l.ByLayer {
		if n > 0 {
			sums[base.Source(source).Box()] += n
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		layers = layers.Int(name, int64(sums[name]))
	}
	return o.Raw("kinds", append(kinds, '}')).Raw("layers", append(layers, '}'))
}
