package resolve

import (
	"strings"
	"unsafe"

	"absolink/resolve/ascii"
	"absolink/resolve/internal/component"
)

// This is the basic URL parser of the URL Standard. It has one function per state, and each appends
// directly to the result. Two facts keep it short. The first "#" and the first "?" before it end
// every state, so the reference is cut there first. And every segment of a path begins with a
// slash. So a path can be shortened at the last slash of the result, and no list of segments is
// needed.
//
// Plain references do not reach this parser: see plain.go.

// parts are offsets into a serialised URL.
type parts struct {
	scheme int  // of the colon
	host   int  // end of the authority
	path   int  // start of the path: after the authority, and after "/." if that guards it
	query  int  // end of the path
	frag   int  // end of the query
	auth   bool // the host is not null
	opaque bool // the path is opaque
	port   bool // the authority has a user, a password or a port
}

// webParser is one run of the parser. out starts with the URL at offset from.
type webParser struct {
	base    *Base // or nil
	charset interface {
		AppendQuery(dst, query []byte) []byte
	}
	out     []byte
	from    int
	at      parts
	special bool
	file    bool
	why     string    // reason of failure
	bad     string    // the wrong part of the reference
	notes   *[]string // validation errors; nil if they are not wanted
}

const noBase = "no base"

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

func isSlash(c byte) bool { return c == '/' || c == '\\' }

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

// fail records why parse fails, and the wrong part of the reference.
func (p *webParser) fail(why, bad string) bool {
	p.why, p.bad = why, bad
	return false
}

func (p *webParser) setScheme(scheme string) {
	p.out = appendLower(p.out, scheme)
	name := string(p.out[p.from:])
	p.special = isSpecial(name)
	p.file = name == "file"
	p.at.scheme = len(p.out) - p.from
	p.out = append(p.out, ':')
}

// isSpecial reports whether scheme, in lower case, is special.
func isSpecial(scheme string) bool {
	switch scheme {
	case "http", "https", "ws", "wss", "ftp", "file":
		return true
	}
	return false
}

// defaultPort returns the port of a special scheme, or -1.
func defaultPort(scheme string) int {
	switch scheme {
	case "http", "ws":
		return 80
	case "https", "wss":
		return 443
	case "ftp":
		return 21
	}
	return -1
}

func (p *webParser) scheme() string { return view(p.out[p.from : p.from+p.at.scheme]) }

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

func skipSlashes(s string) string {
	for s != "" && isSlash(s[0]) {
		s = s[1:]
	}
	return s
}

// slash reports whether s starts with a slash. In special URLs a backslash is one.
func (p *webParser) slash(s string) bool {
	return s != "" && (s[0] == '/' || p.special && s[0] == '\\')
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

// copyAuthority copies user, password, host and port from the base.
func (p *webParser) copyAuthority() {
	b := p.base
	p.out = append(p.out, b.uri[b.web.scheme+1:b.web.host]...)
	p.at.auth, p.at.port = b.web.auth, b.web.port
	p.startPath()
}

func (p *webParser) copyPath() {
	p.out = append(p.out, p.base.uri[p.base.web.path:p.base.web.query]...)
}

// copyQuery copies the base's query unchanged, after the path.
func (p *webParser) copyQuery() {
	p.finishPath()
	p.out = append(p.out, p.base.uri[p.base.web.query:p.base.web.frag]...)
}

func (p *webParser) startPath() {
	p.at.host = len(p.out) - p.from
	p.at.path = p.at.host
}

// finishPath notes the end of the path and guards one that would be read as an authority (URL
// serializing, step 3).
func (p *webParser) finishPath() {
	if p.at.query > 0 {
		return
	}
	start := p.from + p.at.path
	if !p.at.auth && !p.at.opaque && len(p.out)-start > 1 && p.out[start] == '/' && p.out[start+1] == '/' {
		p.out = append(p.out, "/."...)
		copy(p.out[start+2:], p.out[start:])
		p.out[start], p.out[start+1] = '/', '.'
		p.at.path += 2
	}
	p.at.query = len(p.out) - p.from
}

// opaque is opaque path state. A blank directly before "?" or "#" is encoded, so that it survives
// when these are removed.
func (p *webParser) opaque(s string, more bool) {
	p.startPath()
	p.units(s)
	p.at.opaque = true
	last := more && strings.HasSuffix(s, " ")
	if last {
		s = s[:len(s)-1]
	}
	p.out = appendEncoded(p.out, s, encC0)
	if last {
		p.out = append(p.out, "%20"...)
	}
}

// path is path state. s starts after the slash that opens its first segment.
func (p *webParser) path(s string) {
	p.units(s)
	for {
		i := p.segment(s)
		last := i == len(s)
		switch seg := s[:i]; {
		case dotDot(seg):
			p.shorten()
			if last {
				p.out = append(p.out, '/')
			}
		case dot(seg):
			if last {
				p.out = append(p.out, '/')
			}
		case p.file && isDrive(seg) && len(p.out) == p.from+p.at.path:
			p.out = append(p.out, '/', seg[0], ':')
		default:
			p.out = appendEncoded(append(p.out, '/'), seg, encPath)
		}
		if last {
			return
		}
		s = s[i+1:]
	}
}

// segment returns the offset of the slash that ends the first segment, or the end.
func (p *webParser) segment(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] == '/' || s[i] == '\\' && p.special {
			return i
		}
	}
	return len(s)
}

// dot reports whether s is a single-dot URL path segment, dotDot whether it is a double-dot one.
func dot(s string) bool {
	return s == "." || len(s) == 3 && isEncodedDot(s)
}

func dotDot(s string) bool {
	switch len(s) {
	case 2:
		return s == ".."
	case 4:
		return s[0] == '.' && isEncodedDot(s[1:]) || s[3] == '.' && isEncodedDot(s[:3])
	case 6:
		return isEncodedDot(s[:3]) && isEncodedDot(s[3:])
	}
	return false
}

func isEncodedDot(s string) bool { return s[0] == '%' && s[1] == '2' && s[2]|0x20 == 'e' }

// shorten removes the last segment of the path, but not a drive letter that is the whole path of a
// file URL.
func (p *webParser) shorten() {
	path := p.out[p.from+p.at.path:]
	if p.file && len(path) == 3 && ascii.Letter.Has(path[1]) && path[2] == ':' {
		return
	}
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			p.out = p.out[:p.from+p.at.path+i]
			return
		}
	}
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

// pathStart is path start state: a special URL always has a path.
func (p *webParser) pathStart(s string) {
	if p.slash(s) {
		s = s[1:]
	} else if s == "" && !p.special {
		return
	}
	p.path(s)
}
