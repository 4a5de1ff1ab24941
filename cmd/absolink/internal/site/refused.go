package site

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// To a browser each file on a disk is an origin of its own. So a page from a disk cannot use
// features that are restricted to its own origin, such as fetch() and module scripts, whatever form
// its links have.

// call is a call in scripts that a browser refuses in pages from a disk. pattern matches the call.
// name is shown in messages.
type call struct {
	name    string
	pattern *regexp.Regexp
}

var calls = sync.OnceValue(func() []call {
	return []call{
		{"fetch", regexp.MustCompile(`\bfetch\s*\(|\bXMLHttpRequest\b`)},
		{"service worker", regexp.MustCompile(`\bserviceWorker\s*\.\s*register\b`)},
		{"worker", regexp.MustCompile(`\bnew\s+(Shared)?Worker\s*\(`)},
		{"import", regexp.MustCompile(`\bimport\s*\(`)},
	}
})

// RefusedInScript returns the names of the calls in a script that browsers refuse in pages from a
// disk, and the offset of the first call. Without such calls the offset is the length of data.
func RefusedInScript(data []byte) (names []string, at int) {
	at = len(data)
	for _, c := range calls() {
		if span := c.pattern.FindIndex(data); span != nil {
			names, at = append(names, c.name), min(at, span[0])
		}
	}
	return names, at
}

// RefusedInPage returns the names of the features in an HTML page that browsers refuse in pages
// from a disk, each once, and the offset of the first. Without such features the offset is the
// length of data.
func RefusedInPage(data []byte) (names []string, at int) {
	z := html.NewTokenizer(bytes.NewReader(data))
	at, end, script := len(data), 0, false
	add := func(start int, name string) {
		at = min(at, start)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for {
		kind := z.Next()
		start := end
		end += len(z.Raw())
		switch kind {
		case html.ErrorToken:
			return names, at
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			if name := refusedTag(t); name != "" {
				add(start, name)
			}
			script = t.Data == "script" && isScript(attr(t, "type"))
		case html.TextToken:
			if !script {
				break
			}
			found, from := RefusedInScript(z.Raw())
			for _, name := range found {
				add(start+from, name)
			}
		case html.EndTagToken:
			script = false
		}
	}
}

// refusedTag returns the name of the refused feature that a tag uses, or "".
func refusedTag(t html.Token) string {
	rel := attr(t, "rel")
	has := func(name string) bool {
		return slices.ContainsFunc(t.Attr, func(a html.Attribute) bool { return a.Key == name })
	}
	switch {
	case t.Data == "script" && strings.EqualFold(attr(t, "type"), "module"):
		return "module script"
	case t.Data == "link" && hasToken(rel, "modulepreload"):
		return "module script"
	case t.Data == "link" && hasToken(rel, "manifest"):
		return "manifest"
	case has("crossorigin") && (has("src") || has("href") && t.Data == "link"):
		return "crossorigin"
	case t.Data == "use" && (isOtherFile(attr(t, "href")) || isOtherFile(attr(t, "xlink:href"))):
		return "use of another SVG file"
	case t.Data == "track" && has("src"):
		return "track"
	}
	return ""
}

// isOtherFile reports whether ref leads to another file.
func isOtherFile(ref string) bool { return ref != "" && !strings.HasPrefix(ref, "#") }

// isScript reports whether browsers run a script element of this type. kind is the attribute type
// of the element, or "".
func isScript(kind string) bool {
	kind = strings.ToLower(strings.TrimSpace(kind))
	return kind == "" || kind == "module" || strings.HasSuffix(kind, "javascript") ||
		strings.HasSuffix(kind, "ecmascript")
}

func attr(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
