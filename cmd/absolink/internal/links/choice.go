package links

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/authority"
	"absolink/cmd/absolink/internal/flag"
	"absolink/extract"
	"absolink/resolve"
	"absolink/resolve/ascii"
)

// Choice has the criteria by which links are chosen. A link is chosen if it meets all of them. The
// zero value chooses all links.
type Choice struct {
	// SameHost chooses only links to the host that the document was retrieved from. If that host is
	// unknown, the host of the base of the document counts instead.
	SameHost bool

	lists        [numLists]Values
	selector     *selectorList // nil without --select
	selectorText string        // the value of --select

	match, noMatch []*regexp.Regexp

	criteria []*criterion
	examined atomic.Bool // a link was examined
	chosen   atomic.Bool // a link was chosen
}

// property is the property of a link that a criterion tests.
type property uint8

const (
	byScheme property = iota
	byKind
	byElement
	byAttribute
	byStatus
	byHost
	byRel
	bySelector
	byMatch
	byNoMatch
	bySameHost
)

// numLists is the number of properties whose flag takes a list: those before bySelector.
const numLists = int(bySelector)

// criterion is a condition that links must meet, from a flag that was given.
type criterion struct {
	by   property
	flag string      // the flag with its value, for messages
	key  string      // the key of records that shows the property, as in --format jsonl
	met  atomic.Bool // a link met the criterion
}

// listFlags are the flags that take a list, by property.
var listFlags = [...]struct{ name, key, help string }{
	byScheme:    {"scheme", "uri", "only links whose absolute URI has one of these schemes, such as http,https"},
	byKind:      {"kind", "kind", "only links of these kinds: " + strings.Join(kinds, " ")},
	byElement:   {"element", "element", "only links in these elements"},
	byAttribute: {"attribute", "attribute", "only links in these attributes"},
	byStatus:    {"status", "status", "only links with one of these statuses: " + strings.Join(statuses, " ")},
	byRel: {"rel", "rel",
		"only links with one of these link types; all links of a page have nofollow if the page asks robots " +
			"not to follow links"},
	byHost: {"host", "uri",
		"only links whose absolute URI has one of these hosts (.example.org also takes all hosts below " +
			"example.org)"},
}

var kinds, statuses = names(extract.Kind.String), names(extract.Status.String)

// names returns the names of all values of a type. The values count from 0, and the name of the
// first invalid value is "".
func names[T ~uint8](name func(T) string) (all []string) {
	for v := T(0); name(v) != ""; v++ {
		all = append(all, name(v))
	}
	return all
}

// initLists sets the properties of the lists, and calls register for each list with the name, help
// text and value of its flag.
func (c *Choice) initLists(register func(name, help string, v *Values)) {
	for i := range c.lists {
		c.lists[i].by = property(i)
		register(listFlags[i].name, "Which: "+listFlags[i].help+"; a leading ! negates the list", &c.lists[i])
	}
}

// SetSelector sets the criterion of --select, a list of CSS selectors. A link of HTML meets it if
// its element, or an element around it, matches one of the selectors.
func (c *Choice) SetSelector(selectors string) error {
	parsed, err := parseSelector(selectors) // goquery would accept a wrong selector and match nothing
	if errors.As(err, new(tooLargeError)) {
		return fmt.Errorf("%.200q is too large: %v", selectors, err)
	}
	if err != nil {
		return fmt.Errorf("%q is not a CSS selector such as 'nav a' or 'a[rel=next]': %v", selectors, err)
	}
	c.selector = parsed
	c.selectorText = selectors
	return nil
}

// AddMatch adds a regular expression to --match. The absolute URI of a link must match one of these
// expressions.
func (c *Choice) AddMatch(text string) error { return addPattern(&c.match, text) }

// AddNoMatch adds a regular expression to --no-match. The absolute URI of a link must match none of
// these expressions. A link without an absolute URI matches none.
func (c *Choice) AddNoMatch(text string) error { return addPattern(&c.noMatch, text) }

// addPattern compiles a regular expression and appends it to list.
func addPattern(list *[]*regexp.Regexp, text string) error {
	if text == "" {
		return errors.New("an empty expression matches everything: leave it out")
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return err
	}
	*list = append(*list, re)
	return nil
}

// joinPatterns returns the texts of the patterns in list, with spaces between them.
func joinPatterns(list []*regexp.Regexp) string {
	var all []string
	for _, re := range list {
		all = append(all, re.String())
	}
	return strings.Join(all, " ")
}

// collectCriteria sets c.criteria to the flags that were given.
func (c *Choice) collectCriteria() {
	c.criteria = nil
	for i := range c.lists {
		if v := &c.lists[i]; v.isSet() {
			c.criteria = append(c.criteria,
				&criterion{by: property(i), flag: "--" + listFlags[i].name + " " + v.String(), key: listFlags[i].key})
		}
	}
	if c.selector != nil {
		c.criteria = append(c.criteria, &criterion{by: bySelector, flag: "--select " + c.selectorText, key: "element"})
	}
	if c.match != nil {
		c.criteria = append(c.criteria, &criterion{by: byMatch, flag: "--match " + joinPatterns(c.match), key: "uri"})
	}
	if c.noMatch != nil {
		c.criteria = append(c.criteria,
			&criterion{by: byNoMatch, flag: "--no-match " + joinPatterns(c.noMatch), key: "uri"})
	}
	if c.SameHost {
		c.criteria = append(c.criteria, &criterion{by: bySameHost, flag: "--same-host", key: "uri"})
	}
}

// ChoosesAll reports whether there is no criterion. [Options.Prepare] collects the criteria.
func (c *Choice) ChoosesAll() bool { return len(c.criteria) == 0 }

// ByRel reports whether links are chosen by their link types.
func (c *Choice) ByRel() bool { return c.lists[byRel].isSet() }

// CheckStatus refuses a --status that chooses only links without an absolute URI. purpose ends the
// message: it says what the URI is needed for. The error is a [*flag.Error].
func (c *Choice) CheckStatus(purpose string) error {
	v := &c.lists[byStatus]
	for _, s := range []extract.Status{extract.Resolved, extract.AbsoluteRef, extract.SameDocument} {
		if v.has(s.String()) {
			return nil
		}
	}
	return flag.Errorf("--status %s: these links have no absolute URI %s", v.String(), purpose)
}

// Chosen returns true if l, a link of the current document, meets all criteria. It also records the
// criteria that l meets, for [Options.Unmatched].
func (f *Finder) Chosen(l *extract.Link) bool {
	c := &f.o.Choice
	chosen := true
	for _, k := range c.criteria {
		if !chosen && k.met.Load() {
			continue // l is not chosen, and another link has met k
		}
		meets := f.meets(k.by, l)
		setOnce(&k.met, meets)
		chosen = chosen && meets
	}
	if c.hasPatterns() && f.ctx != nil && f.ctx.Err() != nil {
		return false // the match may be incomplete: count the link neither as examined nor as chosen
	}
	setOnce(&c.examined, true)
	setOnce(&c.chosen, chosen)
	return chosen
}

// meets reports whether l meets the criterion for a property.
func (f *Finder) meets(by property, l *extract.Link) bool {
	lists := &f.o.Choice.lists
	switch by {
	case byKind:
		return lists[byKind].has(l.Kind.String())
	case byElement:
		return lists[byElement].has(l.Element)
	case byAttribute:
		return lists[byAttribute].has(l.Attr)
	case byScheme:
		return lists[byScheme].has(resolve.Split(string(l.URI)).Scheme)
	case byStatus:
		return lists[byStatus].has(l.Status.String())
	case byHost:
		return lists[byHost].has(authority.Host(string(l.URI)))
	case byRel:
		return lists[byRel].hasAny(f.rels(l))
	case byMatch:
		return len(l.URI) > 0 && f.matchesAny(f.o.Choice.match, l.URI)
	case byNoMatch:
		return !f.matchesAny(f.o.Choice.noMatch, l.URI)
	case bySelector:
		return f.current.scope != nil && f.current.scope.Selected(l.Ref)
	case bySameHost:
		return f.current.host != "" && strings.EqualFold(authority.Host(string(l.URI)), f.current.host)
	}
	panic("links: unknown property")
}

// rels returns the link types of l. If the page asks robots not to follow links, it adds nofollow.
func (f *Finder) rels(l *extract.Link) []string {
	rels := slices.Collect(ascii.Space.Split(l.Rel))
	if f.Robots().Has(nofollow) {
		rels = append(rels, nofollow)
	}
	return rels
}

const nofollow = "nofollow"

// hasPatterns reports whether --match or --no-match is given.
func (c *Choice) hasPatterns() bool { return len(c.match)+len(c.noMatch) > 0 }

// longMatch is the size in bytes of the shortest URI whose match ends early when the context is
// done. The match of a shorter URI does not take long.
const longMatch = 16 << 10

// matchesAny reports whether one of the expressions in list matches a URI. If the URI is long and
// the context is done, it returns false.
func (f *Finder) matchesAny(list []*regexp.Regexp, uri []byte) bool {
	if f.ctx == nil || len(uri) < longMatch {
		return slices.ContainsFunc(list, func(re *regexp.Regexp) bool { return re.Match(uri) })
	}
	return slices.ContainsFunc(list, func(re *regexp.Regexp) bool {
		return f.ctx.Err() == nil && re.MatchReader(&runes{ctx: f.ctx, text: uri})
	})
}

// runes is an [io.RuneReader] of a text. It returns io.EOF early once ctx is done.
type runes struct {
	ctx  context.Context
	text []byte
	n    int // number of characters read
}

func (r *runes) ReadRune() (c rune, size int, err error) {
	r.n++
	if len(r.text) == 0 || r.n%256 == 0 && r.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	c, size = utf8.DecodeRune(r.text)
	r.text = r.text[size:]
	return c, size, nil
}

// setOnce sets b if v is true. It does not write to b a second time: a write would remove b from
// the caches of the other processors.
func setOnce(b *atomic.Bool, v bool) {
	if v && !b.Load() {
		b.Store(true)
	}
}

// unmatched returns messages about the criteria that no link met. It returns nil if a link was
// chosen, or if no link was examined.
func (c *Choice) unmatched() (list []string) {
	if !c.examined.Load() || c.chosen.Load() {
		return nil
	}
	var flags []string
	for _, k := range c.criteria {
		flags = append(flags, k.flag)
		if !k.met.Load() {
			list = append(list,
				fmt.Sprintf("%s matches none of the links; absolink extract --format jsonl shows the %s of each",
					k.flag, k.key))
		}
	}
	if list == nil {
		list = append(list, "no link matches all of "+strings.Join(flags, ", ")+": leave one of these flags out")
	}
	return list
}
