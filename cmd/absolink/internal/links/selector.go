package links

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
)

// Package cascadia matches a selector node by node. For "b ~ a" it searches all siblings of each a,
// which takes minutes in a page with very many siblings. Therefore this file cuts selectors at
// their combinators into compounds, and one walk through the tree matches all compounds (see
// matching.go). The walk itself checks the combinators, the positions among siblings, and :not.
// Package cascadia checks only the other conditions of a compound.

// selectorList is a list of CSS selectors.
type selectorList struct {
	whole   cascadia.Selector // the list, uncut
	chains  []chain           // the selectors in a :not come before the selector with the :not
	usesNth bool              // some compound has nths
}

// chain is one selector: compounds with combinators between them.
type chain struct {
	compounds   []compound
	combinators []byte // combinators[i] stands before compounds[i]; combinators[0] is 0
	selects     bool   // the selector is in the list itself, not in a :not
}

const (
	maxCompounds = 64   // in a chain, because each compound has a bit in a mask
	maxChains    = 2000 // in a list, because each chain has masks at every depth of a page
)

// compound is the part of a selector between two combinators. One element must meet all its
// conditions.
type compound struct {
	simple cascadia.Matcher // conditions that depend only on the element itself
	nths   []nth
	nots   []int // indexes of chains that must not match the element
	// rest has the conditions of simple and all pseudo-classes that are neither in nths nor in
	// nots. It is nil if there are no such pseudo-classes.
	rest cascadia.Matcher
	cost cost // the cost of rest
}

// nth is a condition on the position of an element among its siblings, such as :nth-child(2n+1) or
// :last-of-type.
type nth struct {
	a, b               int // the formula an+b
	last, ofType, only bool
}

// tooLargeError says that a valid list of selectors exceeds maxChains or maxCompounds.
type tooLargeError string

func (e tooLargeError) Error() string { return string(e) }

// parseSelector parses a list of selectors. The error may be a tooLargeError.
func parseSelector(text string) (*selectorList, error) {
	group, err := cascadia.ParseGroup(text)
	if err != nil {
		return nil, err
	}
	s := &selectorList{whole: group.Match}
	_, canonical, err := s.parseList(text, true)
	// cascadia may parse the whole list differently from its pieces, for example if it contains a
	// regular expression. Then cascadia matches the whole list.
	if err == errCut || err == nil && canonical != group.String() {
		all := compound{simple: everything, rest: group, cost: costOf("(" + text + ")")}
		s.chains = []chain{{[]compound{all}, []byte{0}, true}}
		s.usesNth = false
		return s, nil
	}
	return s, err
}

// everything matches all elements.
var everything = cascadia.MustCompile("*")

// errCut says that this file cannot cut a list of selectors into compounds.
var errCut = errors.New("cannot be cut")

// parseList appends the selectors in text to s.chains. It returns the indexes of the new chains,
// and the selectors in the spelling of cascadia. selects is the field of the new chains.
func (s *selectorList) parseList(text string, selects bool) (indexes []int, canonical string, err error) {
	var parts []string
	for {
		c := chain{selects: selects}
		part, size, err := s.parseChain(&c, text)
		if err != nil {
			return nil, "", err
		}
		if len(s.chains) == maxChains {
			return nil, "", tooLargeError(fmt.Sprintf("it has more than %d selectors", maxChains))
		}
		parts = append(parts, part)
		indexes = append(indexes, len(s.chains))
		s.chains = append(s.chains, c)
		text = text[size:]
		if text == "" {
			return indexes, strings.Join(parts, ", "), nil
		}
		text = text[1:] // skip the comma
	}
}

// parseChain parses the selector at the beginning of text into c. It returns the selector in the
// spelling of cascadia, and the length of the selector in text.
func (s *selectorList) parseChain(c *chain, text string) (canonical string, size int, err error) {
	combinator := byte(0) // before the next compound
	size = blankLength(text)
	for {
		length := lengthUntil(text[size:], endsCompound)
		next, part, err := s.parseCompound(text[size : size+length])
		if err != nil {
			return "", 0, err
		}
		if len(c.compounds) == maxCompounds {
			return "", 0, tooLargeError(fmt.Sprintf("one selector has more than %d parts", maxCompounds))
		}
		c.compounds = append(c.compounds, next)
		c.combinators = append(c.combinators, combinator)
		if combinator != 0 {
			canonical += fmt.Sprintf(" %c ", combinator)
		}
		canonical += part
		size += length
		combinator, length, err = parseCombinator(text[size:])
		if err != nil {
			return "", 0, err
		}
		size += length
		if combinator == 0 {
			return canonical, size, nil
		}
	}
}

// endsCompound reports whether the character at the beginning of text ends a compound.
func endsCompound(text string) bool {
	return strings.IndexByte(" \t\r\n\f,>+~", text[0]) >= 0 || strings.HasPrefix(text, "/*")
}

// parseCombinator parses the combinator at the beginning of text. At the end of a selector,
// combinator is 0. size includes the white space and comments around the combinator.
func parseCombinator(text string) (combinator byte, size int, err error) {
	size = blankLength(text)
	switch {
	case size == len(text) || text[size] == ',':
		return 0, size, nil
	case strings.IndexByte(">+~", text[size]) >= 0:
		combinator = text[size]
		size++
		return combinator, size + blankLength(text[size:]), nil
	case size > 0:
		return ' ', size, nil
	}
	return 0, 0, errCut
}

// blankLength returns the length of the white space and comments at the beginning of text.
func blankLength(text string) int {
	for rest := text; ; {
		rest = strings.TrimLeft(rest, " \t\r\n\f")
		comment, isComment := strings.CutPrefix(rest, "/*")
		_, after, ends := strings.Cut(comment, "*/")
		if !isComment || !ends {
			return len(text) - len(rest)
		}
		rest = after
	}
}

// lengthUntil returns the smallest index i for which stop(text[i:]) is true, or len(text). It skips
// the indexes inside escape sequences, parentheses, brackets and quoted strings.
func lengthUntil(text string, stop func(rest string) bool) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i += escapeLength(text[i:]) - 1
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case depth == 0 && stop(text[i:]):
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

// escapeLength returns the length of the escape sequence at the beginning of text.
func escapeLength(text string) int {
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

// parseCompound parses a compound. It also returns the compound in the spelling of cascadia.
func (s *selectorList) parseCompound(text string) (c compound, canonical string, err error) {
	all, err := cascadia.Parse(text)
	if err != nil {
		return c, "", errCut // cascadia.ParseGroup has found no error in the whole list
	}
	others := "" // text without the pseudo-classes of c.nths and c.nots
	for text != "" {
		n := lengthUntil(text, atColon)
		others += text[:n]
		text = text[n:]
		name, argument, size := pseudoClass(text)
		switch name {
		case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type", "first-child",
			"last-child", "first-of-type", "last-of-type", "only-child", "only-of-type":
			condition, err := parseNth(text[:size])
			if err != nil {
				return c, "", err
			}
			c.nths = append(c.nths, condition)
			s.usesNth = true
		case "not":
			indexes, _, err := s.parseList(argument, false)
			if err != nil {
				return c, "", err
			}
			c.nots = append(c.nots, indexes...)
		default:
			others += text[:size]
		}
		text = text[size:]
	}
	c.simple = everything
	simple := others[:lengthUntil(others, atColon)]
	if simple != "" {
		if c.simple, err = cascadia.Parse(simple); err != nil {
			return c, "", errCut
		}
	}
	if simple != others {
		c.cost = costOf(others[len(simple):])
		if c.rest, err = cascadia.Parse(others); err != nil {
			return c, "", errCut
		}
	}
	return c, all.String(), nil
}

// atColon reports whether text begins with a colon.
func atColon(text string) bool { return text[0] == ':' }

// pseudoClass parses the pseudo-class at the beginning of text. It returns the name in lower case,
// the text in the parentheses, and the length of the pseudo-class. If text is empty, it returns
// zero values.
func pseudoClass(text string) (name, argument string, size int) {
	if text == "" {
		return "", "", 0
	}
	for size = 1; size < len(text) && (text[size] == '-' || text[size]|0x20 >= 'a' && text[size]|0x20 <= 'z'); {
		size++
	}
	name = strings.ToLower(text[1:size])
	if size < len(text) && text[size] == '(' {
		n := lengthUntil(text[size+1:], func(rest string) bool { return rest[0] == ')' })
		argument = text[size+1 : size+1+n]
		size = min(size+n+2, len(text))
	}
	return name, argument, size
}

// parseNth parses a pseudo-class such as :nth-child(2n+1) or :last-of-type.
func parseNth(text string) (p nth, err error) {
	parsed, err := cascadia.Parse(text)
	if err != nil {
		return p, errCut
	}
	name, formula, _ := strings.Cut(parsed.String(), "(")
	p = nth{
		b:      1,
		last:   strings.Contains(name, "last"),
		ofType: strings.Contains(name, "of-type"),
		only:   strings.Contains(name, "only"),
	}
	if formula != "" {
		if _, err := fmt.Sscanf(formula, "%dn%d)", &p.a, &p.b); err != nil {
			return p, errCut
		}
	}
	return p, nil
}

// cost says which nodes cascadia visits to match the pseudo-classes of compound.rest.
type cost struct {
	visitsDescendants bool // cascadia visits all descendants, as for :has
	visitsSiblings    bool // cascadia visits all siblings of each visited node, as for :nth-child in :has
	siblingSteps      int  // number of combinators for which cascadia searches siblings
	ancestorSteps     int  // number of combinators for which cascadia searches ancestors
}

// costOf estimates the cost of the pseudo-classes in text.
func costOf(text string) (c cost) {
	text = strings.ToLower(text)
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) })
	}
	c.visitsDescendants = has("has", "contains", "matches", "empty")
	c.visitsSiblings = has("nth-", "-child", "-of-type")
	if has(":lang") {
		c.ancestorSteps++
	}
	pieces := strings.Split(text, "(")
	for i, piece := range pieces[1:] {
		name := pieces[i][strings.LastIndexByte(pieces[i], ':')+1:]
		if strings.HasPrefix(name, "nth-") {
			_, after, _ := strings.Cut(piece, ")")
			piece = "n)" + after // the formula has no combinators
		}
		c.siblingSteps += strings.Count(piece, "~") + strings.Count(piece, "+")
		for selector := range strings.SplitSeq(piece, ",") {
			c.ancestorSteps += descendantCombinators(selector)
		}
	}
	return c
}

// descendantCombinators returns how many spaces in a selector are combinators: 1 for "a b > c".
func descendantCombinators(text string) int {
	for _, combinator := range []string{">", "+", "~"} {
		text = strings.ReplaceAll(text, combinator, " > ")
	}
	compounds := 0
	others := 0 // number of other combinators
	for _, word := range strings.Fields(text) {
		if word == ">" {
			others++
		} else {
			compounds++
		}
	}
	return max(compounds-1-others, 0)
}
