package resolve

import "absolink/resolve/ascii"

// file: URLs always have a host, which may be empty. A drive letter at the start of their path, as
// on Windows, is never removed by "..".

// fileState is file state, and file slash state.
func (p *webParser) fileState(s string, hasQuery bool) bool {
	p.at.auth = true
	p.reverse(s)
	if p.base != nil && p.base.uri[:p.base.web.scheme] != "file" {
		p.base = nil
	}
	switch {
	case len(s) > 1 && isSlash(s[0]) && isSlash(s[1]):
		return p.fileHost(s[2:])
	case len(s) > 0 && isSlash(s[0]):
		p.fileAuthority()
		if p.base != nil && !startsDrive(s[1:]) {
			p.out = append(p.out, p.baseDrive()...)
		}
		p.path(s[1:])
	case p.base == nil:
		p.fileAuthority()
		p.path(s)
	case s == "":
		p.fileAuthority()
		p.copyPath()
		if !hasQuery {
			p.copyQuery()
		}
	default:
		p.fileAuthority()
		if startsDrive(s) {
			p.note("file-invalid-Windows-drive-letter")
		} else {
			p.copyPath()
			p.shorten()
		}
		p.path(s)
	}
	return true
}

// fileAuthority appends the base's host, or the empty host.
func (p *webParser) fileAuthority() {
	if p.base != nil {
		p.copyAuthority()
		return
	}
	p.out = append(p.out, "//"...)
	p.startPath()
}

// baseDrive returns the first segment of the base's path if it is a drive letter, or "".
func (p *webParser) baseDrive() string {
	path := p.base.uri[p.base.web.path:p.base.web.query]
	if len(path) >= 3 && ascii.Letter.Has(path[1]) && path[2] == ':' && (len(path) == 3 || path[3] == '/') {
		return path[:3]
	}
	return ""
}

// fileHost is file host state, then path start state.
func (p *webParser) fileHost(s string) bool {
	i := p.segment(s)
	p.out = append(p.out, "//"...)
	if isDrive(s[:i]) {
		p.note("file-invalid-Windows-drive-letter-host")
		p.startPath()
		p.path(s)
		return true
	}
	host := len(p.out)
	if i > 0 && !p.host(s[:i]) {
		return false
	}
	if string(p.out[host:]) == "localhost" {
		p.out = p.out[:host]
	}
	p.startPath()
	p.pathStart(s[i:])
	return true
}
