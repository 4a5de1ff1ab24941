package resolve

import "absolink/resolve/ascii"

// A file: URL always has a host, which may be empty. ".." never removes a drive letter of Windows
// at the start of its path.

// parseFile is file state and file slash state.
func (p *webParser) parseFile(s string, hasQuery bool) bool {
	p.pos.hasHost = true
	p.noteBackslash(s)
	if p.base != nil && p.base.uri[:p.base.web.schemeEnd] != "file" {
		p.base = nil
	}
	switch {
	case len(s) > 1 && isSlash(s[0]) && isSlash(s[1]):
		return p.parseFileHost(s[2:])
	case len(s) > 0 && isSlash(s[0]):
		p.appendFileHost()
		if p.base != nil && !startsDrive(s[1:]) {
			p.out = append(p.out, p.baseDrive()...)
		}
		p.parsePath(s[1:])
	case p.base == nil:
		p.appendFileHost()
		p.parsePath(s)
	case s == "":
		p.appendFileHost()
		p.copyPath()
		if !hasQuery {
			p.copyQuery()
		}
	default:
		p.appendFileHost()
		if startsDrive(s) {
			p.note("file-invalid-Windows-drive-letter")
		} else {
			p.copyPath()
			p.shorten()
		}
		p.parsePath(s)
	}
	return true
}

// appendFileHost appends the host of the base. Without a base it appends the empty host.
func (p *webParser) appendFileHost() {
	if p.base != nil {
		p.copyAuthority()
		return
	}
	p.out = append(p.out, "//"...)
	p.startPath()
}

// baseDrive returns the first segment of the base's path if it is a drive letter, or "".
func (p *webParser) baseDrive() string {
	path := p.base.uri[p.base.web.pathStart:p.base.web.pathEnd]
	if len(path) >= 3 && ascii.Letter.Has(path[1]) && path[2] == ':' && (len(path) == 3 || path[3] == '/') {
		return path[:3]
	}
	return ""
}

// parseFileHost is file host state, then path start state.
func (p *webParser) parseFileHost(s string) bool {
	i := p.segmentEnd(s)
	p.out = append(p.out, "//"...)
	if isDrive(s[:i]) {
		p.note("file-invalid-Windows-drive-letter-host")
		p.startPath()
		p.parsePath(s)
		return true
	}
	host := len(p.out)
	if i > 0 && !p.parseHost(s[:i]) {
		return false
	}
	if string(p.out[host:]) == "localhost" {
		p.out = p.out[:host]
	}
	p.startPath()
	p.parsePathStart(s[i:])
	return true
}
