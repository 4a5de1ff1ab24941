package resolve

// This is the basic URL parser of the URL Standard. It has about one function per state, with the
// name of the state in its comment. Each function appends directly to the result. A function that
// returns a bool returns false if it has called fail. Two facts keep the parser short. Every state
// ends at the first "#", and at the first "?" before that, so parse cuts the reference there first.
// And every segment of a path begins with a slash, so shorten cuts the result at its last slash,
// and no list of segments is needed.
//
// Plain references do not reach this parser: see plain.go.

// webParser is one run of the parser.
type webParser struct {
	base    *Base // or nil
	charset interface {
		AppendQuery(dst, query []byte) []byte
	}
	out     []byte // the URL is out[start:]
	start   int
	pos     parts     // offsets in the URL; 0 if not yet known
	special bool      // the scheme is special
	file    bool      // the scheme is file
	reason  string    // of the failure
	badPart string    // the wrong part of the reference
	notes   *[]string // validation errors; nil if they are not wanted
}

// noBase is the reason why a relative reference without a usable base fails.
const noBase = "no base"

// fail records why parse fails, and the wrong part of the reference. It returns false.
func (p *webParser) fail(reason, badPart string) bool {
	p.reason, p.badPart = reason, badPart
	return false
}

// setScheme begins the result with a scheme and its colon.
func (p *webParser) setScheme(scheme string) {
	p.out = appendLower(p.out, scheme)
	name := string(p.out[p.start:])
	p.special = isSpecial(name)
	p.file = name == "file"
	p.pos.schemeEnd = len(p.out) - p.start
	p.out = append(p.out, ':')
}

// scheme returns the scheme of the result.
func (p *webParser) scheme() string { return view(p.out[p.start : p.start+p.pos.schemeEnd]) }

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

// startsWithSlash reports whether s starts with a slash. In special URLs a backslash counts as a
// slash.
func (p *webParser) startsWithSlash(s string) bool {
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
	p.out = append(p.out, b.uri[b.web.schemeEnd+1:b.web.authorityEnd]...)
	p.pos.hasHost = b.web.hasHost
	p.startPath()
}

// copyPath copies the base's path unchanged.
func (p *webParser) copyPath() {
	p.out = append(p.out, p.base.uri[p.base.web.pathStart:p.base.web.pathEnd]...)
}

// copyQuery ends the path, and copies the base's query unchanged.
func (p *webParser) copyQuery() {
	p.finishPath()
	p.out = append(p.out, p.base.uri[p.base.web.pathEnd:p.base.web.queryEnd]...)
}

// startPath records that the authority ends here and the path begins.
func (p *webParser) startPath() {
	p.pos.authorityEnd = len(p.out) - p.start
	p.pos.pathStart = p.pos.authorityEnd
}

// finishPath records that the path ends here, unless an end is recorded already. It inserts "/."
// before a path that would be read as an authority (URL serializing, step 3).
func (p *webParser) finishPath() {
	if p.pos.pathEnd > 0 {
		return
	}
	start := p.start + p.pos.pathStart
	if !p.pos.hasHost && !p.pos.opaque && len(p.out)-start > 1 && p.out[start] == '/' && p.out[start+1] == '/' {
		p.out = append(p.out, "/."...)
		copy(p.out[start+2:], p.out[start:])
		p.out[start], p.out[start+1] = '/', '.'
		p.pos.pathStart += 2
	}
	p.pos.pathEnd = len(p.out) - p.start
}
