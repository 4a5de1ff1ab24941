package resolve

import (
	"strings"

	"absolink/resolve/ascii"
)

// pathStart is path start state: a special URL always has a path.
func (p *webParser) pathStart(s string) {
	if p.slash(s) {
		s = s[1:]
	} else if s == "" && !p.special {
		return
	}
	p.path(s)
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

// isDrive reports whether s is a Windows drive letter, startsDrive whether s starts with one.
func isDrive(s string) bool {
	return len(s) == 2 && ascii.Letter.Has(s[0]) && (s[1] == ':' || s[1] == '|')
}

func startsDrive(s string) bool {
	return len(s) >= 2 && isDrive(s[:2]) && (len(s) == 2 || isSlash(s[2]))
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
