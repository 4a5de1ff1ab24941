package move

// Include adds uri, and all URIs below it, to the area of the site. The area is the set of URIs
// that belong to the site after the move: links to them are written in the form of the site. The
// area is empty at first. Include must not run concurrently with other calls.
func (s *Site) Include(uri string) {
	if s.area == nil {
		s.area = make(area)
	}
	s.area[uri] = true
}

// HasArea reports whether [Site.Include] was called, so that some URIs belong to the site.
func (s *Site) HasArea() bool { return len(s.area) > 0 }

// area holds the URIs that [Site.Include] added. Everything below these URIs is in the area too.
type area map[string]bool

// deeper inserts x/x/ into uri, as if its site was two directories deeper. It inserts them after
// the shortest prefix of uri that is a directory of the area. If uri has no such prefix, deeper
// returns uri unchanged.
func (a area) deeper(uri string) string {
	for i := range uri {
		if uri[i] == '/' && a.has(uri[:i+1]) {
			return uri[:i+1] + "x/x/" + uri[i+1:]
		}
	}
	return uri
}

// has reports whether uri is in the area: an included URI is a prefix of uri, and ends at a
// component boundary.
func (a area) has(uri string) bool {
	for i := len(uri); i > 0; i-- {
		if (i == len(uri) || isBoundary(uri[i]) || isBoundary(uri[i-1])) && a[uri[:i]] {
			return true
		}
	}
	return false
}
