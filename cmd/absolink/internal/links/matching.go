package links

import (
	"errors"
	"math"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// maxWork limits the work of matching selectors in one document. It is a number of visited nodes.
// Visiting them takes a few seconds at most.
const maxWork = 5e8

// errWork is the problem of a document whose matching exceeds maxWork.
var errWork = errors.New("--select takes too long on this page: none of its links is selected; give a selector " +
	"without :has and :contains")

// matching applies a list of selectors to one document. It is a [goquery.Matcher]. Its method
// MatchAll stops at maxWork; the other methods have no limit.
type matching struct {
	cascadia.Selector // the whole list, for the other methods of the interface

	list   *selectorList
	levels []*level     // by depth in the tree
	found  []*html.Node // the result of MatchAll so far
	work   float64      // number of nodes visited so far, partly estimated
	size   *treeSize    // of the whole tree; nil until it is needed
}

// treeSize has the largest number of children of a node in a tree, and the largest depth.
type treeSize struct{ widest, deepest int }

// level is the state of the walk at one depth of the tree. Each slice has one mask for each chain.
// Bit k of the mask of a node is set if the node matches the selector that ends with compound k.
// For the chain "a > b" bit 0 is set for each a, and bit 1 for each b whose parent is an a.
type level struct {
	own             []uint64 // masks of the current node at this depth
	ownOrAbove      []uint64 // masks of the current node, or'ed with those of its ancestors
	previousSibling []uint64 // masks of the sibling just before the current node
	earlierSiblings []uint64 // masks of all siblings before the current node, or'ed

	at position // the position of the current node
}

// position is the position of an element among its siblings. The maps are nil if no selector needs
// positions.
type position struct {
	index int            // index of the element, from 1
	count int            // number of elements among the children of the parent
	name  string         // name of the element
	seen  map[string]int // number of elements of each name, up to this element
	all   map[string]int // number of all elements of each name
}

// newMatching returns a matching of s, for one document.
func (s *selectorList) newMatching() *matching { return &matching{Selector: s.whole, list: s} }

// exceeded reports whether the work has exceeded maxWork. Then the result is incomplete.
func (m *matching) exceeded() bool { return m.work > maxWork }

// MatchAll returns the matching elements of the tree below n, and n itself if it matches, in
// document order.
func (m *matching) MatchAll(n *html.Node) []*html.Node {
	m.found = nil
	top := m.resetLevel(0)
	if n.Parent != nil {
		m.countChildren(n.Parent, top)
		for c := n.Parent.FirstChild; c != n; c = c.NextSibling {
			if c.Type == html.ElementNode {
				top.at.next(c)
			}
		}
	}
	none := make([]uint64, len(m.list.chains))
	m.visit(n, &level{own: none, ownOrAbove: none}, 0)
	return m.found
}

// resetLevel resets the state at a depth and returns it. Call it before the first child of a node
// is visited. visit sets own and ownOrAbove.
func (m *matching) resetLevel(depth int) *level {
	if depth == len(m.levels) {
		n := len(m.list.chains)
		m.levels = append(m.levels, &level{
			own:             make([]uint64, n),
			ownOrAbove:      make([]uint64, n),
			previousSibling: make([]uint64, n),
			earlierSiblings: make([]uint64, n),
		})
	}
	l := m.levels[depth]
	clear(l.previousSibling)
	clear(l.earlierSiblings)
	return l
}

// countChildren prepares l.at for the children of n, if a selector needs positions. After that,
// call next for each child.
func (m *matching) countChildren(n *html.Node, l *level) {
	if !m.list.usesNth {
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

// visit matches the element n at a depth, and the elements below it. parent is the state of the
// parent of n.
func (m *matching) visit(n *html.Node, parent *level, depth int) {
	l := m.levels[depth]
	l.at.next(n)
	selected := false
	for i := range m.list.chains {
		c := &m.list.chains[i]
		own := m.maskOf(c, i, n, parent, l)
		l.own[i] = own
		l.ownOrAbove[i] = parent.ownOrAbove[i] | own
		selected = selected || c.selects && c.complete(own)
	}
	if selected {
		m.found = append(m.found, n)
	}
	if n.FirstChild != nil {
		m.visitChildren(n, l, depth+1)
	}
	for i, own := range l.own {
		l.previousSibling[i] = own
		l.earlierSiblings[i] |= own
	}
}

// complete reports whether an element with this mask matches the whole chain: the bit of the last
// compound is set.
func (c *chain) complete(mask uint64) bool { return mask>>(len(c.compounds)-1)&1 != 0 }

// visitChildren visits the children of n, which are at a depth. parent is the state of n.
func (m *matching) visitChildren(n *html.Node, parent *level, depth int) {
	m.countChildren(n, m.resetLevel(depth))
	for c := range n.ChildNodes() {
		if m.exceeded() {
			return
		}
		if c.Type == html.ElementNode {
			m.visit(c, parent, depth)
		}
	}
}

// maskOf returns the mask of n for c, the chain with the index i. l is the state of n, and parent
// is the state of its parent.
func (m *matching) maskOf(c *chain, i int, n *html.Node, parent, l *level) (own uint64) {
	for k := range c.compounds {
		// Bit 0 is set if a node that the combinator allows, such as the parent of n, matches the
		// compounds before k. It is always set for the first compound.
		related := uint64(1)
		switch c.combinators[k] {
		case ' ':
			related = parent.ownOrAbove[i] >> (k - 1)
		case '>':
			related = parent.own[i] >> (k - 1)
		case '+':
			related = l.previousSibling[i] >> (k - 1)
		case '~':
			related = l.earlierSiblings[i] >> (k - 1)
		}
		if related&1 != 0 && m.matchesCompound(&c.compounds[k], n, l) {
			own |= 1 << k
		}
	}
	return own
}

// matchesCompound returns true if n matches a compound. It adds the work of the match to m.work. l
// is the state of n. Its masks for the chains in c.nots are already set.
func (m *matching) matchesCompound(c *compound, n *html.Node, l *level) bool {
	m.work++
	for i := range n.Attr {
		m.work += float64(1 + len(n.Attr[i].Val)/64)
	}
	if !c.simple.Match(n) {
		return false
	}
	for i := range c.nths {
		if !c.nths[i].fits(&l.at) {
			return false
		}
	}
	for _, i := range c.nots {
		if m.list.chains[i].complete(l.own[i]) {
			return false
		}
	}
	if c.rest == nil {
		return true
	}
	m.work += m.estimate(&c.cost, n)
	return !m.exceeded() && c.rest.Match(n)
}

// fits reports whether an element at a position meets the condition p.
func (p *nth) fits(at *position) bool {
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

// estimate returns the approximate number of nodes that cascadia visits to match compound.rest with
// n. c is the cost of the compound.
func (m *matching) estimate(c *cost, n *html.Node) float64 {
	nodes := 1.0
	if c.visitsDescendants {
		nodes = float64(m.subtreeSize(n))
	}
	if c.visitsSiblings || c.siblingSteps > 0 || c.ancestorSteps > 0 {
		t := m.measureTree(n)
		if c.visitsSiblings {
			nodes *= float64(1 + t.widest)
		}
		nodes *= math.Pow(float64(t.widest), float64(c.siblingSteps))
		nodes *= math.Pow(float64(t.deepest), float64(c.ancestorSteps))
	}
	return nodes
}

// measureTree returns the size of the whole tree of n. Only the first call measures it.
func (m *matching) measureTree(n *html.Node) *treeSize {
	if m.size != nil {
		return m.size
	}
	for n.Parent != nil {
		n = n.Parent
	}
	m.size = &treeSize{widest: 1, deepest: 1}
	m.size.add(n, 1)
	return m.size
}

// add includes n and the tree below n in t. depth is the depth of n.
func (t *treeSize) add(n *html.Node, depth int) {
	t.deepest = max(t.deepest, depth)
	children := 0
	for c := range n.ChildNodes() {
		children++
		t.add(c, depth+1)
	}
	t.widest = max(t.widest, children)
}

// subtreeSize returns the number of nodes in the tree below n, plus the length of their text in
// units of 8 bytes. It stops when the result exceeds the work that is left.
func (m *matching) subtreeSize(n *html.Node) int {
	size := 1
	left := int(maxWork - m.work)
	for d := range n.Descendants() {
		size += 1 + len(d.Data)/8
		if size > left {
			break
		}
	}
	return size
}
