package site

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"absolink/resolve"
	"absolink/resolve/move"
)

// Layout gives the files of several roots their paths in one output. The path of a file is the path
// of its new URI, below the longest common directory of the new URIs of all roots. If the roots
// move to different hosts, the names of the hosts are directories. A Layout is safe for concurrent
// use.
type Layout struct {
	roots  []Root     // the longest Dir first
	tops   [][]string // host and directory names of the new URI of each root
	maps   *move.Map
	common int // number of names at the start that all tops share
}

// NewLayout returns the layout for roots that move by maps, or nil if there are fewer than two
// roots. The order of the roots does not matter.
func NewLayout(roots []Root, maps *move.Map) *Layout {
	if len(roots) < 2 {
		return nil
	}
	l := &Layout{roots: slices.Clone(roots), maps: maps}
	slices.SortStableFunc(l.roots, func(a, b Root) int { return len(b.Dir) - len(a.Dir) })
	for _, r := range l.roots {
		top, ok := namesOf(movedRoot(canonical(r.URI, maps), maps))
		if !ok {
			top = []string{""}
		}
		l.tops = append(l.tops, top[:len(top)-1]) // without the "" after the final slash
	}
	l.common = len(l.tops[0])
	for _, top := range l.tops[1:] {
		n := 0
		for n < min(l.common, len(top)) && top[n] == l.tops[0][n] {
			n++
		}
		l.common = n
	}
	return l
}

// canonical returns a URI in the form in which the rules of maps write URIs.
func canonical(uri string, maps *move.Map) string {
	b, err := resolve.NewBase(uri, maps.Options)
	if err != nil {
		return uri
	}
	return b.String()
}

// namesOf returns the host of a URI and the fileNames of its path. ok is false if no file can have
// these names.
func namesOf(uri string) (names []string, ok bool) {
	r := resolve.Split(uri)
	if r.HasQuery || r.HasFragment {
		return nil, false
	}
	names, ok = fileNames(strings.TrimPrefix(r.Path, "/"))
	if !ok || slices.Contains(names[:len(names)-1], "") {
		return nil, false
	}
	return append([]string{r.Authority[strings.LastIndexByte(r.Authority, '@')+1:]}, names...), true
}

// OutputPath returns two slash paths in the output: out is the path of a file, and top is the path
// of the directory of its root. name is the path of the file in the form of the operating system.
// rel is the path that the file would have without a layout. If the file is not below a root,
// OutputPath returns rel and ".".
func (l *Layout) OutputPath(name, rel string) (out, top string) {
	abs, err := filepath.Abs(name)
	if err != nil || name == "" {
		return rel, "."
	}
	for i, r := range l.roots {
		below, err := filepath.Rel(r.Dir, abs)
		if err != nil || !filepath.IsLocal(below) || below == "." {
			continue
		}
		below = filepath.ToSlash(below)
		top = path.Join(append([]string{"."}, l.tops[i][l.common:]...)...)
		names, ok := namesOf(l.maps.URI(canonical(r.URI+EscapePath(below), l.maps)))
		if !ok || len(names) <= l.common || !slices.Equal(names[:l.common], l.tops[i][:l.common]) {
			return path.Join(top, below), top // the rule leads out of the common directory, or to no file
		}
		if names[len(names)-1] == "" {
			names[len(names)-1] = path.Base(below)
		}
		return path.Join(names[l.common:]...), top
	}
	return rel, "."
}
