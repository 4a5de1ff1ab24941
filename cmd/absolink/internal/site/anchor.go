package site

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"absolink/resolve"
)

// Anchors finds the places in files that fragments name. Each file is read once; what is
// changed in it afterwards is not seen. Safe for concurrent use. The zero value is ready.
type Anchors struct {
	mu    sync.Mutex
	pages map[string]map[string]bool
}

// pages are the extensions of files in which a fragment names an element.
var pages = map[string]bool{".html": true, ".htm": true, ".xhtml": true, ".xht": true, ".shtml": true, ".svg": true}

// Has reports whether a file has the place that a fragment names, which is percent-encoded, as
// in a URI: an id, or in HTML the name of an A element (HTML 7.4.6.4). That is so for files of
// which it is not known what fragments mean there, and for those that cannot be read.
func (a *Anchors) Has(path, fragment string) bool {
	fragment, _, _ = strings.Cut(fragment, ":~:") // what only browsers look at: text to be shown
	ext := strings.ToLower(filepath.Ext(path))
	if fragment == "" || !pages[ext] || ext == ".svg" && strings.ContainsAny(fragment, "(=") {
		return true
	}
	ids := a.of(path)
	if ids == nil || ids[fragment] {
		return true
	}
	decoded := resolve.Unescape(fragment)
	return ids[strings.ToValidUTF8(decoded, "\uFFFD")] || strings.EqualFold(decoded, "top") && ext != ".svg"
}

// of returns the names of the places in a file, nil if it cannot be read.
func (a *Anchors) of(path string) map[string]bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if ids, ok := a.pages[path]; ok {
		return ids
	}
	ids := anchorsOf(path)
	if a.pages == nil {
		a.pages = make(map[string]map[string]bool)
	}
	a.pages[path] = ids
	return ids
}

// largestPage is the largest file that is looked at.
const largestPage = 64 << 20

func anchorsOf(path string) map[string]bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > largestPage {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	r := io.Reader(bytes.NewReader(data))
	if !utf8.Valid(data) {
		if decoded, err := charset.NewReader(bytes.NewReader(data), ""); err == nil {
			r = decoded
		}
	}
	ids, z := make(map[string]bool), html.NewTokenizer(r)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ids
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			for _, attr := range t.Attr {
				if attr.Key == "id" || attr.Key == "xml:id" || attr.Key == "name" && t.Data == "a" {
					ids[attr.Val] = true
				}
			}
		}
	}
}
