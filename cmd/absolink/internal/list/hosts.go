package list

import (
	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
)

// hosts counts the links of a page by the host of their URI. It ignores links of the kind
// identifier, because nobody follows them.
type hosts struct {
	counts []record.Count // in the order of their first links
	index  map[string]int // of each host in counts
	lastAt int            // index of the last host
}

// add counts a link. memo caches hosts: the record of the link may need the same host.
func (h *hosts) add(l *extract.Link, memo *record.Memo) {
	if l.Kind == extract.KindIdentifier {
		return
	}
	host := memo.Host(l.URI)
	if host == "" {
		return
	}
	if len(h.counts) == 0 || h.counts[h.lastAt].Name != host {
		h.counts, h.lastAt = indexed(h.counts, &h.index, host)
	}
	h.counts[h.lastAt].N++
}

// indexed returns the index of a name in counts. It adds the name if it is new.
func indexed(counts []record.Count, index *map[string]int, name string) ([]record.Count, int) {
	i, known := (*index)[name]
	if known {
		return counts, i
	}
	if *index == nil {
		*index = make(map[string]int)
	}
	(*index)[name] = len(counts)
	return append(counts, record.Count{Name: name}), len(counts)
}

// domains returns the counts by registrable domain. Hosts without such a domain do not count.
func (h *hosts) domains(cache *record.DomainCache) []record.Count {
	counts := []record.Count{}
	var index map[string]int
	for _, c := range h.counts {
		domain := cache.Domain(c.Name)
		if domain == "" {
			continue
		}
		var i int
		counts, i = indexed(counts, &index, domain)
		counts[i].N += c.N
	}
	return counts
}
