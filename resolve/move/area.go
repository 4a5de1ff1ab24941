package move

// Area is what lies below some URIs. The zero value is empty. Once URIs are added it is
// safe for concurrent use.
type Area struct {
	prefixes map[string]bool
}

// Add adds what lies below a URI, and the URI itself. It must not run beside other calls.
func (a *Area) Add(uri string) {
	if a.prefixes == nil {
		a.prefixes = make(map[string]bool)
	}
	a.prefixes[uri] = true
}

// deeper returns what a URI would be if the highest directory of the area above it lay two
// directories deeper; the URI itself if there is none.
func (a *Area) deeper(uri string) string {
	for i := range uri {
		if uri[i] == '/' && a.Has(uri[:i+1]) {
			return uri[:i+1] + "x/x/" + uri[i+1:]
		}
	}
	return uri
}

// Empty reports whether nothing lies in the area.
func (a *Area) Empty() bool { return len(a.prefixes) == 0 }

// Has reports whether a URI lies in the area: one that was added is a prefix of it
// that ends at a component boundary.
func (a *Area) Has(uri string) bool {
	for i := len(uri); i > 0; i-- {
		if (i == len(uri) || boundary(uri[i]) || boundary(uri[i-1])) && a.prefixes[uri[:i]] {
			return true
		}
	}
	return false
}
