package links

import (
	"errors"
	"math"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// maxWork bounds the work of matching a selector in one document, in nodes that are looked at: a
// second or some.
const maxWork = 5e8

// errWork says that the work on a document is above the bound.
var errWork = errors.New("--select takes too long on this page: no reference of it is selected; give a selector " +
	"without :has and :contains")

// matching is a selector at work on one document. It is a goquery.Matcher, of which only MatchAll
// is bounded.
type matching struct {
	cascadia.Selector // the whole list

	s      *selector
	levels []level
	found  []*html.Node
	work   float64
	tree   *tree // nil until it is needed
}

// tree is how large the tree of a document is.
type tree struct{ widest, deepest int }

// level is what is known at one depth of the walk. Masks are those of each chain, with a bit for
// each compound that has matched together with those before it.
type level struct {
	own      []uint64 // of the node at hand
	above    []uint64 // of that and all around it
	previous []uint64 // of the element before it
	before   []uint64 // of all elements before it

	at position // of the node at hand
}

// position is where an element stands among those beside it.
type position struct {
	index, count int            // from 1, of count
	name         string         // of the element
	seen, all    map[string]int // elements by their names: up to this one, and all of them
}

// over returns what applies s to one document.
func (s *selector) over() *matching { return &matching{Selector: s.whole, s: s} }

// exceeded reports whether the work was above the bound: what was found then is not all.
func (m *matching) exceeded() bool { return m.work > maxWork }

// MatchAll returns the elements that match, from n on, in document order.
func (m *matching) MatchAll(n *html.Node) []*html.Node {
	m.found = nil
	none := make([]uint64, len(m.s.chains))
	top := m.level(0)
	if n.Parent != nil {
		m.count(n.Parent, top)
		for c := n.Parent.FirstChild; c != n; c = c.NextSibling {
			if c.Type == html.ElementNode {
				top.at.next(c)
			}
		}
	}
	m.element(n, &level{own: none, above: none}, 1)
	return m.found
}

// level returns what is known at a depth: nothing.
func (m *matching) level(depth int) *level {
	if depth == len(m.levels) {
		n := len(m.s.chains)
		room := make([]uint64, 4*n)
		m.levels = append(m.levels,
			level{own: room[:n:n], above: room[n : 2*n : 2*n], previous: room[2*n : 3*n : 3*n], before: room[3*n:]})
	}
	l := &m.levels[depth]
	clear(l.previous)
	clear(l.before)
	return l
}

// count counts the elements inside of n, if places are asked for.
func (m *matching) count(n *html.Node, l *level) {
	if !m.s.placed {
		return
	}
	l.at = position{seen: make(map[string]int), all: make(map[string]int)}
	for c := range n.ChildNodes() {
		m.work++
		if c.Type == html.ElementNode {
			l.at.count++
			l.at.all[c.Data]++
		}
	}
}

// next goes on to the element n.
func (p *position) next(n *html.Node) {
	if p.seen != nil {
		p.index++
		p.name = n.Data
		p.seen[p.name]++
	}
}

// element looks at n, which stands at the depth before, and what is inside of it. up is what is
// known of the node around it.
func (m *matching) element(n *html.Node, up *level, depth int) {
	l := &m.levels[depth-1]
	l.at.next(n)
	matched := false
	for i := range m.s.chains {
		c := &m.s.chains[i]
		own := m.mask(c, n, up, l, i)
		l.own[i] = own
		l.above[i] = up.above[i] | own
		matched = matched || c.selects && own>>(len(c.compounds)-1)&1 != 0
	}
	if matched {
		m.found = append(m.found, n)
	}
	if n.FirstChild != nil {
		m.inside(n, depth)
	}
	l = &m.levels[depth-1] // they may have moved
	for i, own := range l.own {
		l.previous[i] = own
		l.before[i] |= own
	}
}

// inside looks at what is inside of n, at a depth.
func (m *matching) inside(n *html.Node, depth int) {
	m.count(n, m.level(depth))
	for c := range n.ChildNodes() {
		if m.exceeded() {
			return
		}
		if c.Type == html.ElementNode {
			m.element(c, &m.levels[depth-1], depth+1)
		}
	}
}

// mask returns which compounds of the chain i match n together with those before them.
func (m *matching) mask(c *chain, n *html.Node, up, l *level, i int) (own uint64) {
	for k := range c.compounds {
		related := uint64(1)
		switch c.combinators[k] {
		case ' ':
			related = up.above[i] >> (k - 1)
		case '>':
			related = up.own[i] >> (k - 1)
		case '+':
			related = l.previous[i] >> (k - 1)
		case '~':
			related = l.before[i] >> (k - 1)
		}
		if related&1 != 0 && m.matches(&c.compounds[k], n, l) {
			own |= 1 << k
		}
	}
	return own
}

// matches reports whether n is what a compound says.
func (m *matching) matches(c *compound, n *html.Node, l *level) bool {
	m.work++
	for i := range n.Attr {
		m.work += float64(1 + len(n.Attr[i].Val)/64)
	}
	if !c.simple.Match(n) {
		return false
	}
	for i := range c.places {
		if !c.places[i].is(&l.at) {
			return false
		}
	}
	for _, i := range c.nots {
		if not := &m.s.chains[i]; l.own[i]>>(len(not.compounds)-1)&1 != 0 {
			return false
		}
	}
	if c.other == nil {
		return true
	}
	m.work += m.costs(&c.cost, n)
	return !m.exceeded() && c.other.Match(n)
}

// is reports whether the place is that of an element.
func (p *place) is(at *position) bool {
	index, count := at.index, at.count
	if p.ofType {
		index, count = at.seen[at.name], at.all[at.name]
	}
	if p.only {
		return count == 1
	}
	if p.last {
		index = count - index + 1
	}
	index -= p.b
	if p.a == 0 {
		return index == 0
	}
	return index%p.a == 0 && index/p.a >= 0
}

// costs returns how many nodes are looked at for n, about.
func (m *matching) costs(c *cost, n *html.Node) float64 {
	nodes := 1.0
	if c.inside {
		nodes = float64(m.size(n))
	}
	if c.siblings || c.beside > 0 || c.above > 0 {
		t := m.measure(n)
		if c.siblings {
			nodes *= float64(1 + t.widest)
		}
		nodes *= math.Pow(float64(t.widest), float64(c.beside)) * math.Pow(float64(t.deepest), float64(c.above))
	}
	return nodes
}

// measure returns how large the tree is that n stands in.
func (m *matching) measure(n *html.Node) *tree {
	if m.tree != nil {
		return m.tree
	}
	for n.Parent != nil {
		n = n.Parent
	}
	m.tree = &tree{widest: 1, deepest: 1}
	m.tree.add(n, 1)
	return m.tree
}

func (t *tree) add(n *html.Node, depth int) {
	t.deepest = max(t.deepest, depth)
	children := 0
	for c := range n.ChildNodes() {
		children++
		t.add(c, depth+1)
	}
	t.widest = max(t.widest, children)
}

// size returns how many nodes are inside of n, with their text in words.
func (m *matching) size(n *html.Node) int {
	size, left := 1, int(maxWork-m.work)
	for d := range n.Descendants() {
		size += 1 + len(d.Data)/8
		if size > left {
			break
		}
	}
	return size
}
