package page

import (
	"bytes"
	"strings"
	"sync"

	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// The first tag shows whether a text is a page. [Begins] knows the few tags that browsers accept at
// the beginning of a page. Files can also hold fragments, or pages behind server code:
// [BeginsWithTag]. Other texts may begin with a quoted tag, but never with a whole page: [IsWhole].

// elementNames are the elements of HTML, including obsolete ones, and the roots of SVG and MathML.
var elementNames = words(`
	a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body
	br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em
	embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i
	iframe img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu meta meter
	multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param picture plaintext
	pre progress q rb rp rt rtc ruby s samp script search section select slot small source spacer span strike strong
	style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video
	wbr xmp`)

// officePrefixes are the prefixes of elements that Word and Outlook write into HTML.
var officePrefixes = words("o v w st1")

// Start returns head from its first tag, word or rule on. It skips white space, comments of HTML
// and of template engines, server code and instructions. It returns nil if head ends inside one of
// these. It does not skip an XML declaration.
func Start(head []byte) []byte {
	for {
		head = bytes.TrimLeft(head, "\t\n\f\r ")
		skipped := false
		for _, s := range skips {
			if !bytes.HasPrefix(head, []byte(s.open)) || s.open == "<?" && isDeclaration(head) {
				continue
			}
			n := bytes.Index(head[len(s.open):], []byte(s.end))
			if n < 0 {
				return nil
			}
			head = head[len(s.open)+n+len(s.end):]
			skipped = true
			break
		}
		if !skipped {
			return head
		}
	}
}

// skips are the pieces that may precede a page: a comment, the two halves of a conditional comment
// that other browsers show, an instruction or PHP, code of ASP and JSP, a comment of Jinja or Twig.
var skips = []struct{ open, end string }{
	{"<!-->", ""}, {"<!--->", ""}, {"<!--", "-->"}, {"<![if",
		">"}, {"<![endif", ">"}, {"<?", "?>"}, {"<%", "%>"}, {"{#", "#}"},
}

// isDeclaration reports whether head begins with an XML declaration.
func isDeclaration(head []byte) bool {
	rest, ok := bytes.CutPrefix(head, []byte("<?xml"))
	return ok && len(rest) > 0 && ascii.Space.Has(rest[0])
}

// BeginsWithTag reports whether head begins with a tag of HTML, after the pieces that Start skips.
func BeginsWithTag(head []byte) bool {
	head = Start(head)
	return isDoctype(head) || beginsWith(head, htmlStarts) || len(head) > 0 && head[0] == '<' && isTag(head[1:])
}

// pageStarts are the tags before the body of a page.
var pageStarts = []string{"html", "head", "body", "frameset", "title", "meta", "base", "link", "script"}

// BeginsAsPage reports whether head begins with a tag of pageStarts or the document type of HTML,
// after the pieces that Start skips.
func BeginsAsPage(head []byte) bool {
	head = Start(head)
	return isDoctype(head) || beginsWith(head, pageStarts)
}

// isDoctype reports whether head begins with the document type of HTML.
func isDoctype(head []byte) bool {
	if !text.HasPrefixFold(head, "<!doctype") {
		return false
	}
	rest := head[len("<!doctype"):]
	name := bytes.TrimLeft(rest, "\t\n\f\r ")
	return len(name) < len(rest) && len(name) > len("html") &&
		text.HasPrefixFold(name, "html") && tagEnd(name[len("html")])
}

// IsWhole reports whether head begins with the document type of HTML or the tag html, directly
// followed by another tag. In a sentence that mentions the tag, a word follows.
func IsWhole(head []byte) bool {
	head = Start(head)
	if !isDoctype(head) && !beginsWith(head, pageStarts[:1]) {
		return false
	}
	_, rest, _ := bytes.Cut(head, []byte(">"))
	rest = Start(rest)
	return len(rest) > 1 && rest[0] == '<' && ascii.Letter.Has(rest[1])
}

// HasTag reports whether the first bytes of head hold a tag of HTML. The search stops at a control
// character that is not part of texts. HasTag returns false for scripts that begin with #!, and for
// JSON.
func HasTag(head []byte) bool {
	if bytes.HasPrefix(head, []byte("#!")) || looksJSON(head) {
		return false
	}
	for i, c := range head[:min(len(head), tagsWithin)] {
		switch {
		case c < ' ' && !ascii.Space.Has(c) && c != 0x1b:
			return false
		case c == '<' && isTag(head[i+1:]):
			return true
		}
	}
	return false
}

// tagsWithin is the number of bytes that HasTag searches.
const tagsWithin = 1024

// isTag reports whether b, which follows a '<', is the rest of a tag of HTML or of a custom
// element.
func isTag(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("/"))
	if n := bytes.IndexByte(b[:min(len(b), 4)], ':'); n > 0 && officePrefixes()[string(b[:n])] {
		return n+1 < len(b) && ascii.Letter.Has(b[n+1])
	}
	n := 0
	for n < len(b) && (ascii.Alnum.Has(b[n]) || b[n] == '-') {
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

// looksJSON reports whether head begins like an object or an array of JSON.
func looksJSON(head []byte) bool {
	head = bytes.TrimLeft(head, "\t\n\r ")
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return false
	}
	next := bytes.TrimLeft(head[1:], "\t\n\r ")
	return len(next) > 0 && (next[0] == '"' || head[0] == '[' && (next[0] == '{' || next[0] == '['))
}

// tagEnd reports whether c can follow a tag name.
func tagEnd(c byte) bool { return c == '>' || c == '/' || ascii.Space.Has(c) }

// htmlStarts are the tags that HTML documents begin with (MIME Sniffing 7.1), and the first tags of
// fragments that people save as documents.
var htmlStarts = []string{
	"!doctype html", "html", "head", "script", "iframe", "h1", "div",
	"font", "table", "a", "style", "title", "b", "body", "br", "p",
	"base", "meta", "link", "img", "span", "center", "ul", "form", "frameset",
}

// bookmarkStart is the start of bookmark files, in any case.
const bookmarkStart = "<!doctype netscape-bookmark-file"

// Begins reports whether head begins with one of htmlStarts, after white space and comments.
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
	return beginsWith(head, htmlStarts)
}

// beginsWith reports whether head begins with one of tags.
func beginsWith(head []byte, tags []string) bool {
	for _, tag := range tags {
		if n := len(tag) + 1; len(head) > n && head[0] == '<' && text.HasPrefixFold(head[1:], tag) && tagEnd(head[n]) {
			return true
		}
	}
	return false
}

// BeginsBookmarks reports whether head begins like a bookmark file, perhaps after comments.
func BeginsBookmarks(head []byte) bool {
	for {
		head = bytes.TrimLeft(head, "\t\n\f\r ")
		if !bytes.HasPrefix(head, []byte("<!--")) {
			return text.HasPrefixFold(head, bookmarkStart)
		}
		_, after, closed := bytes.Cut(head[len("<!--"):], []byte("-->"))
		if !closed {
			return false
		}
		head = after
	}
}

// words returns a function that returns the set of the words in a list. The first call builds the
// set.
func words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := make(map[string]bool)
		for w := range strings.FieldsSeq(list) {
			set[w] = true
		}
		return set
	})
}
