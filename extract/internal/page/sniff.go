package page

import (
	"bytes"
	"strings"
	"sync"

	"absolink/extract/internal/text"
)

// Fragments of pages, and templates, begin in ways that MIME Sniffing does not have: with
// text, an instruction of a template, a tag of HTML 5. They are told by a tag.

// tagsWithin is how many bytes are searched for a tag.
const tagsWithin = 1024

// elementNames are the elements of HTML, those of old too, and the roots of SVG and MathML.
var elementNames = words(`a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big
	blink blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog
	dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup
	hr html i iframe img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu meta
	meter multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param picture plaintext
	pre progress q rb rp rt rtc ruby s samp script search section select slot small source spacer span strike strong style
	sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp`)

// HasTag reports whether the first bytes of head hold a tag of HTML before anything that no
// text holds. Scripts and JSON have none.
func HasTag(head []byte) bool {
	if bytes.HasPrefix(head, []byte("#!")) || looksJSON(head) {
		return false
	}
	for i, c := range head[:min(len(head), tagsWithin)] {
		switch {
		case c < ' ' && !text.IsBlank(c) && c != 0x1b:
			return false
		case c == '<' && isTag(head[i+1:]):
			return true
		}
	}
	return false
}

// isTag reports whether b begins with the rest of a tag of HTML, or of a custom element.
func isTag(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("/"))
	n := 0
	for n < len(b) && (text.IsAlnum(b[n]) || b[n] == '-') {
		n++
	}
	if n == len(b) || !tagEnd(b[n]) {
		return false
	}
	if end := bytes.IndexAny(b[n:], "<>"); end < 0 || b[n+end] == '<' {
		return false
	}
	name := strings.ToLower(string(b[:n]))
	return elementNames()[name] || strings.IndexByte(name, '-') > 0
}

// looksJSON reports whether head begins as an object or an array of JSON does.
func looksJSON(head []byte) bool {
	head = bytes.TrimLeft(head, "\t\n\r ")
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return false
	}
	next := bytes.TrimLeft(head[1:], "\t\n\r ")
	return len(next) > 0 && (next[0] == '"' || head[0] == '[' && (next[0] == '{' || next[0] == '['))
}

// tagEnd reports whether c can follow a tag name.
func tagEnd(c byte) bool { return c == '>' || c == '/' || text.IsBlank(c) }

// htmlStarts are the tags that HTML documents begin with (MIME Sniffing 7.1),
// and those of fragments that are saved as documents.
var htmlStarts = []string{
	"!doctype html", "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b", "body", "br", "p",
	"base", "meta", "link", "img", "span", "center", "ul", "form", "frameset",
}

// bookmarkStart is what bookmark files begin with, in any case.
const bookmarkStart = "<!doctype netscape-bookmark-file"

// Begins reports whether head, after white space, comments and instructions
// other than an XML declaration, begins with one of htmlStarts.
func Begins(head []byte) bool {
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

// BeginsBookmarks reports whether head begins as a file of bookmarks does.
func BeginsBookmarks(head []byte) bool {
	return text.HasPrefixFold(bytes.TrimLeft(head, "\t\n\f\r "), bookmarkStart)
}

// words returns the set of the words in a list, which is made when it is first asked for.
func words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := make(map[string]bool)
		for w := range strings.FieldsSeq(list) {
			set[w] = true
		}
		return set
	})
}
