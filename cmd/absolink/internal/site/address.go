package site

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"absolink/resolve"
)

// A program that saves a site puts the query into the name of the file, and may add an ending: wget
// page?id=1, with -E page?id=1.html, and for Windows page@id=1.html; other programs page%3Fid=1. So
// the address that a page had may differ from the URI of its file.

// Address is an absolute URI at which a site had a document.
type Address struct {
	URI string
	Sure
}

// Sure says how sure it is that the document was at an address. If two documents have the same
// address, the document with the lower value keeps it.
type Sure uint8

// The values of Sure.
const (
	Certain Sure = iota
	Likely       // programs that save sites would use this name
	Unended      // certain if saved files keep their names, wrong if programs added endings to them
)

// endings are the endings that wget -E adds to names without one of them.
var endings = []string{".html", ".css"}

// served are the endings of server programs that answer with pages.
var served = strings.Fields(`.php .php3 .php4 .php5 .phtml .asp .aspx .ashx .jsp .jspx .do .action .cgi .pl .cfm
	.shtml .xhtml`)

// Addresses returns the addresses of a document that was saved in a file. uri is the URI of the
// file by its root. index reports whether a file with this name stands for its directory.
func Addresses(uri string, index func(name string) bool) (list []Address) {
	own := resolve.Split(uri)
	dir, name := path.Split(own.Path)
	name = resolve.Unescape(name)
	add := func(page, query string, sure Sure) {
		r := own
		r.Query = escapeQuery(query)
		r.HasQuery = query != ""
		r.Path = dir + EscapePath(page)
		list = append(list, Address{r.String(), sure})
		if index(page) {
			r.Path = dir
			list = append(list, Address{r.String(), sure})
		}
	}
	page, query, sure := savedQuery(name)
	if query == "" || sure != Certain {
		add(name, "", Certain)
	}
	switch short := withoutEnding(query); {
	case query == "":
		page = strings.TrimSuffix(name, endings[0])
		if page != name && slices.Contains(served, strings.ToLower(path.Ext(page))) {
			add(page, "", Likely)
		}
	case short == query:
		add(page, query, sure)
	default:
		add(page, short, Likely)
		add(page, query, Unended)
	}
	return list
}

// savedQuery splits the name of a file into the name of a page and its query, "" if there is no
// query.
func savedQuery(name string) (page, query string, sure Sure) {
	for i := range len(name) {
		switch {
		case name[i] == '?':
			return name[:i], resolve.Unescape(name[i+1:]), Certain
		case len(name)-i > 3 && strings.EqualFold(name[i:i+3], "%3F"):
			return name[:i], resolve.Unescape(name[i+3:]), Certain
		case name[i] == '@' && i > 0 && strings.Contains(name[i:], "="):
			return name[:i], resolve.Unescape(name[i+1:]), Likely
		}
	}
	return name, "", Certain
}

// withoutEnding returns a query without the ending that wget added.
func withoutEnding(query string) string {
	for _, ending := range endings {
		if short := strings.TrimSuffix(query, ending); short != "" && short != query {
			return short
		}
	}
	return query
}

// escapeQuery percent-encodes the bytes that may not stand in a query (RFC 3986 3.4).
func escapeQuery(query string) string {
	var b strings.Builder
	for i := range len(query) {
		c := query[i]
		if letterOrNumber(c) || strings.IndexByte("-._~!$&'()*+,;=:@/?", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
