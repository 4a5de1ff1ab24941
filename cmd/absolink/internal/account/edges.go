package account

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
)

// maxEdges is the largest number of edges whose sums are kept. If there are more, the sums so far
// are written. Then a reader of the stream adds up the records with the same names.
const maxEdges = 100_000

// edges add up the links of pages from host to host, and from domain to domain. Each page
// also makes an edge with 0 links from its host to the same host. So each host with a page is a
// referrer.
type edges struct {
	sums  map[edge]*edgeSum
	pages int // number of pages that were added
}

// edge names a referrer and a target. Names are reversed, such as com.example.www. So the hosts of
// a domain follow each other in the order of their names.
type edge struct {
	category         record.Category // HostEdge or DomainEdge
	referrer, target string
}

// edgeSum counts the links of an edge, and the pages that have such links.
type edgeSum struct {
	links, pages int
	lastPage     int // number of the last page with such a link, from 1
}

// add adds the links of a page.
func (s *edges) add(page *report.Edges) {
	s.pages++
	s.addLinks(record.HostEdge, page.Host, page.Hosts)
	s.addLinks(record.DomainEdge, page.Domain, page.Domains)
}

// addLinks adds the links of a page of a host or domain, unless its name is unknown.
func (s *edges) addLinks(category record.Category, name string, links []record.Count) {
	e := edge{category: category, referrer: reversed(name)}
	if e.referrer == "" {
		return
	}
	e.target = e.referrer
	s.sum(e)
	for _, c := range links {
		e.target = reversed(c.Name)
		sum := s.sum(e)
		sum.links += c.N
		if sum.lastPage != s.pages {
			sum.lastPage = s.pages
			sum.pages++
		}
	}
}

// sum returns the sum of an edge.
func (s *edges) sum(e edge) *edgeSum {
	sum := s.sums[e]
	if sum == nil {
		if s.sums == nil {
			s.sums = make(map[edge]*edgeSum)
		}
		sum = new(edgeSum)
		s.sums[e] = sum
	}
	return sum
}

// all yields the sums: first of domains, then of hosts, in the order of their names.
func (s *edges) all() iter.Seq2[edge, *edgeSum] {
	return func(yield func(edge, *edgeSum) bool) {
		order := func(a, b edge) int {
			return cmp.Or(cmp.Compare(a.category, b.category), cmp.Compare(a.referrer, b.referrer),
				cmp.Compare(a.target, b.target))
		}
		for _, e := range slices.SortedFunc(maps.Keys(s.sums), order) {
			if !yield(e, s.sums[e]) {
				return
			}
		}
	}
}

// reversed returns com.example.www for www.example.com, and an IP address as it is.
func reversed(host string) string {
	labels := strings.Split(strings.TrimRight(host, "."), ".")
	last := labels[len(labels)-1]
	if strings.Contains(host, ":") || last != "" && strings.Trim(last, "0123456789") == "" {
		return host
	}
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}
