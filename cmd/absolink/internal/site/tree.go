package site

import (
	"strings"

	"absolink/resolve/move"
)

// Tree finds the files of links before and after a site moves. It looks up the URI of a link, and
// then its new URI. A rule may be for another host name of the site, such as www.old.example. Then
// only the new URI lies in the tree. Tree is safe for concurrent use. Its methods have different
// callers:
//
//	Check   the verdict about a link, for a report on missing files
//	File    the file of a link
//	Locate  both
//	Find    the file that a browser should open from a disk; a similar name is good enough
//
// CheckDirectory and FindDirectory do the same for links to directories. LocateDirectory returns
// the verdict of CheckDirectory, and the file of the link.
type Tree struct {
	before *Files
	after  *Files    // the files by their URIs after the move; nil if nothing moves
	maps   *move.Map // nil if nothing moves

	// InOutput reports whether a file or directory will be in the output. If not, it counts as
	// missing, except for Find and FindDirectory: their callers look for the path in the output
	// themselves. If InOutput is nil, all files are in the output.
	InOutput func(path string) bool
}

// NewTree returns the tree of files. maps are the rules by which links move, and must not change
// afterwards. If maps is nil, nothing moves.
func NewTree(files *Files, maps *move.Map) *Tree {
	t := &Tree{before: files}
	if maps == nil || maps.Empty() {
		return t
	}
	t.maps = maps
	var moved []Root
	for _, r := range files.roots {
		moved = append(moved, movedRoots(r, maps)...)
	}
	t.after = files.withRoots(moved)
	return t
}

// movedRoots returns the roots of the files of r after the move: a root for the directory itself,
// and one for each directory below it that has a rule of its own.
func movedRoots(r Root, maps *move.Map) []Root {
	whole := r
	whole.URI = movedRoot(r.URI, maps)
	list := []Root{whole}
	for _, old := range maps.OldPrefixes() {
		rest, ok := strings.CutPrefix(strings.TrimSuffix(old, "/"), normalOrigin(r.URI))
		if !ok || rest == "" || strings.ContainsAny(rest, "?#") {
			continue
		}
		names, ok := fileNames(rest)
		if !ok {
			continue
		}
		part := NewFiles([]Root{r}, nil).directoryBelow(r, names, "")
		if part.verdict == Found {
			list = append(list, Root{Dir: part.path, URI: movedRoot(r.URI+rest+"/", maps)})
		}
	}
	return list
}

// movedRoot returns the new URI of a directory, with a final slash.
func movedRoot(uri string, maps *move.Map) string {
	to := maps.URI(uri)
	if to == uri { // a --map-regex may match only the files in the directory
		const name = "x"
		if below, ok := strings.CutSuffix(maps.URI(uri+name), "/"+name); ok {
			to = below
		}
	}
	return strings.TrimSuffix(to, "/") + "/"
}

// Below reports whether a URI lies below a root before the move, and is not the URI of a copy in a
// web archive.
func (t *Tree) Below(uri string) bool {
	return t.before.findFile(uri).verdict != Outside && (t.maps == nil || t.maps.Original(uri) == "")
}

// Twins returns the [Files.Twins] of the files before the move.
func (t *Tree) Twins() map[string]string { return t.before.Twins() }

// Check looks for the file of a link. uri is the absolute URI of the link, and moved is its URI
// after the move. If the verdict is Similar, meant is the URI of the file that the link probably
// means.
func (t *Tree) Check(uri, moved string) (v Verdict, meant string) {
	return t.findFile(uri, moved).verdictAndURI()
}

// CheckDirectory is Check for a link to a directory, such as a codebase. If there is no directory,
// it looks for a file.
func (t *Tree) CheckDirectory(uri, moved string) (v Verdict, meant string) {
	m := t.findLink(uri, moved, (*Files).findDirectory)
	if m.path == "" {
		m = t.findFile(uri, moved)
	}
	return m.verdictAndURI()
}

// Locate returns the results of [Tree.Check] and [Tree.File] for a link.
func (t *Tree) Locate(uri, moved string) (v Verdict, meant, path string) {
	m := t.findFile(uri, moved)
	v, meant = m.verdictAndURI()
	return v, meant, m.path
}

// LocateDirectory returns the results of [Tree.CheckDirectory] and [Tree.File] for a link. So path
// is a file and not the directory.
func (t *Tree) LocateDirectory(uri, moved string) (v Verdict, meant, path string) {
	v, meant = t.CheckDirectory(uri, moved)
	return v, meant, t.File(uri, moved)
}

// Source returns the URI of the Markdown from which programs make the page that a link leads to, or
// "" if there is none. The arguments are the same as for Check.
func (t *Tree) Source(uri, moved string) (meant string) {
	return t.findLink(uri, moved, (*Files).findSource).uri
}

// File returns the file of a link, or "" if there is none. The arguments are the same as for Check.
func (t *Tree) File(uri, moved string) (path string) { return t.findFile(uri, moved).path }

// Find returns the file that a browser should open from a disk for an absolute URI, as [Files.Find]
// does. For a URI of a web archive it returns only a file that was saved from the archive, not the
// file of the captured page.
func (t *Tree) Find(uri string) (v Verdict, path string, dropped bool) {
	return t.find(uri, (*Files).findFile).asFound()
}

// FindDirectory returns the directory of a URI that stands for a directory, or "" if there is none.
func (t *Tree) FindDirectory(uri string) (path string) {
	return t.find(uri, (*Files).findDirectory).path
}

func (t *Tree) find(uri string, find func(*Files, string) match) match {
	if t.maps != nil && t.maps.Original(uri) != "" {
		if m := find(t.before, uri); m.path != "" {
			return m
		}
		return match{} // callers look up the captured page themselves
	}
	return t.findMoved(uri, t.newURI(uri), find)
}

// newURI returns a URI after the move.
func (t *Tree) newURI(uri string) string {
	if t.maps == nil {
		return uri
	}
	return t.maps.URI(uri)
}

func (t *Tree) findFile(uri, moved string) match { return t.findLink(uri, moved, (*Files).findFile) }

// findLink looks for the file or directory of a link with find. For a URI of a web archive it first
// looks for the captured page, and then for a file that was saved from the archive.
func (t *Tree) findLink(uri, moved string, find func(*Files, string) match) match {
	original := ""
	if t.maps != nil {
		original = t.maps.Original(uri)
	}
	if original == "" {
		return t.ifInOutput(t.findMoved(uri, moved, find))
	}
	m := t.ifInOutput(t.findMoved(original, moved, find))
	if m.path == "" {
		if saved := t.ifInOutput(find(t.before, uri)); saved.path != "" {
			return saved
		}
	}
	return m
}

// findMoved looks for uri among the files before the move. If it finds no exact match, it looks for
// moved, the new URI, among the files after the move.
func (t *Tree) findMoved(uri, moved string, find func(*Files, string) match) match {
	m := find(t.before, uri)
	if t.after == nil || m.verdict == Found {
		return m
	}
	if after := find(t.after, moved); after.verdict == Found || m.path == "" {
		return after
	}
	return m
}

// ifInOutput returns m. If the file of m will not be in the output, it returns a match with the
// verdict Missing.
func (t *Tree) ifInOutput(m match) match {
	if m.path != "" && t.InOutput != nil && !t.InOutput(m.path) {
		return match{verdict: Missing}
	}
	return m
}
