package move

import (
	"strings"

	"absolink/resolve"
)

// Form is the form of references from one document to another of the same site. The zero value is
// [Absolute].
type Form uint8

// The forms.
const (
	Absolute     Form = iota // http://host/dir/page
	RootRelative             // /dir/page
	Relative                 // ../dir/page
	Disk                     // ../dir/page.html: relative, to an existing file
	AsWritten                // each link keeps its form
)

// String returns absolute, root-relative, relative, disk or as-written.
func (f Form) String() string {
	return [...]string{Absolute: "absolute", RootRelative: "root-relative", Relative: "relative", Disk: "disk",
		AsWritten: "as-written"}[f]
}

// reference returns the reference to uri in this form, for a document with this base. uri must be
// absolute, and spelled as base.Resolve returns it. If no such reference exists, for instance to
// another host, it returns uri itself.
func (f Form) reference(base *resolve.Base, uri string) string {
	switch f {
	case Relative, Disk:
		if ref, err := base.Relative(uri); err == nil {
			return withSlash(base, ref, uri)
		}
	case RootRelative:
		if ref := rootRelative(base, uri); ref != "" {
			return ref
		}
	}
	return uri
}

// formOf returns the form of a reference as it is written: Absolute, RootRelative or Relative.
// noScheme reports whether ref begins with its host, as in //host/path. Its form is then Absolute,
// although its scheme comes from the base.
func formOf(ref string) (f Form, noScheme bool) {
	ref = strings.TrimSpace(ref)
	slashes := len(ref) - len(strings.TrimLeft(ref, `/\`))
	switch {
	case slashes > 1:
		return Absolute, true
	case slashes == 1:
		return RootRelative, false
	case resolve.Split(ref).Scheme != "":
		return Absolute, false
	}
	return Relative, false
}

// withSlash returns ref, which resolves to uri. If the path of ref ends in dots, it adds a slash to
// show that the target is a directory.
func withSlash(base *resolve.Base, ref, uri string) string {
	end, dots := endsInDots(ref)
	if !dots {
		return ref
	}
	longer := ref[:end] + "/" + ref[end:]
	if back, err := base.Resolve(longer); err != nil || back != uri {
		return ref
	}
	return longer
}

// endsInDots reports in dots whether the last segment of the path of ref is "." or "..". end is the
// offset in ref at which the path ends. ref has no scheme and no authority.
func endsInDots(ref string) (end int, dots bool) {
	end = strings.IndexAny(ref, "?#")
	if end < 0 {
		end = len(ref)
	}
	last := ref[strings.LastIndexByte(ref[:end], '/')+1 : end]
	return end, last == "." || last == ".."
}

// rootRelative returns the path, query and fragment of uri. It returns "" if they do not resolve to
// uri.
func rootRelative(base *resolve.Base, uri string) string {
	r := resolve.Split(uri)
	r.Scheme, r.Authority, r.HasAuthority = "", "", false
	if !strings.HasPrefix(r.Path, "/") {
		return ""
	}
	// A path that begins with "//" needs "/." before it. Otherwise its first segment would be read
	// as a host.
	for _, path := range []string{r.Path, "/." + r.Path} {
		r.Path = path
		if back, err := base.Resolve(r.String()); err == nil && back == uri {
			return r.String()
		}
	}
	return ""
}

// fits reports whether a reference, as it is written, has the form f. A path that ends in "." or
// ".." does not have the form Relative or Disk. It returns false if f is neither RootRelative nor
// Relative nor Disk.
func (f Form) fits(ref string) bool {
	r := resolve.Split(ref)
	isRooted := strings.HasPrefix(r.Path, "/") || strings.HasPrefix(r.Path, `\`)
	switch {
	case r.Scheme != "" || r.HasAuthority || strings.HasPrefix(r.Path, `\\`) ||
		strings.HasPrefix(r.Path, `/\`) || strings.HasPrefix(r.Path, `\/`):
		return false
	case f == RootRelative:
		return isRooted
	case f == Relative || f == Disk:
		_, dots := endsInDots(ref)
		return !isRooted && !dots
	}
	return false
}
