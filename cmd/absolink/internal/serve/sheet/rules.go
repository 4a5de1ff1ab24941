package sheet

import (
	"hash/maphash"

	"absolink/extract"
	"absolink/mime/document"
)

// The values of --rules, --mime-base and --trust-base that a page offers.
var (
	ruleNames  = []string{"whatwg", "rfc3986", "rfc2396", "draft-02", "draft-00e"}
	mimeNames  = []string{"rfc2396", "rfc2557", "rfc2110"}
	trustNames = []string{"all", "headers", "none"}
)

// Difference is a link on which the rule sets differ.
type Difference struct {
	Value string
	Line  int64
	Cells []Cell
}

// Cell is the result of one rule set.
type Cell struct {
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

// CompareRules returns the first links on which the rule sets differ, with their results, for the
// document with a number. read reads the input into a View under a rule set.
func CompareRules(number int, read func(v *View, rules string) error) ([]Difference, error) {
	c := new(comparison)
	if err := eachLink(number, read, c.add); err != nil {
		return nil, err
	}
	index := make(map[int]int) // index in list, by the number of a link
	for n := range c.n {
		if c.differs[n] && len(index) < maxDiffering {
			index[n] = len(index)
		}
	}
	if len(index) == 0 {
		return nil, nil
	}
	list := make([]Difference, len(index))
	err := eachLink(number, read, func(rules, n int, d *document.Document, l *extract.Link) {
		i, ok := index[n]
		if !ok {
			return
		}
		if rules == 0 {
			list[i].Line, _ = d.Position(d.Source(l.Span).Start)
			list[i].Value = Clip(l.Value)
		}
		list[i].Cells = append(list[i].Cells, Cell{Clip(l.URI), l.Status.String(), hashOf(l) == c.sums[n]})
	})
	return list, err
}

// eachLink calls f for each link of the document with a number, under each rule set.
func eachLink(number int, read func(v *View, rules string) error,
	f func(rules, n int, d *document.Document, l *extract.Link)) error {
	for i, rules := range ruleNames {
		v := NewView(&Options{document: number,
			eachLink: func(n int, d *document.Document, l *extract.Link) { f(i, n, d, l) }})
		if err := read(v, rules); err != nil {
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
