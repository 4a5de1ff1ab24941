package viewer

import (
	"context"
	"hash/maphash"
	"net/url"

	"absolink/extract"
	"absolink/mime/document"
)

// The values of --rules, --mime-base and --trust-base on the page.
var (
	ruleNames  = []string{"whatwg", "rfc3986", "rfc2396", "draft-02", "draft-00e"}
	mimeNames  = []string{"rfc2396", "rfc2557", "rfc2110"}
	trustNames = []string{"all", "headers", "none"}
)

// difference is a reference on which the rule sets differ.
type difference struct {
	Value string
	Line  int64
	Cells []cell
}

// cell is the result of one rule set.
type cell struct {
	URI, Status string
	Same        bool // equal to the first rule set
}

const maxDiffering = 200

// comparison finds the references on which the rule sets differ. It reads all references under each
// rule set, and keeps a hash for each reference.
type comparison struct {
	sums    []uint64 // hashes of the results of the first rule set
	differs []bool
	n       int // number of references under all rule sets
}

// differ resolves the references of the document with a number under all rule sets.
func (p *Pages) differ(ctx context.Context, flags url.Values, u *upload, number int) ([]difference, error) {
	c := new(comparison)
	if err := p.each(ctx, flags, u, number, c.note); err != nil {
		return nil, err
	}
	place := make(map[int]int) // index by number of the shown references
	for n := range c.n {
		if c.differs[n] && len(place) < maxDiffering {
			place[n] = len(place)
		}
	}
	if len(place) == 0 {
		return nil, nil
	}
	list := make([]difference, len(place))
	err := p.each(ctx, flags, u, number, func(rules, n int, d *document.Document, l *extract.Link) {
		i, ok := place[n]
		if !ok {
			return
		}
		if rules == 0 {
			list[i].Line, _ = d.Position(d.Source(l.Span).Start)
			list[i].Value = clip(l.Value)
		}
		list[i].Cells = append(list[i].Cells, cell{clip(l.URI), l.Status.String(), sumOf(l) == c.sums[n]})
	})
	return list, err
}

// each calls f for each reference of a document under each rule set.
func (p *Pages) each(ctx context.Context, flags url.Values, u *upload, number int,
	f func(rules, n int, d *document.Document, l *extract.Link)) error {
	for i, rules := range ruleNames {
		flags.Set("rules", rules)
		v := newView(&viewOptions{document: number,
			each: func(n int, d *document.Document, l *extract.Link) { f(i, n, d, l) }})
		if err := p.o.View(ctx, flags, &u.Given, v.command); err != nil {
			return err
		}
	}
	return nil
}

// note stores the result of a rule set for the reference n.
func (c *comparison) note(rules, n int, _ *document.Document, l *extract.Link) {
	switch sum := sumOf(l); {
	case rules == 0:
		c.sums, c.differs, c.n = append(c.sums, sum), append(c.differs, false), n+1
	case n < c.n && sum != c.sums[n]:
		c.differs[n] = true
	}
}

// sumOf returns a hash of the result for a reference.
func sumOf(l *extract.Link) uint64 {
	return maphash.Bytes(seed, l.URI) + uint64(l.Status)
}
