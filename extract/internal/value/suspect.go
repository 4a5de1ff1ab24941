package value

import (
	"bytes"
	"strings"

	"absolink/extract/internal/json"
	"absolink/extract/internal/template"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Suspect reports whether v, which looks like a relative reference, is surely not a reference: a
// broken encoding, a template or bad markup left it there. mailbox means that v is in a place where
// people forget the "mailto:".
func Suspect(v []byte, mailbox bool) bool {
	if len(v) == 0 {
		return false
	}
	switch v[0] {
	case '3', '\\':
		if hasBrokenStart(v) {
			return true
		}
	}
	_, piece := template.First(v)
	return piece || bytes.IndexByte(v, '%') >= 0 && hasPlaceholder(v) ||
		startsWithAttribute(v) || mailbox && isMailbox(v)
}

// SuspectPlain is [Suspect] for a plain reference (resolve.Base.Plain). A plain reference contains
// no template piece, so only the checks for attributes and mailboxes remain. Attributes and
// mailboxes begin with neither a slash nor a question mark.
func SuspectPlain(v []byte, mailbox bool) bool {
	return v[0] != '/' && v[0] != '?' && (startsWithAttribute(v) || mailbox && isMailbox(v))
}

// hasBrokenStart reports whether v begins with one of brokenStarts.
func hasBrokenStart(v []byte) bool {
	for _, p := range brokenStarts {
		if bytes.HasPrefix(v, p) {
			return true
		}
	}
	return false
}

// brokenStarts are remains of quoted-printable and of escapes in strings.
var brokenStarts = [][]byte{[]byte(`3D"`), []byte(`3D'`), []byte(`\"`)}

// hasPlaceholder reports whether v contains a %NAME% that a template left. The %NAME% must be all
// of v, a whole path segment or a whole parameter value, and its '%' must not begin a
// percent-encoded byte.
func hasPlaceholder(v []byte) bool {
	before, ends := byte('/'), "/?#"
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '#':
			return false
		case '?':
			before, ends = '=', "&;#"
		case '%':
			n := placeholderLen(v[i:])
			end := i + n
			if n > 0 && (i == 0 || v[i-1] == before) && (end == len(v) || strings.IndexByte(ends, v[end]) >= 0) {
				return true
			}
		}
	}
	return false
}

// placeholderLen returns the length of the %NAME% at the start of v, or 0. The first byte of v is
// '%'. NAME has at least two letters, and perhaps '_', and does not begin with two hex digits.
func placeholderLen(v []byte) int {
	if len(v) > 2 && ascii.Hex(v[1]) >= 0 && ascii.Hex(v[2]) >= 0 {
		return 0
	}
	letters, i := 0, 1
	for ; i < len(v) && (ascii.Letter.Has(v[i]) || v[i] == '_'); i++ {
		if v[i] != '_' {
			letters++
		}
	}
	if letters < 2 || i == len(v) || v[i] != '%' {
		return 0
	}
	return i + 1
}

// strayNames are the attributes that often occur by mistake inside the value of the attribute
// before them.
var strayNames = []string{"action=", "alt=", "border=", "class=", "enctype=", "height=", "href=", "id=",
	"method=", "name=", "onclick=", "rel=", "src=", "style=", "target=", "title=", "type=", "width="}

// startsWithAttribute reports whether v begins like an attribute, as in action=method=post.
func startsWithAttribute(v []byte) bool {
	n := 0
	for n < len(v) && ascii.Letter.Has(v[n]) {
		n++
	}
	if n == 0 || n == len(v) || v[n] != '=' {
		return false
	}
	for _, s := range strayNames {
		if text.HasPrefixFold(v, s) {
			return true
		}
	}
	return false
}

// isMailbox reports whether v is local@domain.tld, with an optional query. The tld must not be a
// file extension.
func isMailbox(v []byte) bool {
	if bytes.IndexByte(v, '@') < 0 {
		return false
	}
	v, _, _ = bytes.Cut(v, []byte("?"))
	local, domain, ok := bytes.Cut(v, []byte("@"))
	dot := bytes.LastIndexByte(domain, '.')
	if !ok || len(local) == 0 || dot <= 0 || bytes.IndexByte(v, '/') >= 0 || bytes.IndexByte(v, '#') >= 0 {
		return false
	}
	tld := domain[dot+1:]
	for _, c := range domain {
		if !ascii.Alnum.Has(c) && c != '-' && c != '.' {
			return false
		}
	}
	return len(tld) >= 2 && !json.IsExtension(tld)
}

// IsHost reports whether v, which looks like a relative reference, was surely meant to begin with a
// host. Examples are www.example.com and the payment pointer $wallet.example/alice.
func IsHost(v []byte) bool {
	return len(v) > 0 && v[0] == '$' || text.HasPrefixFold(v, "www.")
}
