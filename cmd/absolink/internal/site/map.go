package site

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"absolink/resolve"
)

// Map is where the parts of a site move to. A URI is mapped once, by the longest
// prefix that a rule has: what a rule gives is no other rule's business, so that
// two parts can change places. The zero value maps nothing. Once rules are added it is safe
// for concurrent use.
//
// A prefix ends at a component boundary: it is followed by '/', '?', '#' or
// nothing, or ends with one of them. Where the two sides do not agree about the
// slash at that boundary, one is written: http://a/x=http://b/y/ takes
// http://a/x/z to http://b/y/z.
type Map struct {
	Rules resolve.Options // by which both sides are written
	to    map[string]*target
	order []string    // the prefixes as they were added
	moved atomic.Bool // whether Move was called
	twice []string    // what says that a prefix was added again, to be mapped to another URI
}

// target is what a rule maps to.
type target struct {
	uri  string
	used atomic.Bool
}

// Empty reports whether there are no rules.
func (m *Map) Empty() bool { return len(m.order) == 0 }

// Add adds a rule OLD=NEW. OLD is an absolute URI, NEW one or a path on the host of OLD.
// Of rules with the same OLD the first counts, see Clashes.
func (m *Map) Add(arg string) error {
	left, right, ok := Pair(arg)
	if !ok {
		return fmt.Errorf("%q: OLD=NEW is needed, such as http://old.example/=http://new.example/", arg)
	}
	base, err := resolve.NewBase(left, m.Rules)
	if err != nil {
		return fmt.Errorf("%q: OLD is no absolute URI: %w", arg, err)
	}
	to, err := base.Resolve(right)
	if err != nil {
		return fmt.Errorf("%q: NEW is no URI: %w", arg, err)
	}
	from := base.String()
	if whole, fragment, ok := strings.Cut(left, "#"); ok && whole != "" {
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
		m.twice = append(m.twice, fmt.Sprintf("%s is mapped to %s and to %s: the first counts", from, old.uri, to))
	case old == nil:
		if m.to == nil {
			m.to = make(map[string]*target)
		}
		m.to[from] = &target{uri: to}
		m.order = append(m.order, from)
	}
}

// Read adds the rules of a file, one a line. Empty lines, and those that begin
// with '#', are passed over, and so is a byte order mark. The error names the line.
func (m *Map) Read(r io.Reader) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	n := 0
	for s.Scan() {
		n++
		line := strings.TrimSpace(s.Text())
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if line == "" || line[0] == '#' {
			continue
		}
		if err := m.Add(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}

// URI returns what becomes of an absolute URI, itself where no rule holds. It is
// looked up at each boundary from its end on, so that many rules cost no more than few.
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

// Move is URI for what a link leads to, and notes that the rule is of use.
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

// Clashes describes what the rules say twice about one URI: the same OLD with another NEW,
// and a NEW that another rule would map on. An OLD below that of another rule is none: the
// longer one counts there.
func (m *Map) Clashes() []string {
	return append(m.twice[:len(m.twice):len(m.twice)], m.chains(false)...)
}

// Nested describes the rules whose NEW they would themselves map on: where something
// moves below itself, a second run would move it again.
func (m *Map) Nested() []string { return m.chains(true) }

// chains describes the rules whose NEW another rule, or the same one, would map on: in
// one run nothing comes of that, in a second one it would.
func (m *Map) chains(same bool) (list []string) {
	for _, from := range m.order {
		to := m.to[from].uri
		if next := m.URI(to); next != to && (m.rule(to) == from) == same {
			list = append(list, fmt.Sprintf("%s becomes %s, which is not mapped on to %s: each link is mapped once", from, to, next))
		}
	}
	return list
}

// Area is what lies below some URIs. The zero value is empty. Once URIs are added it is
// safe for concurrent use.
type Area struct {
	prefixes map[string]bool
}

// Add adds what lies below a URI, and the URI itself.
func (a *Area) Add(uri string) {
	if a.prefixes == nil {
		a.prefixes = make(map[string]bool)
	}
	a.prefixes[uri] = true
}

// Deeper returns what a URI would be if the highest directory of the area above it lay two
// directories deeper; the URI itself if there is none.
func (a *Area) Deeper(uri string) string {
	for i := range uri {
		if uri[i] == '/' && a.Has(uri[:i+1]) {
			return uri[:i+1] + "x/x/" + uri[i+1:]
		}
	}
	return uri
}

// Empty reports whether nothing lies in the area.
func (a *Area) Empty() bool { return len(a.prefixes) == 0 }

// Has reports whether a URI lies in the area: one that was added is a prefix of it
// that ends at a component boundary.
func (a *Area) Has(uri string) bool {
	for i := len(uri); i > 0; i-- {
		if (i == len(uri) || boundary(uri[i]) || boundary(uri[i-1])) && a.prefixes[uri[:i]] {
			return true
		}
	}
	return false
}
