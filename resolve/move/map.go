package move

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"absolink/resolve"
)

// Map holds the rules of a move. A rule replaces either a prefix OLD by NEW, see [Map.Add], or the
// match of a pattern, see [Map.AddPattern]. At most one rule is applied to a URI: the rule with the
// longest OLD that is a prefix of the URI. If there is no such rule, the first pattern that matches
// is applied. The result is not mapped again, so two parts of a site can change places. The zero
// value maps nothing. Once all rules are added, a Map is safe for concurrent use.
//
// A prefix ends at a component boundary: it is followed by '/', '?', '#' or nothing, or ends with
// one of them. If only one side of a rule ends with a slash, one slash is written before the next
// segment: the rule from http://a/x to http://b/y/ maps http://a/x/z to http://b/y/z. If NEW has a
// query or a fragment, no slash is added: the rule from http://a/ to http://b/?p= maps http://a/z
// to http://b/?p=z. But if NEW ends with a slash, and a slash follows OLD in the URI, only one of
// them is written: the rule from http://a to http://b/#/ maps http://a/z to http://b/#/z.
//
// In NEW, {date} stands for the day on which the document with the link was written, such as
// 2026-11-22. {date14} stands for the day and the time, such as 20261122154500. Both are in UTC.
type Map struct {
	// Options decide how both sides of a rule are resolved and written. The caller must set them
	// before the first rule is added.
	Options resolve.Options
	// Unwayback removes the prefix of a web archive from a URI before any rule is applied.
	Unwayback bool
	// Unwrap replaces the link of a mail gateway or of a redirecting site by its target, after
	// Unwayback and before any rule is applied. It removes up to five such wraps around a target.
	// See [Map.Wrapped].
	Unwrap bool
	// StripTracking removes parameters by which sites track readers, such as utm_source and fbclid,
	// after Unwrap and before any rule is applied. It changes only http and https URIs. See
	// [Map.Strip].
	StripTracking bool

	newSides map[string]*newSide // the keys are prefixes in normal form: see key
	lengths  []bool              // lengths[n] reports whether a key of newSides or near.rules has n bytes
	order    []string            // the prefixes in the order of their rules
	patterns []*pattern
	repeated []Clash
	near     nearMisses
}

// newSide is the NEW of a rule, and the usage of the rule.
type newSide struct {
	template template
	// takesSlash reports whether the rule also replaces the slash after its prefix. This is so if
	// OLD was given as http://host/, and NEW has a query or a fragment. prefixOf cuts this slash
	// from the prefix.
	takesSlash bool
	use        *usage // shared by all prefixes of the rule
}

// usage records whether a rule was used.
type usage struct {
	rule     string // the OLD or the expression of the rule
	used     atomic.Bool
	hiddenBy atomic.Pointer[usage] // a rule that was applied instead of this unused rule, or nil
}

// markUsed records that the rule was used.
func (u *usage) markUsed() {
	if !u.used.Load() {
		u.used.Store(true)
	}
}

// isUnexplained reports whether the rule was not used, and hiddenBy gives no reason.
func (u *usage) isUnexplained() bool { return !u.used.Load() && u.hiddenBy.Load() == nil }

// Empty reports whether m changes no URI.
func (m *Map) Empty() bool {
	return len(m.order) == 0 && len(m.patterns) == 0 && !m.Unwayback && !m.Unwrap && !m.StripTracking
}

// Add adds a rule that replaces the prefix OLD by NEW. OLD is an absolute URI. NEW is an absolute
// URI or a reference that is resolved against OLD, such as a path. An OLD that begins with "//"
// means both http and https. If several rules have the same OLD, the first counts: see
// [Map.Clashes]. The error says whether OLD or NEW is wrong. If one of them is not a URI, the error
// wraps the error of [resolve.NewBase] or [resolve.Base.Resolve].
func (m *Map) Add(OLD, NEW string) error {
	if strings.Contains(OLD, "*") {
		return errors.New("OLD has a *, which is an ordinary character in a URI and not a wildcard: write %2A, or " +
			"give a pattern")
	}
	use := &usage{rule: OLD}
	if !strings.HasPrefix(OLD, "//") {
		prefix, err := m.addPrefix(OLD, NEW, use)
		if err != nil {
			return err
		}
		use.rule = prefix
		m.addNear(use)
		return nil
	}
	if _, err := m.addPrefix("http:"+OLD, NEW, use); err != nil {
		return err
	}
	_, err := m.addPrefix("https:"+OLD, NEW, use)
	return err
}

// addPrefix adds a rule for one prefix, and returns the resolved prefix.
func (m *Map) addPrefix(OLD, NEW string, use *usage) (prefix string, err error) {
	base, err := resolve.NewBase(OLD, m.Options)
	if err != nil {
		return "", fmt.Errorf("OLD is not an absolute URI: %w", err)
	}
	to, err := newTemplate(NEW, func(ref string) (string, error) {
		uri, err := base.Resolve(ref)
		if err != nil {
			return "", err
		}
		return m.inASCII(uri)
	})
	if err != nil {
		return "", fmt.Errorf("NEW is not a URI: %w", err)
	}
	prefix = prefixOf(base)
	takesSlash := prefix != base.String() && endsInSlash(OLD) && strings.ContainsAny(to.text, "?#")
	m.add(m.key(prefix), &newSide{to, takesSlash, use})
	return prefix, nil
}

// prefixOf returns the prefix that a rule replaces. base is the parsed OLD. A fragment of OLD is
// part of the prefix.
func prefixOf(base *resolve.Base) string {
	prefix := base.String()
	if r := resolve.Split(prefix); r.Path == "/" && !r.HasQuery && !r.HasFragment {
		prefix = strings.TrimSuffix(prefix, "/") // http://host/ is the same URI as http://host
	}
	return prefix
}

// endsInSlash reports whether OLD, as the user typed it, ends in a slash. Browsers take a backslash
// for one.
func endsInSlash(OLD string) bool {
	OLD = strings.TrimSpace(OLD)
	return strings.HasSuffix(OLD, "/") || strings.HasSuffix(OLD, `\`)
}

// add adds a rule with the prefix from. If there is already a rule with this prefix, the old rule
// stays, and a different NEW is recorded as a clash.
func (m *Map) add(from string, to *newSide) {
	switch old := m.newSides[from]; {
	case old != nil && old.template.text != to.template.text:
		m.repeated = append(m.repeated, Clash{Repeated, from, old.template.text, to.template.text})
	case old == nil:
		if m.newSides == nil {
			m.newSides = make(map[string]*newSide)
		}
		m.newSides[from] = to
		m.order = append(m.order, from)
		m.addLength(len(from))
	}
}

// addLength notes that a key of newSides or near.rules has n bytes.
func (m *Map) addLength(n int) {
	if more := n + 1 - len(m.lengths); more > 0 {
		m.lengths = append(m.lengths, make([]bool, more)...)
	}
	m.lengths[n] = true
}

// URI maps uri, an absolute URI spelled as [resolve.Base.Resolve] with [Map.Options] returns it. If
// no rule applies, only Unwayback, Unwrap and StripTracking change the URI. If the rule gives no
// URI, for instance because it needs a date, URI returns uri. The number of rules for prefixes does
// not matter for speed: URI looks up each prefix of uri that ends at a component boundary.
func (m *Map) URI(uri string) string {
	to, _, err := m.apply(m.clean(uri), time.Time{})
	if err != nil {
		return uri
	}
	return to
}

// apply applies the rules to uri, a result of clean. use is the usage of the applied rule, or nil
// if no rule applies.
func (m *Map) apply(uri string, written time.Time) (to string, use *usage, err error) {
	if from, n := m.findRule(uri); from != "" {
		t := m.newSides[from]
		if to, err = t.template.fill(written); err == nil {
			to = join(uri[:n], to, uri[n:])
		}
		return to, t.use, err
	}
	for _, p := range m.patterns {
		if match := p.re.FindStringSubmatchIndex(uri); match != nil {
			if to, err = p.replace(uri, match, written, m.Options); err == nil {
				to, err = m.inASCII(to)
			}
			return to, &p.use, err
		}
	}
	return uri, nil, nil
}

// Move maps the target of a link as [Map.URI] does. written is the time at which the document with
// the link was written, or the zero time if that is unknown. If the rule gives no URI, Move returns
// uri and an error: the rule needs the time, or its result is not a URI. Move records the used rule
// for [Map.Unused].
func (m *Map) Move(uri string, written time.Time) (string, error) {
	simple := m.clean(uri)
	to, use, err := m.apply(simple, written)
	if use == nil {
		m.noteNear(to)
		return orElse(to, uri, err), err
	}
	use.markUsed()
	m.noteHidden(simple, use)
	return orElse(to, uri, err), err
}

// orElse returns uri if there is an error, and otherwise to.
func orElse(to, uri string, err error) string {
	if err != nil {
		return uri
	}
	return to
}

// Cleans reports whether Unwayback, Unwrap or StripTracking changes an absolute URI, apart from all
// rules.
func (m *Map) Cleans(uri string) bool { return m.clean(uri) != uri }

// clean returns an absolute URI without the parts that Unwayback, Unwrap and StripTracking remove
// before any rule is applied.
func (m *Map) clean(uri string) string {
	uri, wrapped := m.withoutWraps(uri)
	if m.StripTracking && !wrapped {
		return m.Strip(uri)
	}
	return uri
}

// withoutWraps returns an absolute URI without the parts that Unwayback and Unwrap remove. wrapped
// reports whether the URI is still wrapped, because its target cannot be read.
func (m *Map) withoutWraps(uri string) (to string, wrapped bool) {
	uri = m.original(uri)
	if !m.Unwrap {
		return uri, false
	}
	for range maxArchives {
		to, wrapped = unwrap(uri, m.Options)
		to = m.original(to)
		if to == uri {
			break
		}
		uri = to
	}
	return uri, wrapped
}

// noteHidden records that the rule applied to uri hides the unused rules that also match uri. use
// is the usage of the applied rule.
func (m *Map) noteHidden(uri string, use *usage) {
	key := m.key(uri)
	for i := len(key) - 1; i > 0; i-- {
		if !isBoundary(key[i]) && !isBoundary(key[i-1]) {
			continue
		}
		if t := m.newSides[key[:i]]; t != nil && t.use != use && t.use.isUnexplained() {
			t.use.hiddenBy.Store(use)
		}
	}
	for _, p := range m.patterns {
		if &p.use != use && p.use.isUnexplained() && p.re.MatchString(uri) {
			p.use.hiddenBy.Store(use)
		}
	}
}

// Unused returns the OLD or the expression of each rule that [Map.Move] has not used: first the
// prefixes, then the patterns, each in the order they were added. If a rule was unused because
// another rule was applied instead, it is not in list. It is in hidden, as a clash of the kind
// Hidden.
func (m *Map) Unused() (list []string, hidden []Clash) {
	var all []*usage
	for _, from := range m.order {
		all = append(all, m.newSides[from].use)
	}
	for _, p := range m.patterns {
		all = append(all, &p.use)
	}
	for i, u := range all {
		switch by := u.hiddenBy.Load(); {
		case u.used.Load() || i > 0 && all[i-1] == u: // a rule has its prefixes one after the other
		case by != nil:
			hidden = append(hidden, Clash{Kind: Hidden, Old: u.rule, Other: by.rule})
		default:
			list = append(list, u.rule)
		}
	}
	return list, hidden
}

// findRule returns the prefix of the rule for an absolute URI, and the number of bytes of uri that
// the rule replaces. from is "" if no rule for a prefix applies.
func (m *Map) findRule(uri string) (from string, n int) {
	if len(m.order) == 0 {
		return "", 0
	}
	key := m.key(uri)
	from = prefixIn(m, key, func(prefix string) bool { return m.newSides[prefix] != nil })
	if from == "" {
		return "", 0
	}
	longer := len(uri) - len(key) // key differs from uri only in the scheme and the authority
	n = max(len(from)+longer, 0)
	if m.newSides[from].takesSlash && strings.HasPrefix(uri[n:], "/") {
		n++
	}
	return from, n
}

// Concerns reports whether m may change uri, an absolute URI. If it returns false, [Map.Move]
// returns uri and records nothing, and [Map.Rule] finds no rule. Concerns is fast and allocates
// nothing.
func (m *Map) Concerns(uri []byte) bool {
	if m.Unwayback || m.Unwrap || m.StripTracking || len(m.patterns) > 0 || m.Options.Rules != resolve.WHATWG {
		return true
	}
	prefix := prefixIn(m, uri, func(prefix []byte) bool {
		return m.newSides[string(prefix)] != nil || m.near.rules[string(prefix)] != nil
	})
	return len(prefix) > 0
}

// prefixIn returns the longest prefix of uri for which accepts returns true. The prefix must end at
// a component boundary and have a length in m.lengths. If there is no such prefix, prefixIn returns
// an empty one.
func prefixIn[T string | []byte](m *Map, uri T, accepts func(prefix T) bool) T {
	for i := min(len(uri), len(m.lengths)-1); i > 0; i-- {
		if !m.lengths[i] || i < len(uri) && !isBoundary(uri[i]) && !isBoundary(uri[i-1]) {
			continue
		}
		if accepts(uri[:i]) {
			return uri[:i]
		}
	}
	return uri[:0]
}

// isBoundary reports whether a prefix may end before or after c.
func isBoundary(c byte) bool { return c == '/' || c == '?' || c == '#' }

// join returns a URI with oldPrefix replaced by newPrefix. rest is the text of the URI after
// oldPrefix. join adds or removes a slash before rest, as described at [Map].
func join(oldPrefix, newPrefix, rest string) string {
	oldSlash := strings.HasSuffix(oldPrefix, "/")
	newSlash := strings.HasSuffix(newPrefix, "/")
	switch {
	case newSlash && !oldSlash && strings.HasPrefix(rest, "/"):
		return newPrefix + rest[1:]
	case strings.ContainsAny(newPrefix, "?#"):
		return newPrefix + rest
	case oldSlash && !newSlash && rest != "" && rest[0] != '?' && rest[0] != '#':
		return newPrefix + "/" + rest
	}
	return newPrefix + rest
}

// NewPrefixes returns the absolute URIs to which the rules of [Map.Add] map their prefixes, in the
// order the rules were added. It leaves out rules with {date} or {date14}.
func (m *Map) NewPrefixes() []string {
	var list []string
	for _, from := range m.order {
		if to := &m.newSides[from].template; !to.dated() {
			list = append(list, to.text)
		}
	}
	return list
}

// OldPrefixes returns the prefixes that the rules of [Map.Add] replace, in the order the rules were
// added. A rule whose OLD begins with "//" has two.
func (m *Map) OldPrefixes() []string { return slices.Clone(m.order) }

// Clash is a warning about a rule that may not do what its author meant. Most clashes are between
// two rules. The rules still work as described at [Map].
type Clash struct {
	Kind  ClashKind
	Old   string // the prefix that the rule replaces; for Hidden its OLD or its expression
	New   string // the new prefix; "" for Hidden
	Other string // the URI, OLD or expression that conflicts: see Kind
}

// ClashKind is the kind of a clash.
type ClashKind uint8

// The kinds of clashes.
const (
	Repeated ClashKind = iota // a later rule maps the same Old to Other, and is ignored
	Chained                   // another rule would map New to Other, but a URI is mapped only once
	Nested                    // the rule itself would map New to Other, but a URI is mapped only once
	Hidden                    // the rule Old was never used, because the rule Other was applied instead
)

// Clashes returns the clashes that are known before any URI is mapped: first the repeated rules,
// then the chained and nested ones, both in the order the rules were added. It is no clash if the
// Old of one rule is a prefix of the Old of another: the longer Old wins.
func (m *Map) Clashes() []Clash {
	list := slices.Clone(m.repeated)
	for _, from := range m.order {
		if m.newSides[from].template.dated() {
			continue
		}
		to := m.newSides[from].template.text
		next, _, err := m.apply(to, time.Time{})
		switch {
		case err != nil || next == to:
		case m.oldSideOf(to) == from:
			list = append(list, Clash{Nested, from, to, next})
		default:
			list = append(list, Clash{Chained, from, to, next})
		}
	}
	return list
}
