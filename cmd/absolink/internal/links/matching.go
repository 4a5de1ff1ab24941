package links

import (
	"errors"
	"math"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// maxWork limits the work of matching a selector in one document, counted in visited nodes. It
// takes a few seconds at most.
const maxWork = 5e8

// errWork is the problem of a document that exceeds maxWork.
var errWork = errors.New("--select takes too long on this page: no reference of it is selected; give a selector " +
	"without :has and :contains")

// matching applies a selector to one document. It is a [goquery.Matcher]; only MatchAll is bounded.
type matching struct {
	cascadia.Selector // the whole list

	s      *selector
	levels []level
	found  []*html.Node
	work   float64
	tree   *tree // nil until it is needed
}

// tree is the size of the tree of a document.
type tree struct{ widest, deepest int }

// level is the state at one depth of the walk. It has a mask for each chain. A bit in the mask
// stands for a compound that matches together with the compounds before it.
type level struct {
	own      []uint64 // of the current node
	above    []uint64 // of the current node and all its ancestors
	previous []uint64 // of the sibling before it
	before   []uint64 // of all siblings before it

	at position // of the current node
}

// position is the position of an element among its siblings.
type position struct {
	index, count int            // index from 1, and number of siblings
	name         string         // of the element
	seen, all    map[string]int // siblings by name: up to this element, and all of them
}

// over returns a matching of s, for one document.
func (s *selector) over() *matching { return &matching{Selector: s.whole, s: s} }

// exceeded reports whether the work exceeded the limit, so that the result is incomplete.
func (m *matching) exceeded() bool { return m.work > maxWork }

// MatchAll returns the matching elements of the tree below n, and n itself if it matches, in
// document order.
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

// level returns the state at a depth before its first element.
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

// count counts the children of n, if a selector needs positions.
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

// next advances to the element n.
func (p *position) next(n *html.Node) {
	if p.seen != nil {
		p.index++
		p.name = n.Data
		p.seen[p.name]++
	}
}

// element matches n, at the depth before depth, and its descendants. up is the state of its parent.
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
	l = &m.levels[depth-1] // the slice may have moved
	for i, own := range l.own {
		l.previous[i] = own
		l.before[i] |= own
	}
}

// inside matches the descendants of n at a depth.
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

// mask returns the compounds of the chain c that match n together with the compounds before them. i
// is the index of c.
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

// matches reports whether n matches a compound.
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

// is reports whether an element at the position has the place.
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

// costs estimates the number of nodes that c.other visits for n.
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

// measure returns the size of the tree that contains n.
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

// size returns the number of nodes inside n, plus the length of their text in units
// of 8 bytes.
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
