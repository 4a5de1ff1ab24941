package site

import (
	"strings"

	"absolink/resolve/move"
)

// Tree has the files of links before and after a site moves. A link is looked up by its own URI,
// and then by its new URI. A rule may lead it into the tree, such as a rule for another name of the
// host, or out of it. It is safe for concurrent use.
type Tree struct {
	before *Files
	after  *Files    // by the URIs of the files after the move; nil if nothing moves
	maps   *move.Map // nil if nothing moves

	// Placed reports whether a file has a place in the output. Without a place it counts as
	// missing. If Placed is nil, all files have a place.
	Placed func(path string) bool
}

// NewTree returns the tree of files. maps are the rules by which links move, and must not change
// afterwards; nil means that nothing moves.
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
	t.after = files.at(moved)
	return t
}

// movedRoots returns the roots of the files of r after the move: the directory itself, and the
// directories below it with a rule of their own.
func movedRoots(r Root, maps *move.Map) []Root {
	whole := r
	whole.URI = movedRoot(r.URI, maps)
	list := []Root{whole}
	for _, old := range maps.OldPrefixes() {
		rest, ok := strings.CutPrefix(strings.TrimSuffix(old, "/"), r.URI)
		if !ok || rest == "" || strings.ContainsAny(rest, "?#") {
			continue
		}
		names, ok := unescape(rest)
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
	if to == uri { // a pattern may need more than the directory alone
		const name = "x"
		if below, ok := strings.CutSuffix(maps.URI(uri+name), "/"+name); ok {
			to = below
		}
	}
	return strings.TrimSuffix(to, "/") + "/"
}

// Below reports whether a URI lies below a root before the move, and is not the URI of an archived
// copy.
func (t *Tree) Below(uri string) bool {
	return t.before.file(uri).verdict != Outside && (t.maps == nil || t.maps.Original(uri) == "")
}

// Twins returns the [Files.Twins] of the files before the move.
func (t *Tree) Twins() map[string]string { return t.before.Twins() }

// Check looks for the file of a link. uri is its absolute URI, and to its URI after the move. If
// the verdict is Moved, meant is the URI of the file that was found.
func (t *Tree) Check(uri, to string) (v Verdict, meant string) { return t.file(uri, to).checked() }

// CheckDirectory is Check for a link that names a directory, as a codebase does.
func (t *Tree) CheckDirectory(uri, to string) (v Verdict, meant string) {
	m := t.look(uri, to, (*Files).directory)
	if m.path == "" {
		m = t.file(uri, to)
	}
	return m.checked()
}

// File returns the file of a link, or "" without a file. The arguments are the same as for Check.
func (t *Tree) File(uri, to string) (path string) { return t.file(uri, to).path }

// Find returns the file that a browser should open from a disk for an absolute URI, as [Files.Find]
// does. A URI of a web archive stands for itself, not for the captured page.
func (t *Tree) Find(uri string) (v Verdict, path string, dropped bool) {
	return t.find(uri, (*Files).file).found()
}

// FindDirectory returns the directory of a URI that names one, or "" without a directory.
func (t *Tree) FindDirectory(uri string) (path string) { return t.find(uri, (*Files).directory).path }

func (t *Tree) find(uri string, in func(*Files, string) match) match {
	if t.maps != nil && t.maps.Original(uri) != "" {
		if m := in(t.before, uri); m.path != "" {
			return m
		}
		return match{} // the captured page is looked up as well
	}
	return t.moved(uri, t.to(uri), in)
}

// to returns the URI after the move.
func (t *Tree) to(uri string) string {
	if t.maps == nil {
		return uri
	}
	return t.maps.URI(uri)
}

func (t *Tree) file(uri, to string) match { return t.look(uri, to, (*Files).file) }

// look looks for the file of a link. For a URI of a web archive it looks for the captured page, and
// then for a file saved under the archive's URI.
func (t *Tree) look(uri, to string, in func(*Files, string) match) match {
	original := ""
	if t.maps != nil {
		original = t.maps.Original(uri)
	}
	if original == "" {
		return t.placed(t.moved(uri, to, in))
	}
	m := t.placed(t.moved(original, to, in))
	if m.path == "" {
		if saved := t.placed(in(t.before, uri)); saved.path != "" {
			return saved
		}
	}
	return m
}

// moved looks for a URI in the tree as it is, and then for its new URI.
func (t *Tree) moved(uri, to string, in func(*Files, string) match) match {
	m := in(t.before, uri)
	if t.after == nil || m.verdict == Found {
		return m
	}
	if moved := in(t.after, to); moved.verdict == Found || m.path == "" {
		return moved
	}
	return m
}

// placed returns m, or Missing if its file has no place in the output.
func (t *Tree) placed(m match) match {
	if m.path != "" && t.Placed != nil && !t.Placed(m.path) {
		return match{verdict: Missing}
	}
	return m
}
