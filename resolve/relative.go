package resolve

import (
	"math"
	"strings"

	"absolink/resolve/internal/component"
)

// Relative builds every possible shape of a reference to the target, and resolves each. The
// shortest reference that resolves to the target is the result. So no code needs to reason about
// empty components, dot segments or colons under each rule set.

// Relative returns a reference that resolves to uri with this base: the shortest candidate that the
// options of b allow. Among equally short candidates it prefers, in this order, a fragment, a
// query, a relative path, an absolute path. If NoAbsolute is false and no candidate is shorter than
// the absolute URI, Relative returns the absolute URI. If no candidate is left, Relative returns
// the absolute URI, whatever the options say.
//
// Relative first resolves uri to its absolute form. Each candidate is a suffix of the absolute URI,
// and may have dot segments or a slash before it. A candidate begins with "//" only if the whole
// authority follows. Under Draft00e a reference such as "?", whose only component is empty, is not
// a candidate: that draft drops empty components.
//
// Relative ignores CompatScheme when it resolves uri. If uri does not resolve, the error is the
// error of [Base.Append]. If CompatScheme makes uri itself a relative reference, there may be no
// reference that resolves to uri. Then the error is an *[Error].
func (b *Base) Relative(uri string) (string, error) {
	want, err := b.withoutCompat().Resolve(uri)
	if err != nil {
		return "", err
	}
	room := make([]byte, 0, len(want)+16)
	best := want
	found := b.resolvesTo(room, want, want)
	shortest := math.MaxInt
	if found && !b.o.NoAbsolute {
		shortest = len(want)
	}
	for _, ref := range b.candidates(want) {
		if len(ref) >= shortest || b.forbids(ref) {
			continue
		}
		if b.resolvesTo(room, ref, want) {
			best = ref
			found = true
			shortest = len(ref)
		}
	}
	if !found {
		return "", b.fail(uri, -1, "no relative link leads to this URI from the base "+b.uri)
	}
	return best, nil
}

// withoutCompat returns b, or a copy of b without CompatScheme.
func (b *Base) withoutCompat() *Base {
	if !b.rfc.ignoresScheme {
		return b
	}
	s := *b
	s.rfc.ignoresScheme = false
	return &s
}

// resolvesTo reports whether ref resolves to uri. room is an empty buffer for the result.
func (b *Base) resolvesTo(room []byte, ref, uri string) bool {
	got, err := b.Append(room, []byte(ref))
	return err == nil && string(got) == uri
}

// forbids reports whether an option forbids Relative to return ref.
func (b *Base) forbids(ref string) bool {
	o := &b.o
	switch {
	case o.NoNetworkPath && strings.HasPrefix(ref, "//"),
		o.NoAbsolutePath && strings.HasPrefix(ref, "/"),
		o.NoEmpty && ref == "":
		return true
	case o.NoName && !strings.HasPrefix(ref, "/") && !strings.HasPrefix(ref, "./") && !strings.HasPrefix(ref, "../"):
		return true
	}
	return o.NoParent && b.hasParent(ref)
}

// hasParent reports whether the path of ref has a ".." segment. Under draft-02 the query counts as
// path, because that draft merges them. Under draft-00e the path ends at the parameters.
func (b *Base) hasParent(ref string) bool {
	end := "?#"
	if b.o.Rules == Draft02 {
		end = "#"
	}
	path := "/" + ref[:component.IndexAny(ref, end)]
	if b.o.Rules == Draft00e {
		path = strings.ReplaceAll(path, ";", "/")
	}
	return strings.Contains(path+"/", "/../")
}

// candidates returns references that may resolve to uri, in order of preference.
func (b *Base) candidates(uri string) []string {
	u := b.splitURI(uri)
	fragment := u.tail[component.IndexAny(u.tail, "#"):]
	if !b.hasURI {
		return []string{fragment} // resolves if the options name a document
	}
	list := []string{fragment, u.tail}
	if i := strings.IndexByte(u.path, ';'); i >= 0 && b.o.Rules == Draft00e {
		list = append(list, u.path[i:]+u.tail)
	}
	for _, path := range b.candidatePaths(u.path) {
		list = append(list, path+u.tail)
	}
	return append(list, uri[len(u.scheme):])
}

// candidatePaths returns paths that may resolve to path, in order of preference.
func (b *Base) candidatePaths(path string) []string {
	dir := b.directory()
	paths := relativePaths(dir, path)
	shortDir := unguarded(dir)
	shortPath := unguarded(path)
	if shortPath != path || shortDir != dir { // "/." is a guard and not a segment: also try paths without it
		paths = append(append(paths, relativePaths(shortDir, shortPath)...), "./"+shortPath)
	}
	if len(path) > 3 && b.o.Rules == WHATWG && startsDrive(path[1:]) { // a file: base may supply the drive letter
		paths = append(paths, path[3:], "/."+path[3:])
	}
	return append(paths, path, "/."+path, "./"+path)
}

// unguarded returns path without the "/." that guard writes before two slashes.
func unguarded(path string) string {
	if strings.HasPrefix(path, "/.//") {
		return path[2:]
	}
	return path
}

// pieces are parts of an absolute URI: the scheme with its colon, the path with its parameters, and
// the tail from the query on.
type pieces struct{ scheme, path, tail string }

// splitURI splits an absolute URI as the rule set reads it.
func (b *Base) splitURI(uri string) pieces {
	r := splitRef{Ref: Split(uri)}
	if b.o.Rules != WHATWG {
		r = b.o.Rules.split(uri)
	}
	n := len(r.Scheme) + 1
	rest := uri[n:]
	if r.HasAuthority {
		rest = rest[2+len(r.Authority):]
	}
	end := component.IndexAny(rest, "?#")
	return pieces{uri[:n], rest[:end], rest[end:]}
}

// directory returns the path of the base up to its last slash, without dot segments.
func (b *Base) directory() string {
	if b.o.Rules != WHATWG {
		return b.rfc.dir
	}
	path := b.uri[b.web.authorityEnd:b.web.pathEnd]
	if path == "" && b.web.hasHost || len(path) == 3 && startsDrive(path[1:]) && strings.HasPrefix(b.uri, "file:") {
		path += "/"
	}
	return cutDir(path)
}

// relativePaths returns relative paths from a directory to path, by way of the longest shared
// directory. If path is below dir, the rest of path after dir may be empty, begin with a slash, or
// contain a colon. Such a rest needs "." or "./" before it, so the result has these forms too.
func relativePaths(dir, path string) []string {
	shared := sharedDir(dir, path)
	ups, down := strings.Count(dir[shared:], "/"), path[shared:]
	if shared == 0 && strings.HasPrefix(path, "/") { // from a relative directory such as "a/", ".." leads to the root
		down = path[1:]
	}
	if ups > 0 {
		up := strings.Repeat("../", ups)
		return []string{up + down, up[:len(up)-1] + down}
	}
	return []string{down, "." + down, "./" + down}
}

// sharedDir returns the length of the longest directory with which both paths begin.
func sharedDir(a, b string) int {
	shared := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			shared = i + 1
		}
	}
	return shared
}
