package resolve

// This is the basic URL parser of the URL Standard. It has one function per state, and each appends
// directly to the result. Two facts keep it short. The first "#" and the first "?" before it end
// every state, so the reference is cut there first. And every segment of a path begins with a
// slash. So a path can be shortened at the last slash of the result, and no list of segments is
// needed.
//
// Plain references do not reach this parser: see plain.go.

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

// noBase is the reason of failure of a relative reference without a usable base.
const noBase = "no base"

// fail records why parse fails, and the wrong part of the reference.
func (p *webParser) fail(why, bad string) bool {
	p.why, p.bad = why, bad
	return false
}

// setScheme begins the result with a scheme and its colon.
func (p *webParser) setScheme(scheme string) {
	p.out = appendLower(p.out, scheme)
	name := string(p.out[p.from:])
	p.special = isSpecial(name)
	p.file = name == "file"
	p.at.scheme = len(p.out) - p.from
	p.out = append(p.out, ':')
}

// scheme returns the scheme of the result.
func (p *webParser) scheme() string { return view(p.out[p.from : p.from+p.at.scheme]) }

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

// slash reports whether s starts with a slash. In special URLs a backslash is one.
func (p *webParser) slash(s string) bool {
	return s != "" && (s[0] == '/' || p.special && s[0] == '\\')
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// skipSlashes returns s after its leading slashes and backslashes.
func skipSlashes(s string) string {
	for s != "" && isSlash(s[0]) {
		s = s[1:]
	}
	return s
}

// copyAuthority copies user, password, host and port from the base.
func (p *webParser) copyAuthority() {
	b := p.base
	p.out = append(p.out, b.uri[b.web.scheme+1:b.web.host]...)
	p.at.auth, p.at.port = b.web.auth, b.web.port
	p.startPath()
}

// copyPath copies the base's path unchanged.
func (p *webParser) copyPath() {
	p.out = append(p.out, p.base.uri[p.base.web.path:p.base.web.query]...)
}

// copyQuery copies the base's query unchanged, after the path.
func (p *webParser) copyQuery() {
	p.finishPath()
	p.out = append(p.out, p.base.uri[p.base.web.query:p.base.web.frag]...)
}

// startPath notes the end of the authority, where the path begins.
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
