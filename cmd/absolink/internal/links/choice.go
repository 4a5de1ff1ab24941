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

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
	"absolink/resolve"
)

// Choice says which links are chosen: those that meet all given criteria. The zero value chooses
// all links.
type Choice struct {
	SameHost bool // only links to the host of the document's retrieval URI; if it is unknown, to the host of the base

	lists        [byLists]Values
	selector     *selector // nil without --select
	selectorText string

	match, noMatch []*regexp.Regexp

	criteria []*criterion
	looked   atomic.Bool // a link was examined
	chose    atomic.Bool // a link was chosen
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

// byLists is the number of properties that take a list of values: the ones before bySelector.
const byLists = int(bySelector)

// criterion is one flag that chooses links.
type criterion struct {
	by   property
	flag string
	key  string // the key of records that shows the property
	met  atomic.Bool
}

// lists describes the flags that take lists.
var lists = [...]struct{ name, key, help string }{
	byScheme:    {"scheme", "uri", "only references whose absolute URI has one of these schemes, such as http,https"},
	byKind:      {"kind", "kind", "only references of these kinds: " + strings.Join(kinds, " ")},
	byElement:   {"element", "element", "only references in these elements"},
	byAttribute: {"attribute", "attribute", "only references in these attributes"},
	byStatus:    {"status", "status", "only references with one of these statuses: " + strings.Join(statuses, " ")},
	byRel: {"rel", "rel",
		"only references with one of these link types; a page may give nofollow to all its links by its wishes to " +
			"robots"},
	byHost: {"host", "uri",
		"only references whose absolute URI has one of these hosts (.example.org: or one below it)"},
}

var kinds, statuses = names(extract.Kind.String), names(extract.Status.String)

// names returns the names of all values of a type, which count from 0.
func names[T ~uint8](name func(T) string) (all []string) {
	for v := T(0); name(v) != ""; v++ {
		all = append(all, name(v))
	}
	return all
}

// Lists calls f for each flag that takes a list, with its name, help text and value.
func (c *Choice) Lists(f func(name, help string, v *Values)) {
	for i := range c.lists {
		c.lists[i].by = property(i)
		f(lists[i].name, "Which: "+lists[i].help+"; a leading ! negates the list", &c.lists[i])
	}
}

// Select chooses links in HTML elements that match a list of CSS selectors, or below such elements.
func (c *Choice) Select(selectors string) error {
	parsed, err := parseSelector(selectors) // goquery would accept a wrong selector and match nothing
	if err != nil {
		return fmt.Errorf("%q is not a CSS selector such as 'nav a' or 'a[rel=next]': %v", selectors, err)
	}
	c.selector, c.selectorText = parsed, selectors
	return nil
}

// Match chooses links whose absolute URI matches a regular expression. After several calls, one of
// the expressions must match.
func (c *Choice) Match(text string) error { return addPattern(&c.match, text) }

// NoMatch chooses links whose absolute URI does not match a regular expression. Links without an
// absolute URI are chosen, too.
func (c *Choice) NoMatch(text string) error { return addPattern(&c.noMatch, text) }

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

// texts returns the texts of patterns, joined by blanks.
func texts(list []*regexp.Regexp) string {
	var all []string
	for _, re := range list {
		all = append(all, re.String())
	}
	return strings.Join(all, " ")
}

// begin collects the criteria from the flags that are given.
func (c *Choice) begin() {
	c.criteria = nil
	for i := range c.lists {
		if v := &c.lists[i]; v.isSet() {
			c.criteria = append(c.criteria,
				&criterion{by: property(i), flag: "--" + lists[i].name + " " + v.String(), key: lists[i].key})
		}
	}
	if c.selector != nil {
		c.criteria = append(c.criteria, &criterion{by: bySelector, flag: "--select " + c.selectorText, key: "element"})
	}
	if c.match != nil {
		c.criteria = append(c.criteria, &criterion{by: byMatch, flag: "--match " + texts(c.match), key: "uri"})
	}
	if c.noMatch != nil {
		c.criteria = append(c.criteria, &criterion{by: byNoMatch, flag: "--no-match " + texts(c.noMatch), key: "uri"})
	}
	if c.SameHost {
		c.criteria = append(c.criteria, &criterion{by: bySameHost, flag: "--same-host", key: "uri"})
	}
}

// All reports whether all links are chosen.
func (c *Choice) All() bool { return len(c.criteria) == 0 }

// Rels reports whether links are chosen by their link types.
func (c *Choice) Rels() bool { return c.lists[byRel].isSet() }

// CheckStatus refuses --status if all its statuses are of links without an absolute URI. what ends
// the message and says what the URI is needed for. The error is a [*flag.Error].
func (c *Choice) CheckStatus(what string) error {
	v := &c.lists[byStatus]
	for _, s := range []extract.Status{extract.Resolved, extract.AbsoluteRef, extract.SameDocument} {
		if v.has(s.String()) {
			return nil
		}
	}
	return flag.Errorf("--status %s: these references have no absolute URI %s", v.String(), what)
}

// Chooses reports whether l, a link of the current document, is chosen.
func (f *Finder) Chooses(l *extract.Link) bool {
	c, all := &f.o.Choice, true
	for _, k := range c.criteria {
		if !all && k.met.Load() {
			continue
		}
		has := f.meets(k.by, l)
		note(&k.met, has)
		all = all && has
	}
	if c.matches() && f.ctx != nil && f.ctx.Err() != nil {
		return false // the match was interrupted
	}
	note(&c.looked, true)
	note(&c.chose, all)
	return all
}

// meets reports whether l meets a criterion.
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
		return lists[byHost].has(record.Host(string(l.URI)))
	case byRel:
		return lists[byRel].hasAny(f.rels(l))
	case byMatch:
		return len(l.URI) > 0 && f.matches(f.o.Choice.match, l.URI)
	case byNoMatch:
		return !f.matches(f.o.Choice.noMatch, l.URI)
	case bySelector:
		return f.current.scope != nil && f.current.scope.Selected(l.Ref)
	case bySameHost:
		return f.current.host != "" && strings.EqualFold(record.Host(string(l.URI)), f.current.host)
	}
	panic("links: a criterion without a meaning")
}

// rels returns the link types of l. If the page asks robots to follow no links, each link also has
// the type nofollow.
func (f *Finder) rels(l *extract.Link) []string {
	rels := strings.Fields(l.Rel)
	if f.Robots().Has(nofollow) {
		rels = append(rels, nofollow)
	}
	return rels
}

const nofollow = "nofollow"

// matches reports whether links are chosen by regular expressions.
func (c *Choice) matches() bool { return len(c.match)+len(c.noMatch) > 0 }

// longMatch is the length in bytes from which a match of a URI can be interrupted.
const longMatch = 16 << 10

// matches reports whether one of the expressions matches a URI. It returns false once the work is
// to end.
func (f *Finder) matches(list []*regexp.Regexp, uri []byte) bool {
	if f.ctx == nil || len(uri) < longMatch {
		return slices.ContainsFunc(list, func(re *regexp.Regexp) bool { return re.Match(uri) })
	}
	return slices.ContainsFunc(list, func(re *regexp.Regexp) bool {
		return f.ctx.Err() == nil && re.MatchReader(&runes{ctx: f.ctx, text: uri})
	})
}

// runes reads the characters of a text. It ends early once ctx is done.
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

// note sets b if v is true and b is not set yet. Without a write, b stays in the cache of each
// processor.
func note(b *atomic.Bool, v bool) {
	if v && !b.Load() {
		b.Store(true)
	}
}

// unmatched describes the criteria that no link met. It returns nil if a link was chosen.
func (c *Choice) unmatched() (list []string) {
	if !c.looked.Load() || c.chose.Load() {
		return nil
	}
	var flags []string
	for _, k := range c.criteria {
		flags = append(flags, k.flag)
		if !k.met.Load() {
			list = append(list,
				fmt.Sprintf("%s matches none of the references; absolink extract --format jsonl shows the %s of each",
					k.flag, k.key))
		}
	}
	if list == nil {
		list = append(list, "no reference matches all of "+strings.Join(flags, ", ")+": leave one of them out")
	}
	return list
}
