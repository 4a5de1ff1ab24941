package value

import (
	"bytes"

	"absolink/extract/internal/text"
)

// What may be a URL or anything else, as a string of a script, is taken for one
// only if it looks like one. The look of a URI that is absolute does not depend on
// its characters, so that what was rewritten is found again.

// likely reports whether v looks like a URL: an absolute one with a path, or a
// relative one that begins with a slash or dots, or ends in the name of a file.
func likely(v []byte) bool {
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
		return bytes.ContainsFunc(v, func(r rune) bool { return r > 0x7f || text.IsAlnum(byte(r)) })
	}
	return namesFile(v)
}

// hasHost reports whether v begins with a scheme, "//" and a host.
func hasHost(v []byte) bool {
	n := schemeLength(v)
	return n > 0 && bytes.HasPrefix(v[n:], []byte("//")) && len(v) > n+2 && v[n+2] != '/'
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
	return dot > 0 && v[dot-1] != '/' && isExtension(v[dot+1:])
}

// extensions are those of files that pages and mails refer to.
var extensions = []string{"png", "jpg", "jpeg", "gif", "webp", "svg", "ico", "bmp", "avif", "html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "cgi", "css", "js", "json", "xml", "pdf", "txt", "zip", "gz", "mp3", "mp4", "webm", "eml", "ics", "vcf"}

// isExtension reports whether name is one of them, in any case.
func isExtension(name []byte) bool {
	for _, e := range extensions {
		if len(e) == len(name) && text.HasPrefixFold(name, e) {
			return true
		}
	}
	return false
}

// saysURL reports whether the name of a member says that its value is a URL.
func saysURL(name []byte) bool {
	for _, end := range []string{"src", "url", "href"} {
		if n := len(name) - len(end); n >= 0 && text.IsFold(name[n:], end) {
			return true
		}
	}
	return false
}
