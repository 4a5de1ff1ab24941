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

// The four RFC rule sets share one line: split the reference (each by its own
// grammar), find out which components the base supplies, append these and then
// those of the reference to dst, and remove dot segments there in place. The base's
// components are escaped once when it is parsed, and its path up to the last slash
// has its dot segments removed in advance, which commutes with the merge since both
// work from the left.

// rfcBase is a base under an RFC rule set. All but the flags are parts of the
// serialised URI or made of them.
type rfcBase struct {
	split
	scheme    string // with its colon
	authority string // with its slashes, "" if undefined
	dir       string // path up to the last slash, without dot segments
	excess    bool   // but those that nothing precedes (RFC 2396 5.2 step 6g)
	usable    bool   // for relative references: there is a base, and it is not opaque
	compat    bool   // a reference with its scheme is read as if it had none
}

// split is a reference split by the grammar of a rule set.
type split struct {
	Ref
	Params string // of Draft00e, without its semicolon
}

// setRFC parses the base.
func (b *Base) setRFC(uri string) error {
	if b.o.Document != "" {
		doc, _, _ := strings.Cut(b.o.Document, "#")
		b.document = string(b.appendURI(nil, doc))
	}
	if uri == "" {
		return nil
	}
	s := b.split(uri)
	if s.Scheme == "" {
		return b.fail(uri, 0, "a base URI must be absolute")
	}
	b.has = true
	b.uri = string(b.appendURI(nil, uri))
	r := &b.rfc
	r.split = s
	if !b.o.Bare { // escaped
		r.split = b.split(b.uri)
	}
	r.scheme = r.Scheme + ":"
	if r.HasAuthority {
		r.authority = "//" + r.Authority
	}
	r.dir = b.baseDir()
	r.usable = b.o.Rules == RFC3986 || r.HasAuthority || strings.HasPrefix(r.Path, "/")
	r.compat = b.o.CompatScheme && (b.o.Rules == RFC3986 ||
		b.o.Rules == RFC2396 && r.usable && isHierarchical(r.Scheme))
	b.setRFCPrefixes()
	return nil
}

// isHierarchical reports whether a scheme is known to always have a hierarchical path
// (RFC 2396 5.2 step 3).
func isHierarchical(scheme string) bool {
	return Ref{Scheme: scheme}.DefaultPort() > 0 || component.EqualFold(scheme, "file")
}

// baseDir is the part of the base's path that a relative path is appended to: RFC
// 2396 5.2 step 6a. An authority with an empty path gets the slash of RFC 3986
// 5.2.3 under all rule sets, lest the path run into the host.
func (b *Base) baseDir() string {
	r := &b.rfc
	if r.HasAuthority && r.Path == "" {
		return "/"
	}
	dir := []byte(r.Path[:strings.LastIndexByte(r.Path, '/')+1])
	if b.o.Rules == RFC3986 {
		return string(removeDots3986(dir))
	}
	dir, excess := removeDots2396(dir)
	r.excess = excess > 0
	return string(dir)
}

// split cuts a reference by the grammar of the rule set.
func (b *Base) split(s string) split {
	if b.o.Rules == Draft00e {
		return split1808(s)
	}
	r := split{Ref: Split(s)}
	if b.o.Rules == Draft02 && r.Scheme == "" {
		r.Ref = splitDraft02(s)
	}
	return r
}

// splitDraft02 differs from Split in the scheme, which may start with any of its
// characters (draft-02 3.1).
func splitDraft02(s string) Ref {
	i := schemeLen(s)
	if i == 0 {
		return Split(s)
	}
	var r Ref
	r.Scheme, s = s[:i], s[i+1:]
	s, r.Fragment, r.HasFragment = strings.Cut(s, "#")
	s, r.Query, r.HasQuery = strings.Cut(s, "?")
	r.cutAuthority(s)
	return r
}

// split1808 follows draft-00e 4.3 (RFC 1808 2.4): fragment, scheme, server up to the
// next slash, query, parameters. What is empty counts as absent, but that the slashes of
// an empty server are there is told.
func split1808(s string) split {
	var r split
	s, r.Fragment, _ = strings.Cut(s, "#")
	if i := schemeLen(s); i > 0 {
		r.Scheme, s = s[:i], s[i+1:]
	}
	if strings.HasPrefix(s, "//") {
		r.cutAuthority(s)
		s = r.Path
	}
	s, r.Query, _ = strings.Cut(s, "?")
	r.Path, r.Params, _ = strings.Cut(s, ";")
	r.HasQuery = r.Query != ""
	r.HasFragment = r.Fragment != ""
	return r
}

func (b *Base) formRFC(ref string) Form {
	if ref == "" || ref[0] == '#' {
		return SameDocument
	}
	i := b.schemeLen(ref)
	if i == 0 {
		return Relative
	}
	if b.compat(ref[:i]) && !strings.HasPrefix(ref[i+1:], "//") {
		return Relative
	}
	return Absolute
}

// schemeLen returns the length of the scheme, 0 if there is none: RFC 2396 and its
// successors want a letter first.
func (b *Base) schemeLen(s string) int {
	i := schemeLen(s)
	if i > 0 && b.o.Rules < Draft02 && !ascii.Letter.Has(s[0]) {
		return 0
	}
	return i
}

// compat reports whether a reference with this scheme is read as if it had none
// (RFC 2396 5.2 step 3, RFC 3986 5.2.2).
func (b *Base) compat(scheme string) bool {
	return b.rfc.compat && component.EqualFold(scheme, b.rfc.Scheme)
}

// appendRFC resolves ref. form says that a same-document reference stands for the
// base.
func (b *Base) appendRFC(dst []byte, ref string, form bool) ([]byte, error) {
	if b.o.Rules == Draft00e {
		return b.append1808(dst, ref)
	}
	r := b.split(ref)
	compat := false
	if r.Scheme != "" && b.compat(r.Scheme) {
		compat, r.Scheme = true, ""
	}
	if r.Scheme != "" {
		return b.appendAbsolute(dst, ref, &r.Ref), nil
	}
	if b.o.Rules == RFC3986 {
		return b.append3986(dst, &r.Ref)
	}
	return b.append2396(dst, ref, &r.Ref, form, compat)
}

// appendAbsolute appends ref, which has a scheme. RFC 3986 removes dot segments of its
// path too (5.2.2).
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

// append3986 is "Transform References" of RFC 3986 5.2.2 for a reference without a
// scheme.
func (b *Base) append3986(dst []byte, r *Ref) ([]byte, error) {
	if !b.has {
		return dst, ErrNoBase
	}
	dst = append(dst, b.rfc.scheme...)
	switch {
	case r.HasAuthority:
		dst = b.appendAuthority(dst, r.Authority)
		return b.appendTail(b.appendPath(dst, "", r.Path, true), r), nil
	case r.Path == "":
		dst = append(append(dst, b.rfc.authority...), b.rfc.Path...)
		if !r.HasQuery && b.rfc.HasQuery {
			dst = append(append(dst, '?'), b.rfc.Query...)
		}
		return b.appendTail(dst, r), nil
	case r.Path[0] == '/':
		dst = append(dst, b.rfc.authority...)
		return b.appendTail(b.appendPath(dst, "", r.Path, b.rfc.HasAuthority), r), nil
	}
	dst = append(dst, b.rfc.authority...)
	return b.appendTail(b.appendPath(dst, b.rfc.dir, r.Path, b.rfc.HasAuthority), r), nil
}

// appendPath appends a merged path without its dot segments (RFC 3986 5.2.3, 5.2.4).
func (b *Base) appendPath(dst []byte, dir, path string, authority bool) []byte {
	start := len(dst)
	dst = b.appendText(append(dst, dir...), path)
	if hasDots(path) {
		dst = dst[:start+len(removeDots3986(dst[start:]))]
	}
	return b.guard(dst, start, authority)
}

// append2396 is RFC 2396 5.2 from step 2 on, for a reference whose scheme is
// undefined or, with compat, taken as such.
func (b *Base) append2396(dst []byte, ref string, r *Ref, form, compat bool) ([]byte, error) {
	if r.Path == "" && !r.HasAuthority && !r.HasQuery && !compat { // step 2
		return b.appendDocument(dst, r, form)
	}
	if !b.rfc.usable {
		return dst, ErrNoBase
	}
	from := len(dst)
	dst = append(dst, b.rfc.scheme...) // step 3
	if r.HasAuthority {                // step 4
		dst = b.appendAuthority(dst, r.Authority)
		return b.appendTail(b.appendText(dst, r.Path), r), nil
	}
	dst = append(dst, b.rfc.authority...)
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

// appendDocument appends what a same-document reference stands for: the current
// document, or the base where it makes a request (4.2).
func (b *Base) appendDocument(dst []byte, r *Ref, form bool) ([]byte, error) {
	doc := b.document
	if form {
		doc, _, _ = strings.Cut(b.uri, "#")
	}
	if doc == "" {
		return dst, ErrNoBase
	}
	return b.appendTail(append(dst, doc...), r), nil
}

// merge2396 is step 6. Draft-02 appends the query to the path before dot segments
// are removed (its 6c) and so may lose it; what is left of it splits off by itself.
// It reports false where 6g refuses the result.
func (b *Base) merge2396(dst []byte, r *Ref) ([]byte, bool) {
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

// append1808 is the algorithm of draft-00e 6 and RFC 1808 4. What a same-document
// reference takes from the base does not depend on its path, so any base will do.
func (b *Base) append1808(dst []byte, ref string) ([]byte, error) {
	r := split1808(ref)
	if r.Scheme != "" { // step 2b
		return b.appendURI(dst, ref), nil
	}
	if !b.rfc.usable && !(b.has && b.formRFC(ref) == SameDocument) { // step 1
		return dst, ErrNoBase
	}
	if ref == "" { // step 2a, where a base has no fragment (3)
		uri, _, _ := strings.Cut(b.uri, "#")
		return append(dst, uri...), nil
	}
	dst = append(dst, b.rfc.scheme...) // step 2c
	if r.Authority != "" {             // step 3
		return b.appendTail1808(b.appendText(b.appendAuthority(dst, r.Authority), r.Path), &r), nil
	}
	dst = append(dst, b.rfc.authority...)
	return b.appendTail1808(b.appendPath1808(dst, &r), &r), nil
}

// appendPath1808 is steps 4 to 6: it appends the path, and gives r what it inherits from
// the base.
func (b *Base) appendPath1808(dst []byte, r *split) []byte {
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
		if b.serverOnly() && r.Params+r.Query != "" {
			dst = append(dst, '/') // which alone ends a server (4.3.1)
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

// appendURI appends an absolute URI as it is written, escaped.
func (b *Base) appendURI(dst []byte, uri string) []byte {
	n := b.schemeLen(uri)
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

// appendAuthority appends an authority behind its slashes. It stays as it is but for
// what would break the line that it is written on, or steer a terminal: controls, marks
// of direction and the like, and bytes that are not UTF-8, are percent-encoded.
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

// appendTail1808 appends what follows the path, parameters included.
func (b *Base) appendTail1808(dst []byte, r *split) []byte {
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

// appendText appends a component outside the authority, escaped unless the bare
// result is wanted.
func (b *Base) appendText(dst []byte, s string) []byte {
	if b.o.Bare {
		return append(dst, s...)
	}
	return appendExcluded(dst, s)
}

// serverOnly reports whether the base is a server without a path.
func (b *Base) serverOnly() bool { return b.rfc.HasAuthority && b.rfc.Path == "" }

// guard keeps a path from being read as an authority, or as more of it: one that starts
// with two slashes where there is none, by "/." before it (RFC 3986 3.3 forbids such a
// path, and 4.2 has the same for a colon), and what ".." left of a query that draft-02 merged
// behind a server, by a slash.
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
