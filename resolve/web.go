package resolve

import (
	"strings"
	"unsafe"

	"absolink/resolve/ascii"
	"absolink/resolve/internal/component"
)

// setWeb parses the base, without another base.
func (b *Base) setWeb(uri string) error {
	if uri == "" {
		return nil
	}
	p := webParser{charset: b.o.Charset, out: make([]byte, 0, len(uri)+len("/"))}
	if !p.parse(trimWeb(uri)) {
		if p.why == noBase {
			return b.fail(uri, 0, "a base URI must be absolute")
		}
		return b.fail(uri, offsetIn(uri, p.bad), p.why)
	}
	b.has = true
	b.uri = view(p.out)
	b.web = p.at // out is not changed any more
	b.setWebPrefixes()
	return nil
}

// setWebPrefixes sets the prefixes of a base that is hierarchical and special, but not a file URL.
func (b *Base) setWebPrefixes() {
	w := &b.web
	if scheme := b.uri[:w.scheme]; !isSpecial(scheme) || scheme == "file" {
		return
	}
	b.prefix = prefixes{
		scheme:   b.uri[:w.scheme+1],
		origin:   b.uri[:w.host],
		dir:      cutDir(b.uri[:w.query]),
		path:     b.uri[:w.query],
		fragment: b.uri[:w.frag],
	}
}

// appendWeb appends the URL of a trimmed reference.
func (b *Base) appendWeb(dst []byte, ref string) ([]byte, error) {
	p := webParser{charset: b.o.Charset, out: dst, from: len(dst)}
	if b.has {
		p.base = b
	}
	if p.parse(ref) {
		return p.out, nil
	}
	if p.why == noBase {
		return dst, ErrNoBase
	}
	return dst, b.fail(ref, offsetIn(ref, p.bad), p.why)
}

// offsetIn returns the offset of part in s. Usually part is a substring of s. If tabs and line ends
// were removed before, offsetIn searches for it.
func offsetIn(s, part string) int {
	at := uintptr(unsafe.Pointer(unsafe.StringData(part))) - uintptr(unsafe.Pointer(unsafe.StringData(s)))
	if part != "" && at < uintptr(len(s)) {
		return int(at)
	}
	return strings.Index(s, part)
}

// trimWeb removes leading and trailing C0 controls and blanks.
func trimWeb(s string) string {
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// removeBreaks removes tabs, line feeds and carriage returns.
func removeBreaks(s string) string {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\t') < 0 && strings.IndexByte(s, '\r') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '\t' && c != '\n' && c != '\r' {
			out = append(out, c)
		}
	}
	return view(out)
}

// formWeb classifies a reference by its first characters.
func (b *Base) formWeb(ref string) Form {
	ref = trimWeb(ref)
	if ref == "" || ref[0] == '#' {
		return SameDocument
	}
	i := 0
	for i < len(ref) && class[ref[i]]&inScheme != 0 {
		i++
	}
	if hasBreak(ref[i:min(len(ref), i+3)]) { // it may hide the colon or the slashes
		return b.formWeb(removeBreaks(ref))
	}
	if i == 0 || i == len(ref) || ref[i] != ':' || !ascii.Letter.Has(ref[0]) {
		return Relative
	}
	if b.has && component.EqualFold(ref[:i], b.uri[:b.web.scheme]) && isSpecial(b.uri[:b.web.scheme]) {
		if s := ref[i+1:]; len(s) < 2 || !isSlash(s[0]) || !isSlash(s[1]) {
			return Relative
		}
	}
	return Absolute
}

// hasBreak reports whether s contains a tab or line end.
func hasBreak(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c == '\t' || c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}

// parse reads a trimmed reference. If the standard returns failure, it reports false and sets why.
func (p *webParser) parse(s string) bool {
	s = removeBreaks(s)
	s, frag, hasFrag := strings.Cut(s, "#")
	p.units(frag)
	scheme := ""
	if i := schemeLen(s); i > 0 && ascii.Letter.Has(s[0]) { // scheme start state, scheme state
		scheme, s = s[:i], s[i+1:]
	}
	s, query, hasQuery := strings.Cut(s, "?")
	p.units(query)
	var ok bool
	switch {
	case scheme != "":
		p.setScheme(scheme)
		ok = p.afterScheme(s, hasQuery, hasQuery || hasFrag)
	case p.base == nil:
		p.note("missing-scheme-non-relative-URL")
		p.why = noBase
	default:
		ok = p.noScheme(s, hasQuery, hasFrag)
	}
	if !ok {
		return false
	}
	p.finishPath()
	if hasQuery {
		p.query(query)
	}
	p.at.frag = len(p.out) - p.from
	if hasFrag { // fragment state
		p.out = appendEncoded(append(p.out, '#'), frag, encFragment)
	}
	return true
}

// afterScheme is the part of scheme state that begins at the colon.
func (p *webParser) afterScheme(s string, hasQuery, more bool) bool {
	if p.special && (!strings.HasPrefix(s, "//") || !p.file && len(s) > 2 && isSlash(s[2])) {
		p.note("special-scheme-missing-following-solidus")
	}
	switch {
	case p.file:
		return p.fileState(s, hasQuery)
	case p.special && p.base != nil && p.scheme() == p.base.uri[:p.base.web.scheme] && !strings.HasPrefix(s, "//"):
		return p.relative(s, hasQuery) // special relative or authority state
	case p.special:
		return p.authority(skipSlashes(s)) // special authority slashes state
	case strings.HasPrefix(s, "//"): // path or authority state
		return p.authority(s[2:])
	case strings.HasPrefix(s, "/"):
		p.startPath()
		p.path(s[1:])
		return true
	}
	p.opaque(s, more)
	return true
}

// noScheme is no scheme state with a base.
func (p *webParser) noScheme(s string, hasQuery, hasFrag bool) bool {
	b := p.base
	if b.web.opaque {
		if s != "" || hasQuery || !hasFrag {
			p.note("missing-scheme-non-relative-URL")
			return p.fail(noBase, s)
		}
		p.out, p.at = append(p.out, b.uri[:b.web.frag]...), b.web
		return true
	}
	p.setScheme(b.uri[:b.web.scheme])
	if p.file {
		return p.fileState(s, hasQuery)
	}
	return p.relative(s, hasQuery)
}

// relative is relative state and relative slash state.
func (p *webParser) relative(s string, hasQuery bool) bool {
	p.reverse(s)
	switch {
	case p.slash(s):
		s = s[1:]
		if p.special && p.slash(s) {
			return p.authority(skipSlashes(s))
		}
		if p.slash(s) {
			return p.authority(s[1:])
		}
		p.copyAuthority()
		p.path(s)
	case s == "":
		p.copyAuthority()
		p.copyPath()
		if !hasQuery {
			p.copyQuery()
		}
	default:
		p.copyAuthority()
		p.copyPath()
		p.shorten()
		p.path(s)
	}
	return true
}

// query is query state. The charset of the document matters only for special URLs other than web
// sockets.
func (p *webParser) query(s string) {
	p.out = append(p.out, '?')
	set := encQuery
	if p.special {
		set = encSpecialQuery
		if p.charset != nil && p.scheme() != "ws" && p.scheme() != "wss" {
			p.out = p.charset.AppendQuery(p.out, unsafe.Slice(unsafe.StringData(s), len(s)))
			return
		}
	}
	p.out = appendEncoded(p.out, s, set)
}
