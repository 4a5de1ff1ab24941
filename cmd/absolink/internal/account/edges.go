package account

import (
	"cmp"
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
	hosts, domains referrers
	count          int // number of sums in both
	pages          int // number of pages that were added
}

// referrers have the sums of each referrer, by the name of the target.
type referrers map[string]map[string]*edgeSum

// edge names a referrer and a target. Names are reversed, such as com.example.www. So the hosts of
// a domain follow each other in the order of their names.
type edge struct {
	category         record.Category // HostEdge or DomainEdge
	referrer, target string
	*edgeSum
}

// edgeSum counts the links of an edge, and the pages that have such links.
type edgeSum struct {
	links, pages int
	lastPage     int // number of the last page with such a link, from 1
}

// add adds the links of a page.
func (s *edges) add(page *report.Edges) {
	s.pages++
	s.addLinks(&s.hosts, page.Host, page.Hosts)
	s.addLinks(&s.domains, page.Domain, page.Domains)
}

// addLinks adds the links of a page of a host or domain, unless its name is unknown.
func (s *edges) addLinks(to *referrers, name string, links []record.Count) {
	name = strings.TrimRight(name, ".")
	if name == "" {
		return
	}
	if *to == nil {
		*to = make(referrers)
	}
	targets := (*to)[name]
	if targets == nil {
		targets = make(map[string]*edgeSum)
		(*to)[name] = targets
	}
	s.sum(targets, name)
	for _, c := range links {
		sum := s.sum(targets, strings.TrimRight(c.Name, "."))
		sum.links += c.N
		if sum.lastPage != s.pages {
			sum.lastPage = s.pages
			sum.pages++
		}
	}
}

// sum returns the sum of a target.
func (s *edges) sum(targets map[string]*edgeSum, name string) *edgeSum {
	sum := targets[name]
	if sum == nil {
		sum = new(edgeSum)
		targets[name] = sum
		s.count++
	}
	return sum
}

// all returns the sums: first of domains, then of hosts, in the order of their names.
func (s *edges) all() []edge {
	list := make([]edge, 0, s.count)
	list = s.domains.appendTo(list, record.DomainEdge)
	return s.hosts.appendTo(list, record.HostEdge)
}

// appendTo appends the sums to list, in the order of their names.
func (r referrers) appendTo(list []edge, category record.Category) []edge {
	start := len(list)
	for name, targets := range r {
		referrer := reversed(name)
		for target, sum := range targets {
			list = append(list, edge{category, referrer, reversed(target), sum})
		}
	}
	slices.SortFunc(list[start:], func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.referrer, b.referrer), cmp.Compare(a.target, b.target))
	})
	return list
}

// reversed returns com.example.www for www.example.com, and an IP address as it is. host must not
// end with a dot.
func reversed(host string) string {
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	if strings.Contains(host, ":") || last != "" && strings.Trim(last, "0123456789") == "" {
		return host
	}
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}
