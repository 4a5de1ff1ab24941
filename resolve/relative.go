package resolve

import (
	"math"
	"strings"

	"absolink/resolve/internal/component"
)

// Relative tries every possible shape of a reference to the target, and resolves it. The shortest
// one that gives the target is the result. So no code needs to reason about empty components, dot
// segments or colons under each rule set.

// Relative returns a reference that resolves to uri with this base. The candidates are the endings
// of uri, as the rule set writes uri, with one of three prefixes: nothing, "." and ".." segments,
// or a slash. "//" is only used before the whole authority. Under Draft00e a reference that is only
// an empty component is not a candidate, because that draft drops such components. Relative returns
// the shortest candidate that resolves to uri and that the options of b allow. It returns uri as
// the rule set writes it if that is shorter and NoAbsolute is false. If no candidate is left, it
// returns uri whatever the options say. Among equally short candidates it prefers, in this order, a
// fragment, a query, a relative path, an absolute path.
//
// uri is read without CompatScheme, as an absolute URI; the error is the one of resolving it. If
// CompatScheme makes uri itself a relative reference, there may be no reference that resolves to
// uri. Then the error is an *[Error].
func (b *Base) Relative(uri string) (string, error) {
	want, err := b.strict().Resolve(uri)
	if err != nil {
		return "", err
	}
	room := make([]byte, 0, len(want)+16)
	best := want
	found := b.leadsTo(room, want, want)
	shortest := math.MaxInt
	if found && !b.o.NoAbsolute {
		shortest = len(want)
	}
	for _, ref := range b.candidates(want) {
		if len(ref) >= shortest || b.forbids(ref) {
			continue
		}
		if b.leadsTo(room, ref, want) {
			best = ref
			found = true
			shortest = len(ref)
		}
	}
	if !found {
		return "", b.fail(uri, -1, "no reference leads to it from the base "+b.uri)
	}
	return best, nil
}

// strict is b without CompatScheme.
func (b *Base) strict() *Base {
	if !b.rfc.compat {
		return b
	}
	s := *b
	s.rfc.compat = false
	return &s
}

// leadsTo reports whether ref resolves to uri. room is memory for the result.
func (b *Base) leadsTo(room []byte, ref, uri string) bool {
	got, err := b.Append(room, []byte(ref))
	return err == nil && string(got) == uri
}

// forbids reports whether the options do not allow Relative to return ref.
func (b *Base) forbids(ref string) bool {
	o := &b.o
	switch {
	case o.NoNetworkPath && strings.HasPrefix(ref, "//"), o.NoAbsolutePath &&
		strings.HasPrefix(ref, "/"), o.NoEmpty && ref == "":
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

// candidates are the references that may resolve to uri, in order of preference.
func (b *Base) candidates(uri string) []string {
	u := b.cut(uri)
	list := []string{u.tail[component.IndexAny(u.tail, "#"):], u.tail}
	if !b.has {
		return list[:1] // of the document
	}
	if i := strings.IndexByte(u.path, ';'); i >= 0 && b.o.Rules == Draft00e {
		list = append(list, u.path[i:]+u.tail)
	}
	dir := b.dir()
	paths := relativePaths(dir, u.path)
	if own := unguarded(u.path); len(own) < len(u.path) || unguarded(dir) != dir {
		paths = append(append(paths, relativePaths(unguarded(dir), own)...), "./"+own)
	}
	if len(u.path) > 3 && b.o.Rules == WHATWG && startsDrive(u.path[1:]) { // which file: bases give
		paths = append(paths, u.path[3:], "/."+u.path[3:])
	}
	for _, path := range append(paths, u.path, "/."+u.path, "./"+u.path) {
		list = append(list, path+u.tail)
	}
	return append(list, uri[len(u.scheme):])
}

// unguarded removes "/." from a path that would otherwise be read as an authority.
func unguarded(path string) string {
	if strings.HasPrefix(path, "/.//") {
		return path[2:]
	}
	return path
}

// pieces are parts of an absolute URI: the scheme with its colon, the path with its parameters, and
// the rest.
type pieces struct{ scheme, path, tail string }

// cut splits an absolute URI as the rule set reads it.
func (b *Base) cut(uri string) pieces {
	r := split{Ref: Split(uri)}
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

// dir is the directory of the base for relative paths, without dot segments.
func (b *Base) dir() string {
	if b.o.Rules != WHATWG {
		return b.rfc.dir
	}
	path := b.uri[b.web.host:b.web.query]
	if path == "" && b.web.auth || len(path) == 3 && startsDrive(path[1:]) && strings.HasPrefix(b.uri, "file:") {
		path += "/"
	}
	return cutDir(path)
}

// relativePaths are the paths from a directory to path. They go down from the longest shared
// directory, with "./" if the path would otherwise be read as something else.
func relativePaths(dir, path string) []string {
	share := sharedDir(dir, path)
	ups, down := strings.Count(dir[share:], "/"), path[share:]
	if share == 0 && strings.HasPrefix(path, "/") { // ".." leads from "a/" to the root all the same
		down = path[1:]
	}
	if ups > 0 {
		up := strings.Repeat("../", ups)
		return []string{up + down, up[:len(up)-1] + down}
	}
	return []string{down, "." + down, "./" + down}
}

// sharedDir returns the length of the longest directory that two paths begin with.
func sharedDir(a, b string) int {
	share := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			share = i + 1
		}
	}
	return share
}
