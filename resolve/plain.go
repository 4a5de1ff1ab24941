package resolve

import (
	"strings"

	"absolink/resolve/ascii"
)

// Most references of real pages are plain: their URI is the reference alone, or a part of the base
// followed by the reference. One pass over the bytes of a reference shows whether it is plain,
// under every rule set. [Base.Append] runs the whole algorithm only for the other references. The
// code here may miss a plain reference, which only costs time. A fuzz target compares its results
// with those of the whole algorithm.

// setNotPlain sets notPlain to the classes of bytes that the rule set may change in a path, query
// or fragment.
func (b *Base) setNotPlain() {
	switch {
	case b.o.Rules == WHATWG:
		b.notPlain = changedByWeb
	case !b.o.Bare:
		b.notPlain = excluded
	}
}

// Plain is the result of resolving a plain reference ref. Its URI is Prefix + ref[Skip:] + Suffix.
// Suffix is "/" if the URI would have no path, and otherwise "". If ref is an absolute URI, Prefix
// is "" and Skip is 0.
type Plain struct {
	Prefix, Suffix string
	Skip           int // length in bytes of the "./" and "../" at the start of the reference
	Form           Form
	Warning        string // the only warning, or ""
}

// Plain reports whether ref is plain under the URL Standard, and returns the results of
// [Base.Append], [Base.Form] and [Base.AppendWarnings] for it. ok is false for a few plain
// references too, and always under the RFC rule sets. If ok is false, only Form is set. Plain
// allocates nothing. No plain reference contains one of the bytes "<", "{", "[" and "|", or two
// consecutive "%".
func (b *Base) Plain(ref []byte) (p Plain, ok bool) {
	if b.o.Rules == WHATWG && b.plain(&p, view(ref)) && (p.Prefix == "" || !b.plainWarns) {
		return p, true
	}
	return Plain{Form: b.Form(ref)}, false
}

// plain returns true if s is plain, and then sets p to the result. If it returns false, p has no
// meaning. p must be zero before the call.
func (b *Base) plain(p *Plain, s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case '/':
		p.Prefix = b.prefix.origin
		if len(s) > 1 && s[1] == '/' {
			p.Prefix, p.Warning = b.prefix.scheme, hostChange
			return p.Prefix != "" && b.plainHierarchy(p, s, len("//"))
		}
	case '#':
		p.Prefix, p.Form = b.prefix.fragment, SameDocument
	case '?':
		p.Prefix = b.prefix.path
	case '.':
		p.Prefix, p.Skip = b.climb(s)
	default:
		ok := b.plainAbsolute(p, s)
		if p.Form == Absolute {
			return ok
		}
		p.Prefix = b.prefix.dir
	}
	return p.Prefix != "" && b.plainRelative(s[p.Skip:])
}

// plainAbsolute does the work of plain for a reference with a scheme, and sets p.Form to Absolute.
// For all other references it returns false and leaves p.Form at Relative. Under the URL Standard a
// plain reference begins with http:// or https://, or has an opaque path and a scheme in lower
// case.
func (b *Base) plainAbsolute(p *Plain, s string) bool {
	if n := webPrefix(s); n > 0 && b.o.Rules == WHATWG {
		p.Form = Absolute
		return b.plainHierarchy(p, s, n)
	}
	n := b.o.Rules.schemeLen(s)
	if n == 0 {
		return false
	}
	p.Form = Absolute
	switch scheme := s[:n]; {
	case b.o.Rules != WHATWG:
		_, ok := b.plainBytes(s[n+1:])
		return ok && !b.rfc.ignoresScheme
	case isSpecial(scheme) || !isLowerName(scheme) || n+1 == len(s) || s[n+1] == '/':
		return false
	case isScript(scheme):
		p.Warning = script
	}
	_, ok := b.plainBytes(s[n+1:])
	return ok
}

// isLowerName reports whether scheme has no upper case letter, no "+" and no ".".
func isLowerName(scheme string) bool {
	for i := range len(scheme) {
		if class[scheme[i]]&plainHost == 0 {
			return false
		}
	}
	return true
}

// plainHierarchy does the work of plain for a reference whose host begins at the offset host. It
// sets the suffix of a URL without a path. The RFC rule sets keep any host unchanged; an empty host
// is not plain.
func (b *Base) plainHierarchy(p *Plain, s string, host int) bool {
	if b.o.Rules != WHATWG {
		return host < len(s) && s[host] != '/' && s[host] != '#' && b.plainRelative(s[host:])
	}
	end := domainEnd(s, host)
	if end == 0 || isPrivate(s[host:end]) {
		return false
	}
	if end == len(s) {
		p.Suffix = "/"
		return true
	}
	_, ok := b.plainBytes(s[end:])
	return ok
}

// domainEnd returns the end of the domain that begins at i. It returns 0 if resolving may change
// the domain, if a byte other than a slash follows, or if the last label is empty or has a byte
// that is not a letter.
func domainEnd(s string, i int) int {
	start := i
	for i < len(s) && class[s[i]]&(plainHost|period) != 0 {
		i++
	}
	if i == start || s[start] == '.' || i < len(s) && s[i] != '/' {
		return 0
	}
	top := i
	for top > start && ascii.Letter.Has(s[top-1]) {
		top--
	}
	if top == i || top > start && s[top-1] != '.' {
		return 0
	}
	return i
}

// webPrefix returns the length of a leading http:// or https://, or 0.
func webPrefix(s string) int {
	if len(s) > 7 && s[:7] == "http://" {
		return 7
	}
	if len(s) > 8 && s[:8] == "https://" {
		return 8
	}
	return 0
}

// climb removes "./" and "../" from the start of a relative path. For each "../" it removes a
// segment from the directory of the base. dir is "" if the directory has too few segments.
func (b *Base) climb(s string) (dir string, skip int) {
	dir = b.prefix.dir
	for {
		switch rest := s[skip:]; {
		case strings.HasPrefix(rest, "./"):
			skip += len("./")
		case !strings.HasPrefix(rest, "../"):
			return dir, skip
		case len(dir) <= len(b.prefix.origin)+1:
			return "", skip
		default:
			dir = cutDir(dir[:len(dir)-1])
			skip += len("../")
		}
	}
}

// plainRelative reports whether s, a reference without a scheme, is plain. Under draft-00e it also
// requires that the draft drops no component.
func (b *Base) plainRelative(s string) bool {
	delims, ok := b.plainBytes(s)
	return ok && (!delims || b.o.Rules != Draft00e || !dropsEmpty(s))
}

// plainBytes reports in ok whether s stays unchanged as path, query and fragment. ok is also false
// if a segment of s begins with a dot. Unless Bare is set, it is also false if s has an escape of a
// control character or of a dot. delims reports whether s contains ";", "?" or "#".
func (b *Base) plainBytes(s string) (delims, ok bool) {
	set := setsOf(s)
	if set&b.notPlain != 0 || set&period != 0 && hasDots(s) {
		return false, false
	}
	return set&delim1808 != 0, set&percent == 0 || b.o.Bare || plainEscapes(s)
}

// setsOf returns all sets that contain bytes of s. It reads eight bytes at a time, some of them
// twice.
func setsOf(s string) (set uint16) {
	if len(s) < 8 {
		for i := range len(s) {
			set |= class[s[i]]
		}
		return set
	}
	for last, i := len(s)-8, 0; ; i = min(i+8, last) {
		b := s[i : i+8]
		set |= class[b[0]] | class[b[1]] | class[b[2]] | class[b[3]]
		set |= class[b[4]] | class[b[5]] | class[b[6]] | class[b[7]]
		if i == last {
			return set
		}
	}
}

// plainEscapes reports whether each "%" begins an escape, and no escape encodes a control character
// or a dot.
func plainEscapes(s string) bool {
	for i := strings.IndexByte(s, '%'); i >= 0; {
		if i+2 >= len(s) {
			return false
		}
		if c := digits[s[i+1]]<<4 | digits[s[i+2]]; c < 0x20 || c == 0x7f || c == '.' {
			return false
		}
		s, i = s[i+3:], 0
		if s == "" || s[0] != '%' {
			i = strings.IndexByte(s, '%')
		}
	}
	return true
}

// digits are the values of hexadecimal digits, and -1 for other bytes.
var digits = func() (t [256]int) {
	for c := range t {
		t[c] = ascii.Hex(byte(c))
	}
	return t
}()

// dropsEmpty reports whether s has an empty component, which draft-00e drops (its section 4), or
// begins with parameters.
func dropsEmpty(s string) bool {
	if s[0] == ';' {
		return true
	}
	for i := nextClass(s, 0, delim1808); i < len(s); i = nextClass(s, i+1, delim1808) {
		if i+1 == len(s) || class[s[i+1]]&delim1808 != 0 {
			return true
		}
	}
	return false
}
