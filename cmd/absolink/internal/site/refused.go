package site

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// To a browser each file on a disk is an origin of its own. So it refuses everything that must come
// from the origin of the page, whatever the links say.

// call is a pattern for a call in a script that a browser refuses, with its name.
type call struct {
	name string
	call *regexp.Regexp
}

var calls = sync.OnceValue(func() []call {
	return []call{
		{"fetch", regexp.MustCompile(`\bfetch\s*\(|\bXMLHttpRequest\b`)},
		{"service worker", regexp.MustCompile(`\bserviceWorker\s*\.\s*register\b`)},
		{"worker", regexp.MustCompile(`\bnew\s+(Shared)?Worker\s*\(`)},
		{"import", regexp.MustCompile(`\bimport\s*\(`)},
	}
})

// RefusedInScript returns the names of calls in a script that browsers refuse from a disk, and the
// offset of the first.
func RefusedInScript(data []byte) (names []string, at int) {
	at = len(data)
	for _, c := range calls() {
		if span := c.call.FindIndex(data); span != nil {
			names, at = append(names, c.name), min(at, span[0])
		}
	}
	return names, at
}

// RefusedInPage returns the names of things in an HTML page that browsers refuse from a disk, each
// once, and the offset of the first.
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

// refusedTag returns the name of the thing that browsers refuse of a tag, or "".
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
	case t.Data == "use" && (outside(attr(t, "href")) || outside(attr(t, "xlink:href"))):
		return "use of another SVG file"
	case t.Data == "track" && has("src"):
		return "track"
	}
	return ""
}

// outside reports whether ref leads to another file.
func outside(ref string) bool { return ref != "" && !strings.HasPrefix(ref, "#") }

// isScript reports whether browsers run a script element of this type.
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
