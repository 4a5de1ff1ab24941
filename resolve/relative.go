package resolve

import "strings"

// The inverse of resolving: every shape that a reference can have is written down for
// the target and resolved again, and the shortest that comes back counts. So it needs
// no reasoning about empty components, dot segments or colons under each rule set.

// RelativeOptions restrict what Relative may return. The zero value allows all.
type RelativeOptions struct {
	NoNetworkPath  bool // never //host/path
	NoAbsolutePath bool // never /path, nor //host/path
	NoParent       bool // never a ".." segment
	NoEmpty        bool // never "", which some elements take for no reference at all
}

// Relative returns the shortest reference that resolves to uri with this base, uri
// itself (as the rule set writes it) where none does. Of equally short ones it prefers,
// in this order, a fragment, a query, a relative path, an absolute path. The
// error is that of resolving uri.
func (b *Base) Relative(uri string, o RelativeOptions) (string, error) {
	want, err := b.Resolve(uri)
	if err != nil {
		return "", err
	}
	best := want
	room := make([]byte, 0, len(want)+16)
	for _, ref := range b.candidates(want) {
		if len(ref) >= len(best) || o.forbids(ref) {
			continue
		}
		got, err := b.Append(room[:0], []byte(ref))
		if err == nil && string(got) == want {
			best = ref
		}
	}
	return best, nil
}

func (o RelativeOptions) forbids(ref string) bool {
	switch {
	case o.NoNetworkPath && strings.HasPrefix(ref, "//"), o.NoAbsolutePath && strings.HasPrefix(ref, "/"), o.NoEmpty && ref == "":
		return true
	}
	if !o.NoParent {
		return false
	}
	path, _, _ := strings.Cut(Split(ref).Path, ";")
	return strings.Contains("/"+path+"/", "/../")
}

// candidates are the references that may stand for uri, in order of preference.
func (b *Base) candidates(uri string) []string {
	if !b.has {
		return nil
	}
	base, u := Split(b.uri), Split(uri)
	tail := Ref{Query: u.Query, HasQuery: u.HasQuery, Fragment: u.Fragment, HasFragment: u.HasFragment}
	list := []string{
		Ref{Fragment: u.Fragment, HasFragment: u.HasFragment}.String(),
		tail.String(),
	}
	if path, params, ok := strings.Cut(u.Path, ";"); ok && strings.HasPrefix(base.Path, path) {
		tail.Path = ";" + params // draft-00e
		list = append(list, tail.String())
	}
	for _, path := range relativePaths(base.Path, u.Path) {
		tail.Path = path
		list = append(list, tail.String())
	}
	tail.Path = u.Path
	list = append(list, tail.String())
	tail.Path = "/." + u.Path
	list = append(list, tail.String())
	u.Scheme = ""
	return append(list, u.String())
}

// relativePaths are the paths that lead from the directory of base to path: down from
// the longest directory they share, and with "./" where it would be read as something
// else.
func relativePaths(base, path string) []string {
	dir := cutDir(base)
	share := 0
	for i := 0; i < len(dir) && i < len(path) && dir[i] == path[i]; i++ {
		if dir[i] == '/' {
			share = i + 1
		}
	}
	down := path[share:]
	if ups := strings.Count(dir[share:], "/"); ups > 0 {
		return []string{strings.TrimSuffix(strings.Repeat("../", ups)+down, "/."), strings.Repeat("../", ups)[:3*ups-1]}
	}
	return []string{down, ".", "./" + down}
}
