// Package glob chooses files of a tree by patterns of their paths.
//
// A pattern without a slash is matched against names, at any depth: "*.html", "drafts". A pattern
// with a slash is matched against paths from the top of the tree: "/index.html",
// "news/*/draft.html", "**/old/*.htm". A '*' stands for any characters of one name, '?' for one of
// them, [a-z] and [^a-z] for one of a set, {a,b} for either of two, '**' as a whole name for any
// number of names. A pattern that matches a directory matches all files below it.
package glob

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"
)

// Pattern is one pattern.
type Pattern struct {
	text string
	glob string       // without slashes at its ends
	deep bool         // it is matched against names, at any depth
	met  *atomic.Bool // whether a Set had a path that it matched
}

// String returns the pattern as Parse took it.
func (p Pattern) String() string { return p.text }

// Matched reports whether a Set that the pattern is in was asked for a path that it matches.
func (p Pattern) Matched() bool { return p.met.Load() }

// negated begins a set of characters that are not meant, of which a slash always is one.
var negated = strings.NewReplacer(`\[`, `\[`, "[^", "[^/", "[!", "[^/")

// Parse reads a pattern. The error says what is wrong with it.
func Parse(text string) (Pattern, error) {
	glob := strings.TrimSuffix(text, "/")
	deep := !strings.Contains(glob, "/")
	glob = strings.TrimPrefix(glob, "/")
	if glob == "" || strings.Contains("/"+glob+"/", "//") || !doublestar.ValidatePattern(glob) {
		return Pattern{}, fmt.Errorf("%q is no pattern such as *.html, /drafts or **/old/*.htm", text)
	}
	return Pattern{text: text, glob: negated.Replace(glob), deep: deep, met: new(atomic.Bool)}, nil
}

// Match reports whether the pattern matches a slash path, or a directory above it.
func (p Pattern) Match(file string) bool {
	for begin, end := 0, 0; end < len(file); end++ {
		if n := strings.IndexByte(file[end:], '/'); n < 0 {
			end = len(file)
		} else {
			end += n
		}
		if doublestar.MatchUnvalidated(p.glob, file[begin:end]) {
			return true
		}
		if p.deep {
			begin = end + 1
		}
	}
	return false
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
