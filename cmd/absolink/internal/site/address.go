package site

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"absolink/resolve"
)

// A program that saves a site puts the query into the name of the file, and may add an ending. For
// instance, wget writes page?id=1, with -E page?id=1.html, and for Windows page@id=1.html. Other
// programs write page%3Fid=1. So the old address of a page may differ from the URI of its file.

// Address is an absolute URI at which a site had a document.
type Address struct {
	URI string
	Certainty
}

// Certainty tells how certain it is that the document was at an address. If two documents have the
// same address, the document with the lower value keeps it.
type Certainty uint8

// The levels of certainty.
const (
	Certain Certainty = iota
	// Likely: some programs save a document from this address under the name of this file. Others
	// save a document from another address under it.
	Likely
	// EndingKept: the address is right only if the program that saved the site did not add the
	// ending, such as .html.
	EndingKept
)

// addedEndings are the endings that wget -E adds to names without such an ending.
var addedEndings = []string{".html", ".css"}

// serverEndings are the endings of programs on a server that answer with pages.
var serverEndings = strings.Fields(`.php .php3 .php4 .php5 .phtml .asp .aspx .ashx .jsp .jspx .do .action .cgi .pl .cfm
	.shtml .xhtml`)

// Addresses returns the possible old addresses of a document that was saved in a file. uri is the
// URI of the file by its root. isIndex reports whether a file with this name stands for its
// directory.
func Addresses(uri string, isIndex func(name string) bool) (list []Address) {
	fileURI := resolve.Split(uri)
	dir, name := path.Split(fileURI.Path)
	name = resolve.Unescape(name)
	add := func(page, query string, certainty Certainty) {
		r := fileURI
		r.Query = query
		r.HasQuery = query != ""
		r.Path = dir + EscapePath(page)
		list = append(list, Address{r.String(), certainty})
		if isIndex(page) {
			r.Path = dir
			list = append(list, Address{r.String(), certainty})
		}
	}
	page, query, certainty := savedQuery(name)
	if query == "" || certainty != Certain {
		add(name, "", Certain)
	}
	switch short := withoutEnding(query); {
	case query == "":
		page = strings.TrimSuffix(name, addedEndings[0])
		if page != name && slices.Contains(serverEndings, strings.ToLower(path.Ext(page))) {
			add(page, "", Likely)
		}
	case short == query:
		add(page, query, certainty)
	default:
		add(page, short, Likely)
		add(page, query, EndingKept)
	}
	return list
}

// savedQuery splits the name of a saved file into the name of the page and the query. query is
// percent-encoded; it is "" if the name has no query.
func savedQuery(name string) (page, query string, certainty Certainty) {
	for i := range len(name) {
		switch {
		case name[i] == '?':
			return name[:i], queryOf(name[i+1:], keptEscapes), Certain
		case len(name)-i > 3 && strings.EqualFold(name[i:i+3], "%3F"):
			return name[:i], queryOf(name[i+3:], ""), Certain
		case name[i] == '@' && i > 0 && strings.Contains(name[i:], "="):
			return name[:i], queryOf(name[i+1:], keptEscapes), Likely
		}
	}
	return name, "", Certain
}

// withoutEnding returns query without the ending that wget added. It returns query itself if there
// is no such ending.
func withoutEnding(query string) string {
	for _, ending := range addedEndings {
		if short := strings.TrimSuffix(query, ending); short != "" && short != query {
			return short
		}
	}
	return query
}

// keptEscapes are the reserved characters (RFC 3986 2.2) that file names can have. So if the name
// of a saved file has the escape of one, the escape was in the query. A program that writes %3F for
// the question mark is another case: it also writes %26 for an ampersand.
const keptEscapes = "!$&'()+,;=@#[]"

// queryOf returns the query that was saved as text. It percent-encodes the bytes that may not stand
// in a query (RFC 3986 3.4), and decodes the escapes of all other characters but those in kept.
func queryOf(text, kept string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		plain := resolve.Unescape(text[i:min(i+3, len(text))])
		escaped := c == '%' && len(plain) == 1 && i+2 < len(text)
		if escaped {
			c = plain[0]
			i += 2
		}
		switch {
		case escaped && strings.IndexByte(kept, c) >= 0:
			fmt.Fprintf(&b, "%%%02X", c)
		case letterOrNumber(c), strings.IndexByte("-._~!$&'()*+,;=:@/?", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
