package resolve

import "absolink/resolve/ascii"

// Most references of real pages are plain: ASCII that the URL Standard leaves as it
// is. For these the result is a prefix of the base followed by the reference, and one
// look at each byte proves it. appendFast does that, and reports false as soon as it
// meets anything else; then the parser in web.go starts from the beginning. A fuzz
// target holds the two against each other.

// fastBase are prefixes of the serialised base that plain references are put behind.
type fastBase struct {
	ok     bool   // the base is hierarchical and special, but no file URL
	scheme string // "http:"
	origin string // up to the path
	dir    string // up to the last slash of the path
	path   string // up to the query
	query  string // up to the fragment

	warnings []string // of the authority
}

func (b *Base) setFast() {
	w := &b.web
	name := b.uri[:w.scheme]
	b.fast = fastBase{
		ok:     isSpecial(name) && name != "file",
		scheme: b.uri[:w.scheme+1],
		origin: b.uri[:w.host],
		path:   b.uri[:w.query],
		query:  b.uri[:w.frag],
	}
	b.fast.dir = cutDir(b.fast.path)
	if b.fast.ok {
		b.fast.warnings = warnAuthority(nil, name, b.uri[w.scheme+len("://"):w.host])
	}
}

// cutDir cuts s after its last slash.
func cutDir(s string) string {
	for s != "" && s[len(s)-1] != '/' {
		s = s[:len(s)-1]
	}
	return s
}

func (b *Base) appendWeb(dst []byte, ref string) ([]byte, error) {
	ref = trimWeb(ref)
	if out, ok := b.appendFast(dst, ref); ok {
		return out, nil
	}
	return b.appendSlow(dst, ref)
}

// appendFast serves plain references; where it reports false it has not changed dst.
func (b *Base) appendFast(dst []byte, s string) ([]byte, bool) {
	if len(s) == 0 {
		return dst, false
	}
	switch c := s[0]; {
	case c|0x20 == 'h':
		if n := webPrefix(s); n > 0 {
			return appendFastHost(dst, s, n)
		}
	case c == '/' && b.fast.ok:
		if len(s) > 1 && isSlash(s[1]) {
			if s[1] == '\\' {
				return dst, false
			}
			from := len(dst)
			if out, ok := appendFastHost(append(dst, b.fast.scheme...), s, 2); ok {
				return out, true
			}
			return dst[:from], false
		}
		return appendPlain(dst, b.fast.origin, s, plainFrom(s, 0))
	case c == '#' && b.fast.ok:
		return appendPlain(dst, b.fast.query, s, plainFragment(s, 1))
	case c == '?' && b.fast.ok:
		return appendPlain(dst, b.fast.path, s, plainQuery(s, 1))
	}
	if !b.fast.ok || schemeLen(s) > 0 {
		return dst, false
	}
	dir, s := b.climb(s)
	return appendPlain(dst, dir, s, !dotAt(s) && plainFrom(s, 0))
}

func appendPlain(dst []byte, prefix, s string, ok bool) ([]byte, bool) {
	if !ok {
		return dst, false
	}
	return append(append(dst, prefix...), s...), true
}

// climb takes "./" and "../" off the front of a relative path, and off the base's
// directory what they stand for.
func (b *Base) climb(s string) (dir, rest string) {
	dir = b.fast.dir
	for len(s) > 1 && s[0] == '.' {
		switch {
		case s[1] == '/':
			s = s[2:]
		case len(s) > 2 && s[1] == '.' && s[2] == '/':
			s = s[3:]
			if len(dir) > len(b.fast.origin)+1 {
				dir = cutDir(dir[:len(dir)-1])
			}
		default:
			return dir, s
		}
	}
	return dir, s
}

// webPrefix returns the length of a leading http:// or https://, 0 if there is none.
func webPrefix(s string) int {
	if len(s) > 7 && s[:7] == "http://" {
		return 7
	}
	if len(s) > 8 && s[:8] == "https://" {
		return 8
	}
	return 0
}

// appendFastHost appends a reference that has a plain host at offset i, behind the
// scheme that dst or s has already.
func appendFastHost(dst []byte, s string, i int) ([]byte, bool) {
	label := i // where the last label starts
	start := i
	for ; i < len(s); i++ {
		if class[s[i]]&plainHost != 0 {
			continue
		}
		if s[i] != '.' {
			break
		}
		label = i + 1
	}
	if label == i || ascii.IsDigit(s[label]) || s[start] == '.' { // empty, or perhaps IPv4
		return dst, false
	}
	if i < len(s) && s[i] == ':' {
		if i = plainPort(s, i+1); i == 0 {
			return dst, false
		}
	}
	switch {
	case i == len(s):
		return append(append(dst, s...), '/'), true
	case s[i] == '/':
		return appendPlain(dst, "", s, plainFrom(s, i))
	case s[i] == '?' && plainQuery(s, i+1), s[i] == '#' && plainFragment(s, i+1):
		dst = append(append(dst, s[:i]...), '/')
		return append(dst, s[i:]...), true
	}
	return dst, false
}

// plainPort returns the end of a port that stays as it is: up to four digits, no
// zero first, not the default of http, and those of other schemes neither, 0 else.
func plainPort(s string, i int) int {
	start := i
	for i < len(s) && ascii.IsDigit(s[i]) {
		i++
	}
	switch port := s[start:i]; {
	case port == "" || len(port) > 4 || port[0] == '0', port == "80", port == "443", port == "21":
		return 0
	}
	return i
}

// plainFrom reports whether path, query and fragment from i on stay as they are. A
// path before i, or the slash at i, has been looked at.
func plainFrom(s string, i int) bool {
	for i = nextClass(s, i, pathLook); i < len(s); i = nextClass(s, i+1, pathLook) {
		switch s[i] {
		case '/':
			if dotAt(s[i+1:]) {
				return false
			}
		case '?':
			return plainQuery(s, i+1)
		case '#':
			return plainFragment(s, i+1)
		default:
			return false
		}
	}
	return true
}

// dotAt reports whether s may start with a dot segment.
func dotAt(s string) bool {
	if s == "" || s[0] != '.' && s[0] != '%' {
		return false
	}
	for i := 0; i < len(s) && i < 7; i++ {
		if s[i] == '/' || s[i] == '?' || s[i] == '#' {
			s = s[:i]
		}
	}
	return dot(s) || dotDot(s)
}

func plainQuery(s string, i int) bool {
	i = nextClass(s, i, encSpecialQuery)
	return i == len(s) || s[i] == '#' && plainFragment(s, i+1)
}

func plainFragment(s string, i int) bool {
	return !hasClass(s[i:], encFragment)
}
