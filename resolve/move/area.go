package move

// Include adds a URI and everything below it to the area of the site, in which Form applies. The
// area is empty at first. Include must not run concurrently with other calls.
func (s *Site) Include(uri string) {
	if s.area == nil {
		s.area = make(area)
	}
	s.area[uri] = true
}

// Empty reports whether nothing lies in the area of the site.
func (s *Site) Empty() bool { return len(s.area) == 0 }

// area is the set of the URIs below which it lies.
type area map[string]bool

// deeper returns what a URI would be if the highest directory of the area above it lay two
// directories deeper; the URI itself if there is none.
func (a area) deeper(uri string) string {
	for i := range uri {
		if uri[i] == '/' && a.has(uri[:i+1]) {
			return uri[:i+1] + "x/x/" + uri[i+1:]
		}
	}
	return uri
}

// has reports whether a URI lies in the area: one of those in it is a prefix of the URI that ends
// at a component boundary.
func (a area) has(uri string) bool {
	for i := len(uri); i > 0; i-- {
		if (i == len(uri) || boundary(uri[i]) || boundary(uri[i-1])) && a[uri[:i]] {
			return true
		}
	}
	return false
}
