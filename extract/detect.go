package extract

import (
	"bytes"

	"absolink/extract/internal/charset"
	"absolink/extract/internal/text"
)

// Detect finds the format of a document, from the content first, then from name:
// a file name or a media type, "" if unknown. Content is HTML where a browser
// would take it as such (MIME Sniffing Standard 7.1), in UTF-16 too where a byte
// order mark says so. Formats of XML are known by the first element; a page that
// begins with an XML declaration is XHTML, unless name says HTML. Style sheets,
// plain text and manifests are known by their names alone. What neither decides is
// HTML if a tag stands in its first 1,024 bytes, as in a fragment or a template,
// unless name is that of another kind of file.
func Detect(data []byte, name string) Format {
	head := startOf(data)
	named := formatNamed(name)
	if f := xmlFormat(head, named); f != Unknown {
		return f
	}
	switch {
	case looksHTML(head):
		return HTML
	case text.HasPrefixFold(bytes.TrimLeft(head, "\t\n\f\r "), bookmarkStart):
		return Bookmarks
	case named == Unknown && !otherKind(name) && hasTag(head):
		return HTML
	}
	return named
}

// maxStart is how many bytes decide about the format of a document.
const maxStart = 16 << 10

// startOf returns the first bytes of a document, those of UTF-16 without the NULs,
// and without a byte order mark.
func startOf(data []byte) []byte {
	head := data[:min(len(data), maxStart)]
	form, n := charset.Mark(head)
	switch {
	case n == 0 && len(head) >= 2 && (head[0] == 0 && head[1] == '<' || head[0] == '<' && head[1] == 0):
		return bytes.ReplaceAll(head, []byte{0}, nil)
	case n > 0 && form != charset.UTF8:
		return bytes.ReplaceAll(head[n:], []byte{0}, nil)
	}
	return head[n:]
}

// htmlStarts are the tags that HTML documents begin with (MIME Sniffing 7.1),
// and those of fragments that are saved as documents.
var htmlStarts = []string{
	"!doctype html", "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b", "body", "br", "p",
	"base", "meta", "link", "img", "span", "center", "ul", "form", "frameset",
}

// bookmarkStart is what bookmark files begin with, in any case.
const bookmarkStart = "<!doctype netscape-bookmark-file"

// looksHTML reports whether head, after white space, comments and instructions
// that are no XML declaration, begins with one of htmlStarts.
func looksHTML(head []byte) bool {
	for {
		head = bytes.TrimLeft(head, "\t\n\f\r ")
		if !bytes.HasPrefix(head, []byte("<!--")) {
			break
		}
		n := bytes.Index(head, []byte("-->"))
		if n < 0 {
			return false
		}
		head = head[n+3:]
	}
	for _, tag := range htmlStarts {
		if n := len(tag) + 1; len(head) > n && head[0] == '<' && text.HasPrefixFold(head[1:], tag) && tagEnd(head[n]) {
			return true
		}
	}
	return false
}
