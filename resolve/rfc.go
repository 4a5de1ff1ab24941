package resolve

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"absolink/resolve/ascii"
	"absolink/resolve/internal/component"
)

// The four RFC rule sets resolve a reference by the same steps. They split the reference by the
// grammar of the rule set, and find the components that the base supplies. They append these and
// then the components of the reference to dst. They remove dot segments in dst, in place.
//
// setRFC escapes the components of the base, and removes the dot segments from the directory of its
// path. A reference then resolves to the same URI as if dot segments were removed only from the
// merged path, because the removal reads segments from the left.

// setRFC parses the base URI.
func (b *Base) setRFC(uri string) error {
	if b.o.Document != "" {
		doc, _, _ := strings.Cut(b.o.Document, "#")
		b.document = string(b.appendURI(nil, doc))
	}
	if uri == "" {
		return nil
	}
	s := b.o.Rules.split(uri)
	if s.Scheme == "" {
		return b.fail(uri, 0, "a base URI must be absolute")
	}
	b.hasURI = true
	b.uri = string(b.appendURI(nil, uri))
	r := &b.rfc
	r.splitRef = s
	if !b.o.Bare { // split the escaped URI again
		r.splitRef = b.o.Rules.split(b.uri)
	}
	r.schemeColon = r.Scheme + ":"
	if r.HasAuthority {
		r.slashedAuthority = "//" + r.Authority
	}
	b.setBaseDir()
	r.usable = b.o.Rules == RFC3986 || r.HasAuthority || strings.HasPrefix(r.Path, "/")
	r.ignoresScheme = b.o.CompatScheme && (b.o.Rules == RFC3986 ||
		b.o.Rules == RFC2396 && r.usable && isHierarchical(r.Scheme))
	b.setRFCPrefixes()
	return nil
}

// isHierarchical reports whether all URIs of a scheme have a hierarchical path (RFC 2396 5.2 step
// 3). It knows only some schemes.
func isHierarchical(scheme string) bool {
	return Ref{Scheme: scheme}.DefaultPort() > 0 || component.EqualFold(scheme, "file")
}

// setBaseDir sets dir, the part of the base's path to which a relative path is appended (RFC 2396
// 5.2 step 6a), and excess. After an authority, an empty path becomes the slash of RFC 3986 5.2.3
// under all rule sets, because otherwise the relative path would become part of the host.
func (b *Base) setBaseDir() {
	r := &b.rfc
	if r.HasAuthority && r.Path == "" {
		r.dir = "/"
		return
	}
	dir := []byte(r.Path[:strings.LastIndexByte(r.Path, '/')+1])
	if b.o.Rules == RFC3986 {
		r.dir = string(removeDots3986(dir))
		return
	}
	dir, excess := removeDots2396(dir)
	r.dir = string(dir)
	r.excess = excess > 0
}

// setRFCPrefixes sets the prefixes of a base under the RFC rule sets.
func (b *Base) setRFCPrefixes() {
	r, f := &b.rfc, &b.prefix
	switch b.o.Rules {
	case RFC3986:
		f.fragment, _, _ = strings.Cut(b.uri, "#")
		f.path, _, _ = strings.Cut(f.fragment, "?")
	case Draft00e:
		uri := r.schemeColon + r.slashedAuthority + r.Path
		if r.Params != "" {
			uri += ";" + r.Params
		}
		if r.usable && r.Path != "" { // without a path, "?" would not end the server (4.3.1)
			f.path = uri
		}
		if r.HasQuery {
			uri += "?" + r.Query
		}
		f.fragment = uri
	default:
		f.fragment = b.document
	}
	if r.usable {
		f.scheme = r.schemeColon
	}
	if !r.HasAuthority {
		return
	}
	f.origin = r.schemeColon + r.slashedAuthority
	if !r.excess {
		f.dir = f.origin + r.dir
	}
}

// formRFC is form under the RFC rule sets.
func (b *Base) formRFC(ref string) Form {
	if ref == "" || ref[0] == '#' {
		return SameDocument
	}
	i := b.o.Rules.schemeLen(ref)
	if i == 0 {
		return Relative
	}
	if b.ignoresScheme(ref[:i]) && !strings.HasPrefix(ref[i+1:], "//") {
		return Relative
	}
	return Absolute
}

// ignoresScheme reports whether a reference with this scheme is read as if it had no scheme (RFC
// 2396 5.2 step 3, RFC 3986 5.2.2).
func (b *Base) ignoresScheme(scheme string) bool {
	return b.rfc.ignoresScheme && component.EqualFold(scheme, b.rfc.Scheme)
}

// appendRFC resolves ref. makesRequest is true for [Base.AppendForm]: a same-document reference
// then refers to the base.
func (b *Base) appendRFC(dst []byte, ref string, makesRequest bool) ([]byte, error) {
	if b.o.Rules == Draft00e {
		return b.append1808(dst, ref)
	}
	r := b.o.Rules.split(ref)
	ignoreScheme := false
	if r.Scheme != "" && b.ignoresScheme(r.Scheme) {
		ignoreScheme, r.Scheme = true, ""
	}
	if r.Scheme != "" {
		return b.appendAbsolute(dst, ref, &r.Ref), nil
	}
	if b.o.Rules == RFC3986 {
		return b.append3986(dst, &r.Ref)
	}
	return b.append2396(dst, ref, &r.Ref, makesRequest, ignoreScheme)
}

// appendAbsolute appends ref, which has a scheme. RFC 3986 also removes dot segments of its path
// (5.2.2).
func (b *Base) appendAbsolute(dst []byte, ref string, r *Ref) []byte {
	if b.o.Rules != RFC3986 || !hasDots(r.Path) {
		return b.appendURI(dst, ref)
	}
	dst = append(append(dst, r.Scheme...), ':')
	if r.HasAuthority {
		dst = b.appendAuthority(dst, r.Authority)
	}
	return b.appendTail(b.appendPath(dst, "", r.Path, r.HasAuthority), r)
}

// append3986 is "Transform References" of RFC 3986 5.2.2 for a reference without a scheme.
func (b *Base) append3986(dst []byte, r *Ref) ([]byte, error) {
	if !b.hasURI {
		return dst, ErrNoBase
	}
	dst = append(dst, b.rfc.schemeColon...)
	switch {
	case r.HasAuthority:
		dst = b.appendAuthority(dst, r.Authority)
		return b.appendTail(b.appendPath(dst, "", r.Path, true), r), nil
	case r.Path == "":
		dst = append(append(dst, b.rfc.slashedAuthority...), b.rfc.Path...)
		if !r.HasQuery && b.rfc.HasQuery {
			dst = append(append(dst, '?'), b.rfc.Query...)
		}
		return b.appendTail(dst, r), nil
	case r.Path[0] == '/':
		dst = append(dst, b.rfc.slashedAuthority...)
		return b.appendTail(b.appendPath(dst, "", r.Path, b.rfc.HasAuthority), r), nil
	}
	dst = append(dst, b.rfc.slashedAuthority...)
	return b.appendTail(b.appendPath(dst, b.rfc.dir, r.Path, b.rfc.HasAuthority), r), nil
}

// appendPath appends dir and path, merged and without the dot segments of path (RFC 3986 5.2.3,
// 5.2.4). authority reports whether the result has an authority.
func (b *Base) appendPath(dst []byte, dir, path string, authority bool) []byte {
	start := len(dst)
	dst = b.appendText(append(dst, dir...), path)
	if hasDots(path) {
		dst = dst[:start+len(removeDots3986(dst[start:]))]
	}
	return b.guard(dst, start, authority)
}

// append2396 does the steps of RFC 2396 5.2 from step 2 on. r has no scheme. ignoreScheme reports
// whether ref has a scheme that the caller has removed.
func (b *Base) append2396(dst []byte, ref string, r *Ref, makesRequest, ignoreScheme bool) ([]byte, error) {
	if r.Path == "" && !r.HasAuthority && !r.HasQuery && !ignoreScheme { // step 2
		return b.appendDocument(dst, r, makesRequest)
	}
	if !b.rfc.usable {
		return dst, ErrNoBase
	}
	from := len(dst)
	dst = append(dst, b.rfc.schemeColon...) // step 3
	if r.HasAuthority {                     // step 4
		dst = b.appendAuthority(dst, r.Authority)
		return b.appendTail(b.appendText(dst, r.Path), r), nil
	}
	dst = append(dst, b.rfc.slashedAuthority...)
	start := len(dst)
	if strings.HasPrefix(r.Path, "/") { // step 5
		dst = b.guard(b.appendText(dst, r.Path), start, b.rfc.HasAuthority)
		return b.appendTail(dst, r), nil
	}
	dst, ok := b.merge2396(dst, r) // step 6
	if !ok {
		return dst[:from], b.fail(ref, 0, `more ".." segments than the base has`)
	}
	dst = b.guard(dst, start, b.rfc.HasAuthority)
	if b.o.Rules == Draft02 { // the query is in the path already
		r.HasQuery = false
	}
	return b.appendTail(dst, r), nil // step 7
}

// appendDocument appends the URI of a same-document reference: the current document, or the base if
// the reference makes a request (4.2).
func (b *Base) appendDocument(dst []byte, r *Ref, makesRequest bool) ([]byte, error) {
	doc := b.document
	if makesRequest {
		doc, _, _ = strings.Cut(b.uri, "#")
	}
	if doc == "" {
		return dst, ErrNoBase
	}
	return b.appendTail(append(dst, doc...), r), nil
}

// merge2396 is step 6. Draft-02 appends "?" and the query to the path before dot segments are
// removed (its 6c), so ".." may remove parts of the query. ok is false if [RefuseDots] refuses the
// result (6g).
func (b *Base) merge2396(dst []byte, r *Ref) (merged []byte, ok bool) {
	start := len(dst)
	if r.Path != "" || b.rfc.Path != "" {
		dst = append(dst, b.rfc.dir...) // 6a
	}
	dst = b.appendText(dst, r.Path) // 6b
	dots := hasDots(r.Path)
	if b.o.Rules == Draft02 && r.HasQuery {
		dst = b.appendText(append(dst, '?'), r.Query)
		dots = dots || hasDots(r.Query)
	}
	if !dots && !b.rfc.excess {
		return dst, true
	}
	out, excess := removeDots2396(dst[start:]) // 6c to 6f
	dst = dst[:start+len(out)]
	if excess == 0 || b.o.Rules != RFC2396 || b.o.ExcessDots == KeepDots {
		return dst, true
	}
	if b.o.ExcessDots == RefuseDots {
		return dst, false
	}
	if dst[start] == '/' {
		start++
	}
	return append(dst[:start], dst[start+excess:]...), true
}

// append1808 is the algorithm of section 6 of draft-00e, which is section 4 of RFC 1808. A
// same-document reference does not depend on the path of the base, so any base is usable for it.
func (b *Base) append1808(dst []byte, ref string) ([]byte, error) {
	r := split1808(ref)
	if r.Scheme != "" { // step 2b
		return b.appendURI(dst, ref), nil
	}
	if !b.rfc.usable && !(b.hasURI && b.formRFC(ref) == SameDocument) { // step 1
		return dst, ErrNoBase
	}
	if ref == "" { // step 2a; the base has no fragment (section 3)
		uri, _, _ := strings.Cut(b.uri, "#")
		return append(dst, uri...), nil
	}
	dst = append(dst, b.rfc.schemeColon...) // step 2c
	if r.Authority != "" {                  // step 3
		return b.appendTail1808(b.appendText(b.appendAuthority(dst, r.Authority), r.Path), &r), nil
	}
	dst = append(dst, b.rfc.slashedAuthority...)
	return b.appendTail1808(b.appendPath1808(dst, &r), &r), nil
}

// appendPath1808 is steps 4 to 6. It appends the path, and adds to r the components that the
// reference inherits from the base.
func (b *Base) appendPath1808(dst []byte, r *splitRef) []byte {
	start := len(dst)
	switch {
	case r.Path == "": // step 5
		dst = append(dst, b.rfc.Path...)
		if r.Params == "" {
			r.Params = b.rfc.Params
			if r.Query == "" {
				r.Query, r.HasQuery = b.rfc.Query, b.rfc.HasQuery
			}
		}
		if b.isServerOnly() && r.Params+r.Query != "" {
			dst = append(dst, '/') // only a slash ends a server (4.3.1)
		}
	case r.Path[0] == '/': // step 4
		dst = b.appendText(dst, r.Path)
	default: // step 6
		dst = b.appendText(append(dst, b.rfc.dir...), r.Path)
		out, _ := removeDots2396(dst[start:])
		dst = dst[:start+len(out)]
	}
	return b.guard(dst, start, b.rfc.HasAuthority)
}

// appendURI appends an absolute URI with its excluded characters escaped, and otherwise unchanged.
func (b *Base) appendURI(dst []byte, uri string) []byte {
	n := b.o.Rules.schemeLen(uri)
	if n > 0 {
		n++ // the colon
	}
	dst = append(dst, uri[:n]...)
	uri = uri[n:]
	if strings.HasPrefix(uri, "//") {
		end := "/?#"
		if b.o.Rules == Draft00e {
			end = "/#" // 4.3.1
		}
		n = 2 + component.IndexAny(uri[2:], end)
		dst, uri = b.appendAuthority(dst, uri[2:n]), uri[n:]
	}
	return b.appendText(dst, uri)
}

// appendAuthority appends two slashes and an authority. Some characters could break the output line
// or control a terminal: controls, direction marks and similar characters, and bytes that are not
// UTF-8. These are percent-encoded; the rest is unchanged.
func (b *Base) appendAuthority(dst []byte, s string) []byte {
	dst = append(dst, "//"...)
	if b.o.Bare || !hasClass(s, encC0) {
		return append(dst, s...)
	}
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			for _, c := range []byte(s[i : i+n]) {
				dst = ascii.AppendPercent(dst, c)
			}
		} else {
			dst = append(dst, s[i:i+n]...)
		}
	}
	return dst
}

// appendTail1808 appends the parameters, the query and the fragment.
func (b *Base) appendTail1808(dst []byte, r *splitRef) []byte {
	if r.Params != "" {
		dst = b.appendText(append(dst, ';'), r.Params)
	}
	return b.appendTail(dst, &r.Ref)
}

// appendTail appends query and fragment.
func (b *Base) appendTail(dst []byte, r *Ref) []byte {
	if r.HasQuery {
		dst = b.appendText(append(dst, '?'), r.Query)
	}
	if r.HasFragment {
		dst = b.appendText(append(dst, '#'), r.Fragment)
	}
	return dst
}

// appendText appends a component outside the authority. It escapes the component unless Bare is
// set.
func (b *Base) appendText(dst []byte, s string) []byte {
	if b.o.Bare {
		return append(dst, s...)
	}
	return appendExcluded(dst, s)
}

// isServerOnly reports whether the base has an authority and an empty path.
func (b *Base) isServerOnly() bool { return b.rfc.HasAuthority && b.rfc.Path == "" }

// guard keeps a path from being read as an authority or as a part of an authority. Without an
// authority, it puts "/." before a path that starts with two slashes, which RFC 3986 3.3 forbids.
// With an authority, it puts a slash before a path that begins with neither a slash nor "?". Such a
// path arises under draft-02: the draft merges the query into an empty path, and ".." may then
// remove the "?".
func (b *Base) guard(dst []byte, start int, authority bool) []byte {
	path := dst[start:]
	switch {
	case authority && len(path) > 0 && path[0] != '/' && path[0] != '?':
		return slices.Insert(dst, start, '/')
	case !authority && bytes.HasPrefix(path, []byte("//")):
		return slices.Insert(dst, start, '/', '.')
	}
	return dst
}
