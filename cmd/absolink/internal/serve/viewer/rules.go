package viewer

import (
	"context"
	"hash/maphash"
	"net/url"

	"absolink/extract"
	"absolink/mime/document"
)

// The values of --rules, --mime-base and --trust-base that the page offers.
var (
	ruleNames  = []string{"whatwg", "rfc3986", "rfc2396", "draft-02", "draft-00e"}
	mimeNames  = []string{"rfc2396", "rfc2557", "rfc2110"}
	trustNames = []string{"all", "headers", "none"}
)

// difference is a reference of which the rule sets do not all say the same.
type difference struct {
	Value string
	Line  int64
	Cells []cell
}

// cell is what one rule set says.
type cell struct {
	URI, Status string
	Same        bool // as the first
}

const maxDiffering = 200

// comparison finds the references on which the rule sets differ. It goes through all of them by
// each rule set, and keeps a hash for each.
type comparison struct {
	sums    []uint64 // of what the first rule set says
	differs []bool
	n       int // how many references all rule sets know
}

// differ resolves the references of a document, which has a number, under all rule sets.
func (p *Pages) differ(ctx context.Context, flags url.Values, u *upload, number int) ([]difference, error) {
	c := new(comparison)
	if err := p.each(ctx, flags, u, number, c.note); err != nil {
		return nil, err
	}
	place := make(map[int]int) // of the references that are shown
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

// each calls f for each reference of a document by each rule set.
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

// note notes what a rule set says of the reference n.
func (c *comparison) note(rules, n int, _ *document.Document, l *extract.Link) {
	switch sum := sumOf(l); {
	case rules == 0:
		c.sums, c.differs, c.n = append(c.sums, sum), append(c.differs, false), n+1
	case n < c.n && sum != c.sums[n]:
		c.differs[n] = true
	}
}

// sumOf returns a hash of what a rule set says of a reference.
func sumOf(l *extract.Link) uint64 {
	return maphash.Bytes(seed, l.URI) + uint64(l.Status)
}
