package move

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"absolink/resolve"
)

// Map is where the parts of a site move to. A URI is mapped once, by the longest prefix
// that a rule has: what a rule gives no other rule maps on, so that two parts can change
// places. The zero value maps nothing. Once rules are added it is safe for concurrent use.
//
// A prefix ends at a component boundary: it is followed by '/', '?', '#' or nothing, or
// ends with one of them. Where the two sides do not agree about the slash at that boundary,
// one is written: the rule from http://a/x to http://b/y/ takes http://a/x/z to
// http://b/y/z.
type Map struct {
	// Options are those by which both sides of a rule are written. They are set before the
	// first rule is added.
	Options resolve.Options

	to    map[string]*target
	order []string    // the prefixes as they were added
	moved atomic.Bool // whether Move was called
	twice []Clash
}

// target is what a rule maps to.
type target struct {
	uri  string
	used atomic.Bool
}

// Empty reports whether there are no rules.
func (m *Map) Empty() bool { return len(m.order) == 0 }

// Add adds a rule: what begins with OLD, an absolute URI, begins with NEW then, which is an
// absolute URI or a reference from OLD, such as a path. Of rules with the same OLD the first
// counts, see [Map.Clashes]. The error names OLD or NEW and wraps that of [resolve.NewBase]
// or [resolve.Base.Resolve].
func (m *Map) Add(OLD, NEW string) error {
	base, err := resolve.NewBase(OLD, m.Options)
	if err != nil {
		return fmt.Errorf("OLD is no absolute URI: %w", err)
	}
	to, err := base.Resolve(NEW)
	if err != nil {
		return fmt.Errorf("NEW is no URI: %w", err)
	}
	from := base.String()
	if whole, fragment, ok := strings.Cut(OLD, "#"); ok && whole != "" {
		from = strings.TrimSuffix(from, "#"+fragment) + "#" + fragment
	}
	if r := resolve.Split(from); r.Path == "/" && !r.HasQuery && !r.HasFragment {
		from = strings.TrimSuffix(from, "/") // a host, whose path is never empty
	}
	m.add(from, to)
	return nil
}

func (m *Map) add(from, to string) {
	switch old := m.to[from]; {
	case old != nil && old.uri != to:
		m.twice = append(m.twice, Clash{Repeated, from, old.uri, to})
	case old == nil:
		if m.to == nil {
			m.to = make(map[string]*target)
		}
		m.to[from] = &target{uri: to}
		m.order = append(m.order, from)
	}
}

// URI returns what becomes of an absolute URI, which must be written by
// [Map.Options]: itself where no rule holds. Many rules take
// no more time than few: a URI is looked up at each boundary from its end on.
func (m *Map) URI(uri string) string {
	return m.by(m.rule(uri), uri)
}

// by returns what becomes of an absolute URI by the rule from.
func (m *Map) by(from, uri string) string {
	if from == "" {
		return uri
	}
	return join(from, m.to[from].uri, uri[len(from):])
}

// Move is URI for what a link leads to. It notes which rule was used, for [Map.Unused].
func (m *Map) Move(uri string) string {
	if !m.moved.Load() {
		m.moved.Store(true)
	}
	from := m.rule(uri)
	if t := m.to[from]; t != nil && !t.used.Load() {
		t.used.Store(true)
	}
	return m.by(from, uri)
}

// Unused returns the OLD of the rules that moved no link, in the order in which they were
// added; none if there was no link.
func (m *Map) Unused() (list []string) {
	if !m.moved.Load() {
		return nil
	}
	for _, from := range m.order {
		if !m.to[from].used.Load() {
			list = append(list, from)
		}
	}
	return list
}

// rule returns the OLD of the rule for an absolute URI, "" if there is none.
func (m *Map) rule(uri string) string {
	if m.Empty() {
		return ""
	}
	for i := len(uri); i > 0; i-- {
		if i < len(uri) && !boundary(uri[i]) && !boundary(uri[i-1]) {
			continue
		}
		if _, ok := m.to[uri[:i]]; ok {
			return uri[:i]
		}
	}
	return ""
}

func boundary(c byte) bool { return c == '/' || c == '?' || c == '#' }

// join puts rest, which stood behind the prefix from, behind to.
func join(from, to, rest string) string {
	if strings.ContainsAny(to, "?#") {
		return to + rest
	}
	before := strings.HasSuffix(to, "/")
	switch inside := strings.HasSuffix(from, "/"); {
	case before && strings.HasPrefix(rest, "/") && !inside:
		return to + rest[1:]
	case !before && inside && rest != "" && rest[0] != '?' && rest[0] != '#':
		return to + "/" + rest
	}
	return to + rest
}

// News returns what the rules map to, in the order in which they were added.
func (m *Map) News() []string {
	var list []string
	for _, from := range m.order {
		list = append(list, m.to[from].uri)
	}
	return list
}

// Clash is a URI about which rules say two things. It is a warning, not an error: the rules
// work all the same.
type Clash struct {
	Kind     ClashKind
	Old, New string // the rule, as it is written
	Other    string // the other URI that stands against New
}

// ClashKind says what a clash is.
type ClashKind uint8

// The kinds of clashes.
const (
	Repeated ClashKind = iota // a later rule with the same Old has Other as its NEW, and does not count
	Chained                   // another rule would map New on to Other, but a URI is mapped only once
	Nested                    // the rule itself would map New on to Other, as a second run does
)

// Clashes returns those of the rules: first the repeated rules, then all others, both in
// the order in which the rules were added. An Old below that of another rule does not clash:
// the longer one counts there.
func (m *Map) Clashes() []Clash {
	list := slices.Clone(m.twice)
	for _, from := range m.order {
		to := m.to[from].uri
		next := m.URI(to)
		switch {
		case next == to:
		case m.rule(to) == from:
			list = append(list, Clash{Nested, from, to, next})
		default:
			list = append(list, Clash{Chained, from, to, next})
		}
	}
	return list
}
