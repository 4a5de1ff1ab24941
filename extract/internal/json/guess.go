package json

import (
	"bytes"

	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Some strings, for example in scripts, may be URLs or anything else. They count as URLs only if
// they look like one. More characters are allowed in an absolute URI than in a relative one. So a
// relative URL that an edit makes absolute is found again.

// Likely reports whether v looks like a URL. An absolute URL must have a slash after its scheme, or
// be a URN. A relative one must begin with a slash or dots, or end in a file name.
func Likely(v []byte) bool {
	for _, c := range v {
		if c <= ' ' || c == '<' || c == '>' || c == '"' {
			return false
		}
	}
	if n := schemeLength(v); n > 0 {
		return n < len(v) && v[n] == '/' || text.HasPrefixFold(v, "urn:")
	}
	if bytes.ContainsAny(v, "{}|\\^`'$()*,;[]") {
		return false
	}
	dots := 0
	for dots < len(v) && dots < 2 && v[dots] == '.' {
		dots++
	}
	if dots < len(v) && v[dots] == '/' {
		return bytes.ContainsFunc(v, func(r rune) bool { return r > 0x7f || ascii.Alnum.Has(byte(r)) })
	}
	return namesFile(v)
}

// IsSureGuess reports whether v, for which Likely is true, is surely not a name: it has a scheme,
// or begins with a slash or dots and ends in a file name.
func IsSureGuess(v []byte) bool {
	return schemeLength(v) > 0 || len(v) > 0 && (v[0] == '/' || v[0] == '.') && namesFile(v)
}

// HasHost reports whether v begins with a scheme, "//" and a host.
func HasHost(v []byte) bool {
	n := schemeLength(v)
	return n > 0 && bytes.HasPrefix(v[n:], []byte("//")) && len(v) > n+2 && v[n+2] != '/'
}

// schemeLength returns the length of the scheme at the start of v with its colon, or 0.
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
	return dot > 0 && v[dot-1] != '/' && IsExtension(v[dot+1:])
}

// extensions are the extensions of files that pages and mails refer to.
var extensions = []string{"png", "jpg", "jpeg", "gif", "webp", "svg", "ico", "bmp", "avif", "html", "htm", "xhtml",
	"php", "asp", "aspx", "jsp", "cgi", "css", "js", "json", "xml", "pdf",
	"txt", "zip", "gz", "mp3", "mp4", "webm", "eml", "ics", "vcf"}

// IsExtension reports whether name is one of the extensions, in upper or lower case.
func IsExtension(name []byte) bool {
	for _, e := range extensions {
		if len(e) == len(name) && text.HasPrefixFold(name, e) {
			return true
		}
	}
	return false
}

// isWords reports whether v has neither a slash nor a dot nor a colon.
func isWords(v []byte) bool { return !bytes.ContainsAny(v, "/.:") }

// IsURLText reports whether v, which may be a text, looks like a URL. A URL does not begin like an
// assignment, as in a=/b&c=/d. It may have white space only if it begins with a slash, or with a
// scheme and a host, and ends in the name of a file. Without a slash it has a scheme, a query or a
// file ending. So 16:9, 12:30, 3.99, v1.2 and me@h.example are not URLs.
func IsURLText(v []byte) bool {
	if isWords(v) {
		return false
	}
	if n := bytes.IndexAny(v, " \t\n\f\r"); n >= 0 {
		return Likely(v[:n]) && (v[0] == '/' || HasHost(v)) && namesFile(v)
	}
	if n := bytes.IndexAny(v, "=/.:?#"); v[n] == '=' {
		return false
	}
	switch n := schemeLength(v); {
	case bytes.IndexByte(v, '/') >= 0:
		return !isRatio(v)
	case bytes.ContainsAny(v, "?#"), namesFile(v):
		return true
	case n > len("x:"): // a scheme has at least two letters
		return n < len(v)
	case bytes.ContainsAny(v, ":@"):
		return false
	}
	return hasEnding(v)
}

// isRatio reports whether v is two numbers with a slash between them, as in 16/9.
func isRatio(v []byte) bool {
	left, right, _ := bytes.Cut(v, []byte("/"))
	return isDigits(left) && isDigits(right)
}

func isDigits(v []byte) bool {
	return len(v) > 0 && len(bytes.Trim(v, "0123456789")) == 0
}

// hasEnding reports whether v ends like a file name: with a dot and an ending that contains a
// letter. Numbers and versions do not count, even with a sign, a currency or a unit.
func hasEnding(v []byte) bool {
	dot := bytes.LastIndexByte(v, '.')
	ending := v[dot+1:]
	if dot <= 0 || len(ending) == 0 || len(ending) > maxEnding {
		return false
	}
	letters := 0
	for _, c := range ending {
		switch {
		case !ascii.Alnum.Has(c):
			return false
		case c > '9':
			letters++
		}
	}
	return letters > 0 && !isNumber(v)
}

// maxEnding is the maximum length of a file ending that is not one of extensions.
const maxEnding = 8

// isNumber reports whether v consists of digits, dots and commas, with no dot at the end. A sign, a
// currency or the v of a version may precede them, and a unit may follow.
func isNumber(v []byte) bool {
	first := bytes.IndexAny(v, "0123456789")
	if first < 0 || bytes.ContainsFunc(bytes.TrimLeft(v[:first], "vV"), isLetter) {
		return false
	}
	unit := bytes.TrimLeft(v[first:], "0123456789.,")
	return v[len(v)-len(unit)-1] != '.' && bytes.IndexByte(unit, '.') < 0
}

func isLetter(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }

// HasQuote reports whether v contains a quotation mark of scripts. Then v may be an expression of a
// script instead of a URL.
func HasQuote(v []byte) bool { return bytes.ContainsAny(v, "'\"`") }
