package site

import (
	"strings"

	"absolink/resolve/move"
)

// Tree has the files that links lead to before and after a site moves. A link is looked up by the
// URI that it has, and then by the one that is written for it: a rule may lead it into the tree,
// as that from another name of the host does, or out of it. Safe for concurrent use.
type Tree struct {
	before *Files
	after  *Files    // by the URIs that files have after the move; nil if nothing moves
	maps   *move.Map // nil if nothing moves

	// Placed reports whether a file has a place in what is written. A link to one that has none
	// leads nowhere. nil = all have one.
	Placed func(path string) bool
}

// NewTree returns the tree of files. maps are the rules by which links move; they are not added
// to afterwards. nil = nothing moves.
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

// movedRoots returns the URIs that the files of a root have after the move: that of its directory,
// and those of the directories below it that have a rule of their own.
func movedRoots(r Root, maps *move.Map) []Root {
	whole := r
	whole.URI = movedRoot(r.URI, maps)
	list := []Root{whole}
	for _, old := range maps.Olds() {
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

// movedRoot returns what becomes of the URI of a directory, with a slash at its end.
func movedRoot(uri string, maps *move.Map) string {
	to := maps.URI(uri)
	if to == uri { // a pattern may want more than the directory alone
		const name = "x"
		if below, ok := strings.CutSuffix(maps.URI(uri+name), "/"+name); ok {
			to = below
		}
	}
	return strings.TrimSuffix(to, "/") + "/"
}

// Below reports whether a URI lies below a root before the move, and stands for itself.
func (t *Tree) Below(uri string) bool {
	return t.before.file(uri).verdict != Outside && (t.maps == nil || t.maps.Original(uri) == "")
}

// Twins is that of [Files.Twins], for the files before the move.
func (t *Tree) Twins() map[string]string { return t.before.Twins() }

// Check looks for the file of a link. It leads to uri, an absolute URI, and after the move to
// the URI to. If the verdict is Moved, meant is the URI of the file that is there.
func (t *Tree) Check(uri, to string) (v Verdict, meant string) { return t.file(uri, to).checked() }

// CheckDirectory is Check for a link that names a directory, as a codebase does.
func (t *Tree) CheckDirectory(uri, to string) (v Verdict, meant string) {
	m := t.look(uri, to, (*Files).directory)
	if m.path == "" {
		m = t.file(uri, to)
	}
	return m.checked()
}

// File returns the file of a link, "" if it has none. The arguments are those of Check.
func (t *Tree) File(uri, to string) (path string) { return t.file(uri, to).path }

// Find returns the file that a browser is to open from a disk for an absolute URI, as Files.Find
// does. A URI of a web archive stands for itself, not for the one that was captured.
func (t *Tree) Find(uri string) (v Verdict, path string, dropped bool) {
	return t.find(uri, (*Files).file).found()
}

// FindDirectory returns the directory of a URI that names one, "" if there is none.
func (t *Tree) FindDirectory(uri string) (path string) { return t.find(uri, (*Files).directory).path }

func (t *Tree) find(uri string, in func(*Files, string) match) match {
	if t.maps != nil && t.maps.Original(uri) != "" {
		if m := in(t.before, uri); m.path != "" {
			return m
		}
		return match{} // what was captured is asked for too
	}
	return t.moved(uri, t.to(uri), in)
}

// to returns what a URI becomes.
func (t *Tree) to(uri string) string {
	if t.maps == nil {
		return uri
	}
	return t.maps.URI(uri)
}

func (t *Tree) file(uri, to string) match { return t.look(uri, to, (*Files).file) }

// look looks for what a link leads to: what a web archive captured, also if it was saved by the
// URI that the archive gave it.
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

// moved looks for a URI in the tree as it is, and then for what it becomes.
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

// placed returns m, Missing if it has no place in what is written.
func (t *Tree) placed(m match) match {
	if m.path != "" && t.Placed != nil && !t.Placed(m.path) {
		return match{verdict: Missing}
	}
	return m
}
