package resolve

import (
	"strings"

	"absolink/resolve/ascii"
)

// parsePathStart is path start state: a special URL always has a path.
func (p *webParser) parsePathStart(s string) {
	if p.startsWithSlash(s) {
		s = s[1:]
	} else if s == "" && !p.special {
		return
	}
	p.parsePath(s)
}

// parsePath is path state. s starts after the slash that opens its first segment.
func (p *webParser) parsePath(s string) {
	p.noteUnits(s)
	for {
		i := p.segmentEnd(s)
		last := i == len(s)
		switch seg := s[:i]; {
		case isDoubleDot(seg):
			p.shorten()
			if last {
				p.out = append(p.out, '/')
			}
		case isSingleDot(seg):
			if last {
				p.out = append(p.out, '/')
			}
		case p.file && isDrive(seg) && len(p.out) == p.start+p.pos.pathStart:
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

// segmentEnd returns the offset of the slash that ends the first segment, or the length of s.
func (p *webParser) segmentEnd(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] == '/' || s[i] == '\\' && p.special {
			return i
		}
	}
	return len(s)
}

// isSingleDot reports whether s is a single-dot URL path segment.
func isSingleDot(s string) bool {
	return s == "." || len(s) == 3 && isEncodedDot(s)
}

// isDoubleDot reports whether s is a double-dot URL path segment.
func isDoubleDot(s string) bool {
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

// shorten removes the last segment of the path. It keeps a drive letter that is the whole path of a
// file URL.
func (p *webParser) shorten() {
	path := p.out[p.start+p.pos.pathStart:]
	if p.file && len(path) == 3 && ascii.Letter.Has(path[1]) && path[2] == ':' {
		return
	}
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			p.out = p.out[:p.start+p.pos.pathStart+i]
			return
		}
	}
}

// isDrive reports whether s is a Windows drive letter.
func isDrive(s string) bool {
	return len(s) == 2 && ascii.Letter.Has(s[0]) && (s[1] == ':' || s[1] == '|')
}

// startsDrive reports whether s starts with a Windows drive letter.
func startsDrive(s string) bool {
	return len(s) >= 2 && isDrive(s[:2]) && (len(s) == 2 || isSlash(s[2]))
}

// parseOpaquePath is opaque path state. delimited reports whether "?" or "#" follows s in the
// reference. A blank before the delimiter is encoded, so that it is not lost if a caller removes
// query and fragment.
func (p *webParser) parseOpaquePath(s string, delimited bool) {
	p.startPath()
	p.noteUnits(s)
	p.pos.opaque = true
	last := delimited && strings.HasSuffix(s, " ")
	if last {
		s = s[:len(s)-1]
	}
	p.out = appendEncoded(p.out, s, encC0)
	if last {
		p.out = append(p.out, "%20"...)
	}
}
