// Package glob selects the files of a tree by patterns of their paths.
//
// A pattern without a slash is matched against names, at any depth: "*.html", "drafts". A pattern
// with a slash is matched against paths from the top of the tree: "/index.html",
// "news/*/draft.html", "**/old/*.htm".
//
//	'*'            any characters of one name
//	'**'           any number of names, if it stands for a whole name
//	'?'            one character of a name
//	[a-z], [^a-z]  one character of a set, or one character outside it
//	{a,b}          a or b
//
// A pattern that matches a directory also matches all files below it.
package glob

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"
)

// Pattern is a pattern that [Parse] returned.
type Pattern struct {
	text string
	glob string       // the pattern without slashes at its ends
	deep bool         // the pattern is matched against names, at any depth
	met  *atomic.Bool // set when the pattern matches a path in [Set.Has]
}

// String returns the text of the pattern.
func (p Pattern) String() string { return p.text }

// Matched reports whether the pattern has matched a path in [Set.Has].
func (p Pattern) Matched() bool { return p.met.Load() }

// negated adds a slash to each negated set of characters, so that the set never matches a slash.
var negated = strings.NewReplacer(`\[`, `\[`, "[^", "[^/", "[!", "[^/")

// Parse parses a pattern. The error names the faulty pattern.
func Parse(text string) (Pattern, error) {
	glob := strings.TrimSuffix(text, "/")
	deep := !strings.Contains(glob, "/")
	glob = strings.TrimPrefix(glob, "/")
	if glob == "" || strings.Contains("/"+glob+"/", "//") || !doublestar.ValidatePattern(glob) {
		return Pattern{}, fmt.Errorf("%q is not a pattern such as *.html, /drafts or **/old/*.htm", text)
	}
	return Pattern{text: text, glob: negated.Replace(glob), deep: deep, met: new(atomic.Bool)}, nil
}

// Match reports whether the pattern matches a slash path or a directory above it.
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

// Set selects files. The zero value selects all files.
type Set struct {
	Include []Pattern // selects all files if it is empty
	Exclude []Pattern // overrides Include
}

// Has reports whether a slash path is selected.
func (s *Set) Has(file string) bool {
	out, in := anyMatch(s.Exclude, file), anyMatch(s.Include, file)
	return !out && (in || len(s.Include) == 0)
}

// anyMatch reports whether at least one pattern matches. It marks each pattern that matches.
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
