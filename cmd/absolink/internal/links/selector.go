package links

import (
	"errors"
	"fmt"
	"strings"

	"github.com/andybalholm/cascadia"
)

// Package cascadia matches a selector node by node, and looks for the b of "b ~ a" among all
// siblings of each a. In a page with very many siblings that takes minutes. So selectors are cut
// here, at their combinators, and into what cascadia matches by looking at one element, and what
// else is asked of it. One walk through the tree matches all of that, see matching.go.

// selector is a list of CSS selectors.
type selector struct {
	whole  cascadia.Selector
	chains []chain // those in a :not stand before the one that it is in
	placed bool    // a compound asks for places
}

// chain is one selector: compounds with combinators between them.
type chain struct {
	compounds   []compound
	combinators []byte // before each compound but the first, which has 0
	selects     bool   // it is one of the list, not one in a :not
}

const (
	mostCompounds = 64   // of a chain: each has a bit in a mask
	mostChains    = 2000 // of a list: each has masks at every depth of a page
)

// compound is what one element has to be.
type compound struct {
	simple cascadia.Matcher // what needs a look at the element alone
	places []place
	nots   []int            // chains that must not match it
	other  cascadia.Matcher // all pseudo-classes besides; nil if there is none
	cost   cost             // of other
}

// place is where an element has to stand among its siblings: :nth-child and all that is like it.
type place struct {
	a, b               int // as in an+b
	last, ofType, only bool
}

// parseSelector reads a list of selectors.
func parseSelector(text string) (*selector, error) {
	group, err := cascadia.ParseGroup(text)
	if err != nil {
		return nil, err
	}
	s := &selector{whole: group.Match}
	_, joined, err := s.cut(text, true)
	// cascadia reads something otherwise, such as an expression
	if err == errCut || err == nil && joined != group.String() {
		all := compound{simple: everything, other: group, cost: costOf("(" + text + ")")}
		s.chains, s.placed = []chain{{[]compound{all}, []byte{0}, true}}, false
		return s, nil
	}
	return s, err
}

// everything matches all elements.
var everything = cascadia.MustCompile("*")

// errCut says that a list of selectors cannot be cut.
var errCut = errors.New("cannot be cut")

// cut cuts a list of selectors into chains of s, and returns their numbers, and what cascadia calls
// the pieces when it joins them.
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
		text = text[1:] // a comma
	}
}

// take makes c the selector that text begins with. It returns what cascadia calls that, and its
// length.
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

// blank returns the length of the white space and comments that text begins with.
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

// until returns the length of text up to where is reports true of the rest, outside of parentheses,
// brackets and quotation marks.
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

// escape returns the length of the escape sequence that text begins with.
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
		return n + 1 // white space ends it, and is a part of it
	}
	return n
}

// compound reads a compound, and returns what cascadia calls it.
func (s *selector) compound(text string) (c compound, called string, err error) {
	all, err := cascadia.Parse(text)
	if err != nil {
		return c, "", errCut // an error of the whole list would have been found
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

// pseudoClass returns the name of the pseudo-class that text begins with, in lower case, what
// stands in its parentheses, and its length.
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

// newPlace reads a pseudo-class.
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

// cost is how many nodes pseudo-classes look at that cascadia matches.
type cost struct {
	inside   bool // all nodes inside, as :has
	siblings bool // all siblings of these, as :nth-child in :has
	beside   int  // combinators that look at siblings
	above    int  // and those that look at what is above
}

// costOf returns what pseudo-classes may look at, by their text.
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
			_, rest, _ = strings.Cut(inner, ")") // which has no combinators
			continue
		}
		within, _, _ := strings.Cut(inner, "(")
		c.beside += strings.Count(within, "~") + strings.Count(within, "+")
		for list := range strings.SplitSeq(within, ",") {
			c.above += descendants(list)
		}
	}
}

// descendants returns how many combinators for descendants a selector has.
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
