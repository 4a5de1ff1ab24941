// Package glob chooses files of a tree by patterns of their paths.
//
// A pattern without a slash is one of names, at any depth: "*.html", "drafts". One
// with a slash is one of paths from the top of the tree: "/index.html",
// "news/*/draft.html", "**/old/*.htm". A '*' stands for any characters of one
// name, '?' for one of them, [a-z] and [^a-z] for one of a set, '**' as a whole
// name for any number of names. A pattern that matches a directory matches
// all below it.
package glob

import (
	"fmt"
	"path"
	"strings"
	"sync/atomic"
)

// Pattern is one pattern.
type Pattern struct {
	text  string
	names []string     // to be matched one by one
	deep  bool         // at any depth
	met   *atomic.Bool // whether a Set had a path that it matched
}

// String returns the pattern as Parse took it.
func (p Pattern) String() string { return p.text }

// Matched reports whether a Set that the pattern is in was asked for a path that it matches.
func (p Pattern) Matched() bool { return p.met.Load() }

// Parse reads a pattern. The error says what is wrong with it.
func Parse(text string) (Pattern, error) {
	rest := strings.TrimSuffix(text, "/")
	p := Pattern{text: text, deep: !strings.Contains(rest, "/"), met: new(atomic.Bool)}
	p.names = strings.Split(strings.TrimPrefix(rest, "/"), "/")
	for _, n := range p.names {
		if _, err := path.Match(n, ""); err != nil || n == "" {
			return Pattern{}, fmt.Errorf("%q is no pattern such as *.html, /drafts or **/old/*.htm", text)
		}
	}
	return p, nil
}

// Match reports whether the pattern matches a slash path, or a directory above it.
func (p Pattern) Match(file string) bool {
	names := strings.Split(file, "/")
	if !p.deep {
		return match(p.names, names)
	}
	for _, n := range names {
		if ok, _ := path.Match(p.names[0], n); ok || p.names[0] == "**" {
			return true
		}
	}
	return false
}

// match reports whether patterns match the first of names. It keeps, for each
// number of patterns, whether they match the names so far, so that many "**" take
// no more time than one.
func match(patterns, names []string) bool {
	state := make([]bool, len(patterns)+1)
	state[0] = true
	skip(patterns, state)
	for _, n := range names {
		for i := len(patterns); i > 0; i-- {
			if patterns[i-1] == "**" {
				state[i] = state[i] || state[i-1]
				continue
			}
			ok, _ := path.Match(patterns[i-1], n)
			state[i] = state[i-1] && ok
		}
		state[0] = false
		skip(patterns, state)
		if state[len(patterns)] {
			return true
		}
	}
	return false
}

// skip lets each "**" match no name.
func skip(patterns []string, state []bool) {
	for i, p := range patterns {
		if p == "**" && state[i] {
			state[i+1] = true
		}
	}
}

// Set is what is taken and what is not. The zero value takes all.
type Set struct {
	Include []Pattern // none = all
	Exclude []Pattern // decides before Include
}

// Has reports whether a slash path is taken.
func (s *Set) Has(file string) bool {
	out, in := anyMatch(s.Exclude, file), anyMatch(s.Include, file)
	return !out && (in || len(s.Include) == 0)
}

// anyMatch reports whether one of patterns matches. Each that does is noted once.
func anyMatch(patterns []Pattern, file string) (any bool) {
	for _, p := range patterns {
		if any && p.met.Load() || !p.Match(file) {
			continue
		}
		any = true
		if !p.met.Load() {
			p.met.Store(true)
		}
	}
	return any
}
