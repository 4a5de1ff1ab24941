package viewer

import (
	"context"
	"hash/maphash"
	"net/url"

	"absolink/extract"
	"absolink/mime/document"
)

// The values of --rules, --mime-base and --trust-base that a page offers.
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
	Same        bool // the result is equal to that of the first rule set
}

const maxDiffering = 200

// comparison finds the references on which the rule sets differ. It gets all references under each
// rule set, and keeps one hash for each reference.
type comparison struct {
	sums    []uint64 // hashes of the results of the first rule set
	differs []bool
	n       int // number of references under the first rule set
}

// compareRules returns the first references on which the rule sets differ, with their results, for
// the document with a number.
func (p *Pages) compareRules(ctx context.Context, flags url.Values, u *upload, number int) ([]difference, error) {
	c := new(comparison)
	if err := p.eachReference(ctx, flags, u, number, c.add); err != nil {
		return nil, err
	}
	index := make(map[int]int) // index in list, by the number of a reference
	for n := range c.n {
		if c.differs[n] && len(index) < maxDiffering {
			index[n] = len(index)
		}
	}
	if len(index) == 0 {
		return nil, nil
	}
	list := make([]difference, len(index))
	err := p.eachReference(ctx, flags, u, number, func(rules, n int, d *document.Document, l *extract.Link) {
		i, ok := index[n]
		if !ok {
			return
		}
		if rules == 0 {
			list[i].Line, _ = d.Position(d.Source(l.Span).Start)
			list[i].Value = clip(l.Value)
		}
		list[i].Cells = append(list[i].Cells, cell{clip(l.URI), l.Status.String(), hashOf(l) == c.sums[n]})
	})
	return list, err
}

// eachReference calls f for each reference of the document with a number, under each rule set. It
// sets the flag rules in flags.
func (p *Pages) eachReference(ctx context.Context, flags url.Values, u *upload, number int,
	f func(rules, n int, d *document.Document, l *extract.Link)) error {
	for i, rules := range ruleNames {
		flags.Set("rules", rules)
		v := newView(&viewOptions{document: number,
			eachLink: func(n int, d *document.Document, l *extract.Link) { f(i, n, d, l) }})
		if err := p.o.View(ctx, flags, &u.Given, v.command); err != nil {
			return err
		}
	}
	return nil
}

// add adds the result of a rule set for the reference n. The first rule set must come first.
func (c *comparison) add(rules, n int, _ *document.Document, l *extract.Link) {
	switch sum := hashOf(l); {
	case rules == 0:
		c.sums, c.differs, c.n = append(c.sums, sum), append(c.differs, false), n+1
	case n < c.n && sum != c.sums[n]:
		c.differs[n] = true
	}
}

// hashOf returns a hash of the URI and status of a reference.
func hashOf(l *extract.Link) uint64 {
	return maphash.Bytes(seed, l.URI) + uint64(l.Status)
}
