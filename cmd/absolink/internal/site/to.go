package site

import (
	"strings"

	"absolink/resolve"
)

// To is how a document refers to another of the same site. It is a pflag.Value.
type To uint8

// The ways.
const (
	Absolute     To = iota // http://host/dir/page
	RootRelative           // /dir/page
	Relative               // ../dir/page
)

// Ways are the names of the values of To.
var Ways = []string{Absolute: "absolute", RootRelative: "root-relative", Relative: "relative"}

func (t To) String() string { return Ways[t] }

// relative are the references that work from a disk and below any prefix. An empty
// one would be no reference in src and its like.
var relative = resolve.RelativeOptions{NoAbsolutePath: true, NoEmpty: true}

// Reference returns the reference of the form by which a document with the URI
// that base was made from refers to uri, which is absolute as base writes it; uri
// itself where there is none, as on another host.
func (t To) Reference(base *resolve.Base, uri string) string {
	switch t {
	case Relative:
		if ref, err := base.Relative(uri, relative); err == nil {
			return ref
		}
	case RootRelative:
		if ref := rootRelative(base, uri); ref != "" {
			return ref
		}
	}
	return uri
}

// rootRelative returns the path, query and fragment of uri, if that leads to it.
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

// Fits reports whether a reference as it is written has the form.
func (t To) Fits(ref string) bool {
	r := resolve.Split(ref)
	path := strings.HasPrefix(r.Path, "/") || strings.HasPrefix(r.Path, `\`)
	switch {
	case r.Scheme != "" || r.HasAuthority || strings.HasPrefix(r.Path, `\\`) || strings.HasPrefix(r.Path, `/\`) || strings.HasPrefix(r.Path, `\/`):
		return false
	case t == RootRelative:
		return path
	case t == Relative:
		return !path
	}
	return false
}
