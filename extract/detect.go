package extract

import "bytes"

// Detect finds the format of a document, from the content first, then from name:
// a file name or a media type, "" if unknown. Content is HTML where a browser
// would take it as such (MIME Sniffing Standard 7.1), in UTF-16 too where a byte
// order mark says so; content that begins as XML is not, whatever it goes on with.
// Style sheets, plain text and manifests are known by their names alone.
func Detect(data []byte, name string) Format {
	head := data[:min(len(data), 4096)]
	if label := byteOrderMark(head); label != nil && !bytes.Equal(label, labelUTF8) {
		head = bytes.ReplaceAll(head, []byte{0}, nil)[2:]
	}
	head = bytes.TrimPrefix(head, bomUTF8)
	switch {
	case looksHTML(head):
		return HTML
	case hasPrefixFold(bytes.TrimLeft(head, "\t\n\f\r "), bookmarkStart):
		return Bookmarks
	}
	named := formatNamed(name)
	if isXML(head) && named != HTML {
		return Unknown
	}
	return built(named)
}

// built is Unknown for the formats that are not read yet.
func built(f Format) Format {
	switch f {
	case HTML, CSS, Plain:
		return f
	}
	return Unknown
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
		if n := len(tag) + 1; len(head) > n && head[0] == '<' && hasPrefixFold(head[1:], tag) && tagEnd(head[n]) {
			return true
		}
	}
	return false
}

// tagEnd reports whether c can follow a tag name.
func tagEnd(c byte) bool { return c == '>' || c == '/' || blank(c) }

func isXML(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, "\t\n\f\r "), []byte("<?xml"))
}
