package links

import (
	"errors"
	"fmt"
	"strings"

	"github.com/andybalholm/cascadia"
)

// Package cascadia matches a selector node by node. For "b ~ a" it searches all siblings of each a,
// which takes minutes in a page with very many siblings. Therefore selectors are cut here at their
// combinators. The pieces are cut again, into a part that cascadia matches by looking at one
// element, and the rest. One walk through the tree matches all pieces (see matching.go).

// selector is a list of CSS selectors.
type selector struct {
	whole  cascadia.Selector
	chains []chain // a chain in a :not comes before the chain with the :not
	placed bool    // a compound needs positions
}

// chain is one selector: compounds with combinators between them.
type chain struct {
	compounds   []compound
	combinators []byte // before each compound; 0 before the first
	selects     bool   // a selector of the list, not one in a :not
}

const (
	mostCompounds = 64   // compounds in a chain: each has a bit in a mask
	mostChains    = 2000 // chains in a list: each has masks at every depth of a page
)

// compound is the condition that one element must meet.
type compound struct {
	simple cascadia.Matcher // the part that depends only on the element itself
	places []place
	nots   []int            // indexes of chains that must not match the element
	other  cascadia.Matcher // all other pseudo-classes, or nil
	cost   cost             // of other
}

// place is the place that an element must have among its siblings, for :nth-child and similar
// pseudo-classes.
type place struct {
	a, b               int // the formula an+b
	last, ofType, only bool
}

// parseSelector parses a list of selectors.
func parseSelector(text string) (*selector, error) {
	group, err := cascadia.ParseGroup(text)
	if err != nil {
		return nil, err
	}
	s := &selector{whole: group.Match}
	_, joined, err := s.cut(text, true)
	// cascadia reads a part in another way, for example an expression
	if err == errCut || err == nil && joined != group.String() {
		all := compound{simple: everything, other: group, cost: costOf("(" + text + ")")}
		s.chains, s.placed = []chain{{[]compound{all}, []byte{0}, true}}, false
		return s, nil
	}
	return s, err
}

// everything matches all elements.
var everything = cascadia.MustCompile("*")

// errCut reports that a list of selectors cannot be cut.
var errCut = errors.New("cannot be cut")

// cut cuts a list of selectors into chains of s. It returns their indexes, and the text that
// cascadia gives for the joined pieces.
func (s *selector) cut(text string, selects bool) (list []int, joined string, err error) {
	var names []string
	for {
		c := chain{selects: selects}
		name, n, err := s.take(&c, text)
		if err != nil {
			return nil, "", err
		}
		if len(s.chains) == mostChains {
			return nil, "", fmt.Errorf("it has more than %d selectors", mostChains)
		}
		list, names = append(list, len(s.chains)), append(names, name)
		s.chains = append(s.chains, c)
		text = text[n:]
		if text == "" {
			return list, strings.Join(names, ", "), nil
		}
		text = text[1:] // skip the comma
	}
}

// take parses the selector at the beginning of text into c. It returns the text that cascadia gives
// for the selector, and the length of the selector.
func (s *selector) take(c *chain, text string) (name string, n int, err error) {
	combinator := byte(0)
	for n = blank(text); ; {
		size := until(text[n:], func(rest string) bool {
			return strings.IndexByte(" \t\r\n\f,>+~", rest[0]) >= 0 || strings.HasPrefix(rest, "/*")
		})
		next, called, err := s.compound(text[n : n+size])
		if err != nil {
			return "", 0, err
		}
		if len(c.compounds) == mostCompounds {
			return "", 0, fmt.Errorf("one has more than %d parts", mostCompounds)
		}
		c.compounds, c.combinators = append(c.compounds, next), append(c.combinators, combinator)
		if combinator != 0 {
			name += fmt.Sprintf(" %c ", combinator)
		}
		name += called
		n += size
		behind := blank(text[n:])
		n += behind
		switch {
		case n == len(text) || text[n] == ',':
			return name, n, nil
		case strings.IndexByte(">+~", text[n]) >= 0:
			combinator = text[n]
			n++
			n += blank(text[n:])
		case behind > 0:
			combinator = ' '
		default:
			return "", 0, errCut
		}
	}
}

// blank returns the length of the white space and comments at the beginning of text.
func blank(text string) int {
	for rest := text; ; {
		rest = strings.TrimLeft(rest, " \t\r\n\f")
		inside, isComment := strings.CutPrefix(rest, "/*")
		_, behind, ends := strings.Cut(inside, "*/")
		if !isComment || !ends {
			return len(text) - len(rest)
		}
		rest = behind
	}
}

// until returns the length of text before the first place where is reports true. It skips
// parentheses, brackets and quoted strings.
func until(text string, is func(rest string) bool) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i += escape(text[i:]) - 1
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case depth == 0 && is(text[i:]):
			return i
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		}
	}
	return len(text)
}

// escape returns the length of the escape sequence at the beginning of text.
func escape(text string) int {
	n := 1
	for n < min(len(text), 7) && strings.IndexByte("0123456789abcdefABCDEF", text[n]) >= 0 {
		n++
	}
	switch {
	case n == 1:
		return 2
	case strings.HasPrefix(text[n:], "\r\n"):
		return n + 2
	case n < len(text) && strings.IndexByte(" \t\r\n\f", text[n]) >= 0:
		return n + 1 // white space ends the sequence and is part of it
	}
	return n
}

// compound parses a compound, and returns the text that cascadia gives for it.
func (s *selector) compound(text string) (c compound, called string, err error) {
	all, err := cascadia.Parse(text)
	if err != nil {
		return c, "", errCut // an error of the whole list would have been found before
	}
	colon := func(rest string) bool { return rest[0] == ':' }
	other := ""
	for text != "" {
		n := until(text, colon)
		other, text = other+text[:n], text[n:]
		name, inner, size := pseudoClass(text)
		switch name {
		case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type", "first-child",
			"last-child", "first-of-type", "last-of-type", "only-child", "only-of-type":
			p, err := newPlace(text[:size])
			if err != nil {
				return c, "", err
			}
			c.places, s.placed = append(c.places, p), true
		case "not":
			list, _, err := s.cut(inner, false)
			if err != nil {
				return c, "", err
			}
			c.nots = append(c.nots, list...)
		default:
			other += text[:size]
		}
		text = text[size:]
	}
	c.simple = everything
	n := until(other, colon)
	if n > 0 {
		if c.simple, err = cascadia.Parse(other[:n]); err != nil {
			return c, "", errCut
		}
	}
	if n < len(other) {
		c.cost = costOf(other[n:])
		if c.other, err = cascadia.Parse(other); err != nil {
			return c, "", errCut
		}
	}
	return c, all.String(), nil
}

// pseudoClass parses the pseudo-class at the beginning of text. It returns its lower-case name, the
// text in its parentheses, and its length.
func pseudoClass(text string) (name, inner string, size int) {
	if text == "" {
		return "", "", 0
	}
	for size = 1; size < len(text) && (text[size] == '-' || text[size]|0x20 >= 'a' && text[size]|0x20 <= 'z'); {
		size++
	}
	name = strings.ToLower(text[1:size])
	if size < len(text) && text[size] == '(' {
		n := until(text[size+1:], func(rest string) bool { return rest[0] == ')' })
		inner = text[size+1 : size+1+n]
		size = min(size+n+2, len(text))
	}
	return name, inner, size
}

// newPlace parses a pseudo-class for places.
func newPlace(text string) (p place, err error) {
	read, err := cascadia.Parse(text)
	if err != nil {
		return p, errCut
	}
	name, formula, _ := strings.Cut(read.String(), "(")
	p = place{b: 1, last: strings.Contains(name, "last"),
		ofType: strings.Contains(name, "of-type"), only: strings.Contains(name, "only")}
	if formula != "" {
		if _, err := fmt.Sscanf(formula, "%dn%d)", &p.a, &p.b); err != nil {
			return p, errCut
		}
	}
	return p, nil
}

// cost estimates the number of nodes that the pseudo-classes of a compound.other visit.
type cost struct {
	inside   bool // all descendants, as for :has
	siblings bool // all siblings of these, as for :nth-child in :has
	beside   int  // combinators that search siblings
	above    int  // combinators that search ancestors
}

// costOf estimates the cost of pseudo-classes from their text.
func costOf(text string) (c cost) {
	text = strings.ToLower(text)
	has := func(names ...string) bool {
		for _, name := range names {
			if strings.Contains(text, name) {
				return true
			}
		}
		return false
	}
	c.inside = has("has", "contains", "matches", "empty")
	c.siblings = has("nth-", "-child", "-of-type")
	if has(":lang") {
		c.above++
	}
	for rest := text; ; {
		before, inner, ok := strings.Cut(rest, "(")
		if !ok {
			return c
		}
		rest = inner
		if name := before[strings.LastIndexByte(before, ':')+1:]; strings.HasPrefix(name, "nth-") {
			_, rest, _ = strings.Cut(inner, ")") // a formula without combinators
			continue
		}
		within, _, _ := strings.Cut(inner, "(")
		c.beside += strings.Count(within, "~") + strings.Count(within, "+")
		for list := range strings.SplitSeq(within, ",") {
			c.above += descendants(list)
		}
	}
}

// descendants returns the number of combinators for descendants in a selector.
func descendants(text string) int {
	for _, combinator := range []string{">", "+", "~"} {
		text = strings.ReplaceAll(text, combinator, " > ")
	}
	n := -1
	for _, word := range strings.Fields(text) {
		n++
		if word == ">" {
			n -= 2
		}
	}
	return max(n, 0)
}
