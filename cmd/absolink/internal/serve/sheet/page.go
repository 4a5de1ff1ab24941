package sheet

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/hypertext"
)

// Start is the content of the first page.
type Start struct {
	Error  string
	Action string // the address that gets the form
	Where  string // the place that documents do not leave: "machine" or "browser"
}

// figure returns the figure of Section 5.1. Its boxes hold the texts about their possible content.
func (s *Start) figure() *Box {
	var inner *Box
	for _, s := range sections {
		inner = &Box{Section: s.section, Title: s.title, Says: s.says, Inner: inner}
	}
	return inner
}

// FlagNames lists the flags that a page lets people set.
var FlagNames = []string{"base", "default-base", "rules", "mime-base",
	"trust-base", "lazy", "scripts", "comments", "map", "to", "type"}

// Flags returns those parameters of a page that are flags with a value.
func Flags(all url.Values) url.Values {
	flags := make(url.Values)
	for _, name := range FlagNames {
		for _, v := range all[name] {
			if v != "" {
				flags.Add(name, v)
			}
		}
	}
	return flags
}

// Page is the content of the page of a document.
type Page struct {
	*View
	Name      string     // of the document
	Size      int64      // in bytes
	Query     url.Values // of the address of the page
	Differ    []Difference
	Diff      []diffLine
	Cut       bool   // there are more differences than Diff has
	Unwritten string // why a document was not rewritten
	Error     string
	Read      bool // the document was read with these options
}

// view returns the name of the current view.
func (s *Page) view() string { return cmp.Or(s.Query.Get("view"), "links") }

// with returns the query of the page with changed parameters, given as alternating names and
// values. An empty value removes the parameter.
func (s *Page) with(changes ...string) string {
	q := make(url.Values)
	for name, values := range s.Query {
		q[name] = values
	}
	for i := 0; i+1 < len(changes); i += 2 {
		q.Del(changes[i])
		if changes[i+1] != "" {
			q.Set(changes[i], changes[i+1])
		}
	}
	return "?" + q.Encode()
}

// slashes escapes a URI for HTML. It allows a line break after each slash, question mark and
// ampersand.
var slashes = strings.NewReplacer("//", "//", "/", "/<wbr>", "?", "?<wbr>", "&", "&amp;<wbr>",
	`"`, "&#34;", "'", "&#39;", "<", "&lt;", ">", "&gt;", "\x00", "\ufffd")

// breaks returns a URI as HTML text in which lines may break, as slashes says.
func breaks(uri string) hypertext.Source { return hypertext.Source(slashes.Replace(uri)) }

// count returns a number with its noun. word is the singular.
func count(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return strconv.Itoa(n) + " " + word
}

// Size returns a number of bytes for people.
func Size(n int64) string {
	switch {
	case n >= 1<<20:
		return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MB"
	case n >= 1<<10:
		return strconv.FormatFloat(float64(n)/(1<<10), 'f', 1, 64) + " KB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
