package move

import (
	"strings"

	"absolink/resolve"
)

// Form is the kind of reference from one document to another of the same site. The zero value is
// [Absolute].
type Form uint8

// The forms.
const (
	Absolute     Form = iota // http://host/dir/page
	RootRelative             // /dir/page
	Relative                 // ../dir/page
	Disk                     // ../dir/page.html: relative, to an existing file
	AsWritten                // the form that each link has
)

// String returns absolute, root-relative, relative, disk or as-written.
func (f Form) String() string {
	return [...]string{Absolute: "absolute", RootRelative: "root-relative", Relative: "relative", Disk: "disk",
		AsWritten: "as-written"}[f]
}

// reference returns the reference to uri in this form, from the document with the given base. uri
// is absolute, as base writes it. If no such reference exists, for instance to another host, it
// returns uri itself.
func (f Form) reference(base *resolve.Base, uri string) string {
	switch f {
	case Relative, Disk:
		if ref, err := base.Relative(uri); err == nil {
			return slashed(base, ref, uri)
		}
	case RootRelative:
		if ref := rootRelative(base, uri); ref != "" {
			return ref
		}
	}
	return uri
}

// formOf returns the form of a reference as it is written, which is Absolute, RootRelative or
// Relative. network reports whether it begins with its host: it then is Absolute, but its scheme is
// the one of its base.
func formOf(ref string) (f Form, network bool) {
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

// slashed returns ref, which resolves to uri. If its path ends in dots, it adds a slash, which
// makes clear that the target is a directory.
func slashed(base *resolve.Base, ref, uri string) string {
	end, dots := dotted(ref)
	if !dots {
		return ref
	}
	longer := ref[:end] + "/" + ref[end:]
	if back, err := base.Resolve(longer); err != nil || back != uri {
		return ref
	}
	return longer
}

// dotted returns the end of the path of a reference without scheme and authority. It reports
// whether the path ends in a segment "." or "..".
func dotted(ref string) (end int, dots bool) {
	end = strings.IndexAny(ref, "?#")
	if end < 0 {
		end = len(ref)
	}
	last := ref[strings.LastIndexByte(ref[:end], '/')+1 : end]
	return end, last == "." || last == ".."
}

// rootRelative returns the path, query and fragment of uri, if this resolves to uri, or "".
func rootRelative(base *resolve.Base, uri string) string {
	r := resolve.Split(uri)
	r.Scheme, r.Authority, r.HasAuthority = "", "", false
	if !strings.HasPrefix(r.Path, "/") {
		return ""
	}
	for _, path := range []string{r.Path, "/." + r.Path} {
		r.Path = path
		if back, err := base.Resolve(r.String()); err == nil && back == uri {
			return r.String()
		}
	}
	return ""
}

// fits reports whether a reference, as it is written, has the form.
func (f Form) fits(ref string) bool {
	r := resolve.Split(ref)
	path := strings.HasPrefix(r.Path, "/") || strings.HasPrefix(r.Path, `\`)
	switch {
	case r.Scheme != "" || r.HasAuthority || strings.HasPrefix(r.Path, `\\`) ||
		strings.HasPrefix(r.Path, `/\`) || strings.HasPrefix(r.Path, `\/`):
		return false
	case f == RootRelative:
		return path
	case f == Relative || f == Disk:
		_, dots := dotted(ref)
		return !path && !dots
	}
	return false
}
