package value

import (
	"bytes"
	"strings"

	"absolink/extract/internal/json"
	"absolink/extract/internal/template"
	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Suspect reports whether v, which is relative by grammar, is surely no
// reference but the remains of a broken encoding, a template, or bad markup. mailbox says
// that it stands where people forget the "mailto:".
func Suspect(v []byte, mailbox bool) bool {
	if len(v) == 0 {
		return false
	}
	switch v[0] {
	case '3', '\\':
		if brokenStart(v) {
			return true
		}
	}
	_, piece := template.First(v)
	return piece || bytes.IndexByte(v, '%') >= 0 && hasPlaceholder(v) || strayAttribute(v) || mailbox && isMailbox(v)
}

// SuspectPlain is [Suspect] for a plain reference (resolve.Base.Plain). None of these
// holds a byte that makes one suspect but letters, '=' and '@', and so no piece of a template;
// and neither an attribute nor a mailbox begins with a slash or question mark.
func SuspectPlain(v []byte, mailbox bool) bool {
	return v[0] != '/' && v[0] != '?' && (strayAttribute(v) || mailbox && isMailbox(v))
}

func brokenStart(v []byte) bool {
	for _, p := range brokenStarts {
		if bytes.HasPrefix(v, p) {
			return true
		}
	}
	return false
}

// brokenStarts are remains of quoted-printable and of escapes in strings.
var brokenStarts = [][]byte{[]byte(`3D"`), []byte(`3D'`), []byte(`\"`)}

// hasPlaceholder reports whether v holds a %NAME% that a template left: it is all of v,
// a whole path segment or a whole parameter value, and its '%' begins no percent-encoded byte.
func hasPlaceholder(v []byte) bool {
	before, ends := byte('/'), "/?#"
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '#':
			return false
		case '?':
			before, ends = '=', "&;#"
		case '%':
			n := placeholder(v[i:])
			end := i + n
			if n > 0 && (i == 0 || v[i-1] == before) && (end == len(v) || strings.IndexByte(ends, v[end]) >= 0) {
				return true
			}
		}
	}
	return false
}

// placeholder returns the length of the %NAME% that v, whose first byte is '%', begins
// with: two letters or more and '_', of which the first two are not hex digits. It is 0
// if there is none.
func placeholder(v []byte) int {
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

// strays are attributes that are found inside the value of the one before them.
var strays = []string{"action=", "alt=", "border=", "class=", "enctype=", "height=", "href=", "id=",
	"method=", "name=", "onclick=", "rel=", "src=", "style=", "target=", "title=", "type=", "width="}

// strayAttribute reports whether v begins as an attribute, as in action=method=post.
func strayAttribute(v []byte) bool {
	n := 0
	for n < len(v) && ascii.Letter.Has(v[n]) {
		n++
	}
	if n == 0 || n == len(v) || v[n] != '=' {
		return false
	}
	for _, s := range strays {
		if text.HasPrefixFold(v, s) {
			return true
		}
	}
	return false
}

// isMailbox reports whether v is local@domain.tld with a tld that is not a file
// extension, perhaps with a query.
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

// IsHost reports whether v, which is relative by grammar, surely is meant to begin with a host, as
// www.example.com and the payment pointer $wallet.example/alice are.
func IsHost(v []byte) bool {
	return len(v) > 0 && v[0] == '$' || text.HasPrefixFold(v, "www.")
}
