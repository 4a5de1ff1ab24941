package extract

import (
	"bytes"

	"absolink/extract/internal/json"
	"absolink/resolve"
	"absolink/resolve/ascii"
)

// What may be a URL or anything else, as a string of a script, is taken for one
// only if it looks like one. The look of a URI that is absolute does not depend on
// its characters, so that what was rewritten is found again.

// Likely reports whether v, without white space at its ends, looks like a URL.
func Likely(v string) bool { return likely([]byte(v)) }

// likely reports whether v looks like a URL: an absolute one with a path, or a
// relative one that begins with a slash or dots, or ends in the name of a file.
func likely(v []byte) bool {
	for _, c := range v {
		if c <= ' ' || c == '<' || c == '>' || c == '"' {
			return false
		}
	}
	if n := schemeLength(v); n > 0 {
		return n < len(v) && v[n] == '/' || hasPrefixFold(v, "urn:")
	}
	if bytes.ContainsAny(v, "{}|\\^`'$()*,;[]") {
		return false
	}
	dots := 0
	for dots < len(v) && dots < 2 && v[dots] == '.' {
		dots++
	}
	if dots < len(v) && v[dots] == '/' {
		return bytes.ContainsFunc(v, func(r rune) bool { return r > 0x7f || ascii.IsAlnum(byte(r)) })
	}
	return namesFile(v)
}

// schemeLength returns the length of the scheme and the colon that v begins with,
// 0 if there is none.
func schemeLength(v []byte) int {
	for i, c := range v {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// namesFile reports whether v, without its query, ends in a file extension.
func namesFile(v []byte) bool {
	if n := bytes.IndexAny(v, "?#"); n >= 0 {
		v = v[:n]
	}
	dot := bytes.LastIndexByte(v, '.')
	return dot > 0 && v[dot-1] != '/' && fileExtension(v[dot+1:])
}

// guess adds the value if it looks like a URL.
func (m *maker) guess() {
	s := trimmed(m.v.bytes, Span{0, len(m.v.bytes)})
	if likely(m.v.bytes[s.Start:s.End]) {
		m.add(s, guessForm)
	}
}

// script adds the string literals of a script that look like URLs.
func (m *maker) script() { m.literals(0, literalToken) }

// literals adds those of the script that begins at an offset of the value.
func (m *maker) literals(from int, form tokenForm) {
	var l json.Literals
	for l.Reset(m.v.bytes[from:]); l.Next(); {
		s := Span{from + l.Start, from + l.End}
		v := m.v.bytes[s.Start:s.End]
		if form == percentToken && bytes.IndexByte(v, '%') >= 0 {
			v = []byte(resolve.Unescape(string(v)))
		}
		if l.Escaped {
			v = m.f.unescapedLiteral(v)
		}
		if likely(v) {
			r := m.addToken(s, v, form)
			r.ListOnly = r.ListOnly || l.Doubtful
		}
	}
}

// addToken adds the string that a token of a script or of JSON stands for.
func (m *maker) addToken(s Span, value []byte, form tokenForm) *Ref {
	r := m.add(s, single)
	r.Value, r.place.token = value, form
	if r.place.bare == bareWhole {
		r.place.bare = barePart
	}
	return r
}

// unescapedLiteral returns the value of a string with escapes.
func (f *finder) unescapedLiteral(v []byte) []byte {
	t := &f.text.Data
	start := len(*t)
	*t = json.AppendUnescaped(*t, v)
	return (*t)[start:len(*t):len(*t)]
}

// scriptURL adds the string literals of a javascript: URL. It reports whether there
// are any: then the URL itself is no reference beside them, since it changes with them.
func (m *maker) scriptURL() bool {
	b := m.v.bytes
	start := skipBlank(b, 0)
	if !hasPrefixFold(b[start:], "javascript:") {
		return false
	}
	kind, n := m.kind, m.f.doc.refs.len()
	m.kind = KindScript
	m.literals(start+len("javascript:"), percentToken)
	m.kind = kind
	return m.f.doc.refs.len() > n
}
