package resolve

import (
	"strings"
	"unsafe"

	"absolink/resolve/ascii"
	"absolink/resolve/internal/component"
)

// setWeb parses the base URI.
func (b *Base) setWeb(uri string) error {
	if uri == "" {
		return nil
	}
	p := webParser{charset: b.o.Charset, out: make([]byte, 0, len(uri)+len("/"))}
	if !p.parse(trimWeb(uri)) {
		if p.reason == noBase {
			return b.fail(uri, 0, "a base URI must be absolute")
		}
		return b.fail(uri, offsetIn(uri, p.badPart), p.reason)
	}
	b.hasURI = true
	b.uri = view(p.out) // out does not change any more
	b.web = p.pos
	b.setWebPrefixes()
	return nil
}

// setWebPrefixes sets the prefixes of a base with a special scheme other than file.
func (b *Base) setWebPrefixes() {
	w := &b.web
	if scheme := b.uri[:w.schemeEnd]; !isSpecial(scheme) || scheme == "file" {
		return
	}
	b.prefix = prefixes{
		scheme:   b.uri[:w.schemeEnd+1],
		origin:   b.uri[:w.authorityEnd],
		dir:      cutDir(b.uri[:w.pathEnd]),
		path:     b.uri[:w.pathEnd],
		fragment: b.uri[:w.queryEnd],
	}
}

// appendWeb appends the URL of a trimmed reference.
func (b *Base) appendWeb(dst []byte, ref string) ([]byte, error) {
	p := webParser{charset: b.o.Charset, out: dst, start: len(dst)}
	if b.hasURI {
		p.base = b
	}
	if p.parse(ref) {
		return p.out, nil
	}
	if p.reason == noBase {
		return dst, ErrNoBase
	}
	return dst, b.fail(ref, offsetIn(ref, p.badPart), p.reason)
}

// offsetIn returns the offset of part in s. Usually part points into s. If tabs and line ends were
// removed before, part is a copy, and offsetIn searches for it.
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
	if hasBreak(ref[i:min(len(ref), i+3)]) { // the break may hide the colon or the slashes
		return b.formWeb(removeBreaks(ref))
	}
	if i == 0 || i == len(ref) || ref[i] != ':' || !ascii.Letter.Has(ref[0]) {
		return Relative
	}
	if b.hasURI && component.EqualFold(ref[:i], b.uri[:b.web.schemeEnd]) && isSpecial(b.uri[:b.web.schemeEnd]) {
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

// parse reads a trimmed reference. It returns false, and sets reason, if the standard returns
// failure.
func (p *webParser) parse(s string) bool {
	s = removeBreaks(s)
	s, frag, hasFrag := strings.Cut(s, "#")
	p.noteUnits(frag)
	scheme := ""
	if i := schemeLen(s); i > 0 && ascii.Letter.Has(s[0]) { // scheme start state, scheme state
		scheme, s = s[:i], s[i+1:]
	}
	s, query, hasQuery := strings.Cut(s, "?")
	p.noteUnits(query)
	var ok bool
	switch {
	case scheme != "":
		p.setScheme(scheme)
		ok = p.parseAfterScheme(s, hasQuery, hasQuery || hasFrag)
	case p.base == nil:
		p.note("missing-scheme-non-relative-URL")
		p.reason = noBase
	default:
		ok = p.parseNoScheme(s, hasQuery, hasFrag)
	}
	if !ok {
		return false
	}
	p.finishPath()
	if hasQuery {
		p.parseQuery(query)
	}
	p.pos.queryEnd = len(p.out) - p.start
	if hasFrag { // fragment state
		p.out = appendEncoded(append(p.out, '#'), frag, encFragment)
	}
	return true
}

// parseAfterScheme is the part of scheme state after the colon. delimited reports whether "?" or
// "#" follows s in the reference.
func (p *webParser) parseAfterScheme(s string, hasQuery, delimited bool) bool {
	if p.special && (!strings.HasPrefix(s, "//") || !p.file && len(s) > 2 && isSlash(s[2])) {
		p.note("special-scheme-missing-following-solidus")
	}
	switch {
	case p.file:
		return p.parseFile(s, hasQuery)
	case p.special && p.base != nil && p.scheme() == p.base.uri[:p.base.web.schemeEnd] && !strings.HasPrefix(s, "//"):
		return p.parseRelative(s, hasQuery) // special relative or authority state
	case p.special:
		return p.parseAuthority(skipSlashes(s)) // special authority slashes state
	case strings.HasPrefix(s, "//"): // path or authority state
		return p.parseAuthority(s[2:])
	case strings.HasPrefix(s, "/"):
		p.startPath()
		p.parsePath(s[1:])
		return true
	}
	p.parseOpaquePath(s, delimited)
	return true
}

// parseNoScheme implements no scheme state. The parser has a base.
func (p *webParser) parseNoScheme(s string, hasQuery, hasFrag bool) bool {
	b := p.base
	if b.web.opaque {
		if s != "" || hasQuery || !hasFrag {
			p.note("missing-scheme-non-relative-URL")
			return p.fail(noBase, s)
		}
		p.out, p.pos = append(p.out, b.uri[:b.web.queryEnd]...), b.web
		return true
	}
	p.setScheme(b.uri[:b.web.schemeEnd])
	if p.file {
		return p.parseFile(s, hasQuery)
	}
	return p.parseRelative(s, hasQuery)
}

// parseRelative is relative state and relative slash state.
func (p *webParser) parseRelative(s string, hasQuery bool) bool {
	p.noteBackslash(s)
	switch {
	case p.startsWithSlash(s):
		s = s[1:]
		if p.special && p.startsWithSlash(s) {
			return p.parseAuthority(skipSlashes(s))
		}
		if p.startsWithSlash(s) {
			return p.parseAuthority(s[1:])
		}
		p.copyAuthority()
		p.parsePath(s)
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
		p.parsePath(s)
	}
	return true
}

// parseQuery is query state. It uses the charset of the document only for special schemes other
// than ws and wss.
func (p *webParser) parseQuery(s string) {
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
