package resolve

import (
	"slices"
	"strings"
	"unicode/utf8"

	"absolink/resolve/ascii"
	"absolink/resolve/internal/component"
)

// Validate returns the names of the validation errors of the URL Standard in a reference, each
// once, in any order. The parser fails at some of these errors. It
// tolerates others, such as invalid-URL-unit, invalid-reverse-solidus,
// special-scheme-missing-following-solidus and invalid-credentials. Validate returns nil for a
// valid reference. It also returns nil under the other rule sets; package grammar checks their
// grammars.
func (b *Base) Validate(ref []byte) []string {
	if b.o.Rules != WHATWG {
		return nil
	}
	var notes []string
	p := webParser{charset: b.o.Charset, notes: &notes}
	if b.hasURI {
		p.base = b
	}
	s := trimWeb(view(ref))
	if len(s) != len(ref) || strings.ContainsAny(s, "\t\n\r") {
		p.note("invalid-URL-unit")
	}
	p.parse(s)
	return notes
}

// note records a validation error once, if notes are wanted.
func (p *webParser) note(name string) {
	if p.notes != nil && !slices.Contains(*p.notes, name) {
		*p.notes = append(*p.notes, name)
	}
}

// noteUnits notes the first character of s that is neither a URL code point nor part of an escape.
// A backslash in a special URL has its own error.
func (p *webParser) noteUnits(s string) {
	if p.notes == nil {
		return
	}
	if p.special {
		p.noteBackslash(s)
		s = strings.ReplaceAll(s, "\\", "/")
	}
	for i, r := range s {
		if r == '%' && component.IsEscape(s[i:]) ||
			isURLCodePoint(r) && (r != utf8.RuneError || strings.HasPrefix(s[i:], "\uFFFD")) {
			continue
		}
		p.note("invalid-URL-unit")
		return
	}
}

// isURLCodePoint reports whether r is a URL code point.
func isURLCodePoint(r rune) bool {
	if r < 0x80 {
		return ascii.Alnum.Has(byte(r)) ||
			strings.ContainsRune("!$&'()*+,-./:;=?@_~", r)
	}
	return r >= 0xA0 && r <= 0x10FFFD && r&0xFFFE != 0xFFFE && (r < 0xFDD0 || r > 0xFDEF)
}

// noteBackslash notes a backslash in s that the parser reads as a slash.
func (p *webParser) noteBackslash(s string) {
	if p.notes != nil && p.special && strings.IndexByte(s, '\\') >= 0 {
		p.note("invalid-reverse-solidus")
	}
}

// noteIPv4 notes the validation errors of an IPv4 address. The parser tolerates some of them, such
// as IPv4-non-decimal-part.
func (p *webParser) noteIPv4(s string) {
	if p.notes == nil {
		return
	}
	if strings.HasSuffix(s, ".") {
		p.note("IPv4-empty-part")
		s = s[:len(s)-1]
	}
	parts := strings.Split(s, ".")
	if len(parts) > 4 {
		p.note("IPv4-too-many-parts")
	}
	for _, part := range parts {
		v, ok := parseIPv4Number(part)
		switch {
		case !ok:
			p.note("IPv4-non-numeric-part")
		case len(part) > 1 && part[0] == '0':
			p.note("IPv4-non-decimal-part")
		}
		if v > 255 {
			p.note("IPv4-out-of-range-part")
		}
	}
}
