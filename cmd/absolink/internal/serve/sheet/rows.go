package sheet

import (
	"bytes"
	"cmp"
	"context"
	"hash/maphash"
	"iter"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/authority"
	"absolink/cmd/absolink/internal/fault"
	"absolink/extract"
	"absolink/mime/document"
)

// The references of a document are read several times: to count them, to find those of the page,
// and to make the rows of the page. Memory holds only these rows.

// Row is a reference on the page.
type Row struct {
	N                               int // number of the reference in the document, from 1
	Kind, Element, Attr, Value, URI string
	Status, Layer, Host, Error      string
	Warnings                        []string
	Line                            int64
	Marked                          bool // the source on the page has a mark for the reference
	span                            extract.Span
}

// Facet is a value that a filter offers, with the number of references that have it.
type Facet struct {
	Value string
	N     int
}

// keys has functions that append the sort key of a reference to dst, by the name of the order.
var keys = map[string]func(dst []byte, l *extract.Link) []byte{
	"kind":    func(dst []byte, l *extract.Link) []byte { return append(dst, l.Kind.String()...) },
	"status":  func(dst []byte, l *extract.Link) []byte { return append(dst, l.Status.String()...) },
	"element": func(dst []byte, l *extract.Link) []byte { return append(dst, l.Element...) },
	"uri":     func(dst []byte, l *extract.Link) []byte { return append(dst, l.URI[:min(len(l.URI), maxText)]...) },
	"value":   func(dst []byte, l *extract.Link) []byte { return append(dst, l.Value[:min(len(l.Value), maxText)]...) },
}

// reader reads the links of a document, as often as the page needs them.
type reader struct {
	Finder
	o *Options
}

// listed yields the links of d until ctx is done. first says that they were not read before.
func (w *reader) listed(ctx context.Context, d *document.Document, first bool) iter.Seq[*extract.Link] {
	return func(yield func(*extract.Link) bool) {
		n := 0
		for l := range w.Links(d, first) {
			n++
			if n%256 == 0 && ctx.Err() != nil || !yield(l) {
				return
			}
		}
	}
}

// filtered yields the first maxRows references of d, numbered from 1. The filters apply to these.
func (w *reader) filtered(ctx context.Context, d *document.Document) iter.Seq2[int, *extract.Link] {
	return func(yield func(int, *extract.Link) bool) {
		n := 0
		for l := range w.listed(ctx, d, false) {
			n++
			if n > maxRows || !yield(n, l) {
				return
			}
		}
	}
}

// counts has the counts for a page, over all references that the filters apply to.
type counts struct {
	all, chosen     int
	kinds, statuses map[string]int
	hosts           map[uint64]int32 // by hashes of the hosts' names
}

// count counts the references of d.
func (w *reader) count(ctx context.Context, d *document.Document) *counts {
	c := &counts{kinds: make(map[string]int), statuses: make(map[string]int), hosts: make(map[uint64]int32)}
	for n, l := range w.filtered(ctx, d) {
		c.all = n
		c.kinds[l.Kind.String()]++
		c.statuses[l.Status.String()]++
		host := hostOf(l)
		if host != "" {
			c.hosts[maphash.String(seed, host)]++
		}
		if w.o.accepts(l, host) {
			c.chosen++
		}
	}
	return c
}

var seed = maphash.MakeSeed()

// accepts reports whether the filters accept l. host is the result of hostOf.
func (o *Options) accepts(l *extract.Link, host string) bool {
	return (o.kind == "" || o.kind == l.Kind.String()) && (o.status == "" ||
		o.status == l.Status.String()) && (o.host == "" || o.host == host)
}

// hostOf returns the host of the URI of l. It returns "" if the URI has no host, or if the host is
// too long to show.
func hostOf(l *extract.Link) string {
	uri := l.URI
	if i := bytes.Index(uri, []byte("//")); i >= 0 {
		if n := bytes.IndexAny(uri[i+2:], "/?#"); n >= 0 {
			uri = uri[:i+2+n]
		}
	}
	if len(uri) > 2*maxText {
		return ""
	}
	host := authority.Host(string(uri))
	if len(host) >= maxText {
		return ""
	}
	return host
}

// setRows sets the rows and the filters of the page.
func (v *View) setRows(ctx context.Context, w *reader, d *document.Document) {
	c := w.count(ctx, d)
	v.listed, v.Total = c.all, c.chosen
	v.Last = max(v.Total-1, 0) / pageRows
	v.Page = min(v.o.page, v.Last)
	v.Kinds = facets(c.kinds)
	v.Statuses = facets(c.statuses)
	place := make(map[int]int) // index on the page, by number among the chosen references
	for i, n := range w.numbers(ctx, d, v.Page*pageRows, min((v.Page+1)*pageRows, v.Total)) {
		place[n] = i
	}
	v.Rows = make([]Row, len(place))
	most := &mostHosts{counts: c.hosts}
	chosen := 0
	for n, l := range w.filtered(ctx, d) {
		host := hostOf(l)
		if host != "" {
			most.add(host)
		}
		if !v.o.accepts(l, host) {
			continue
		}
		if i, ok := place[chosen]; ok {
			v.Rows[i] = newRow(n, d, l, host)
		}
		chosen++
	}
	v.Hosts = most.list
}

// numbers returns the numbers, among the chosen references, of the references with ranks in [from,
// to).
func (w *reader) numbers(ctx context.Context, d *document.Document, from, to int) []int {
	key := keys[w.o.sort]
	if key == nil {
		list := make([]int, 0, to-from)
		for n := from; n < to; n++ {
			list = append(list, n)
		}
		return list
	}
	return ranked(func() iter.Seq[[]byte] {
		return func(yield func([]byte) bool) {
			var room []byte
			for _, l := range w.filtered(ctx, d) {
				if !w.o.accepts(l, hostOf(l)) {
					continue
				}
				room = key(room[:0], l)
				if !yield(room) {
					return
				}
			}
		}
	}, from, to)
}

// newRow returns the row of l, the reference with the number n.
func newRow(n int, d *document.Document, l *extract.Link, host string) Row {
	line, _ := d.Position(d.Source(l.Span).Start)
	r := Row{N: n, Kind: l.Kind.String(), Element: l.Element, Attr: l.Attr,
		Value: Clip(l.Value), URI: Clip(l.URI), Status: l.Status.String(),
		Host: host, Warnings: slices.Clone(l.Warnings), Line: line, span: l.Span}
	if l.From != nil {
		r.Layer = l.From.Source.Box()
	}
	if l.Err != nil {
		r.Error = Clip(fault.ErrorText(l.Err))
	}
	return r
}

// before compares f and other for sorting: the more frequent value comes first.
func (f Facet) before(other Facet) int {
	return cmp.Or(other.N-f.N, strings.Compare(f.Value, other.Value))
}

// facets returns the counted values, the most frequent first.
func facets(counts map[string]int) (list []Facet) {
	for value, n := range counts {
		list = append(list, Facet{value, n})
	}
	slices.SortFunc(list, Facet.before)
	return list
}

// facetHosts is the number of hosts that the filter offers.
const facetHosts = 50

// mostHosts finds the most frequent hosts. counts has the number of references by the hash of the
// host.
type mostHosts struct {
	counts map[uint64]int32
	list   []Facet // the most frequent hosts so far, in the order of Facet.before
}

// add adds a host. Adding a host again changes nothing.
func (m *mostHosts) add(host string) {
	f := Facet{host, int(m.counts[maphash.String(seed, host)])}
	full := len(m.list) == facetHosts
	if full && f.before(m.list[facetHosts-1]) >= 0 {
		return
	}
	at, there := slices.BinarySearchFunc(m.list, f, Facet.before)
	if there {
		return
	}
	if full {
		m.list = m.list[:facetHosts-1]
	}
	m.list = slices.Insert(m.list, at, f)
}
