//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"absolink/extract"
	"absolink/testdata/corpus"
)

// watMaker makes the members of a WAT record from a page, in the layout of Common Crawl: the lists
// of links, and the head with its base, links, scripts and metas.
type watMaker struct {
	links, link, scripts, metas []map[string]string
	base                        string
	anchors                     []map[string]string // open a elements
}

// watAttributes are the attributes of links by element, and the attributes beside them.
var watAttributes = map[string]struct{ urls, beside []string }{
	"a":      {[]string{"href"}, []string{"target", "alt", "title", "rel"}},
	"applet": {[]string{"codebase"}, nil},
	"area":   {[]string{"href"}, nil},
	"embed":  {[]string{"src"}, nil},
	"form":   {[]string{"action"}, []string{"target", "method"}},
	"frame":  {[]string{"src"}, nil},
	"iframe": {[]string{"src"}, nil},
	"img":    {[]string{"src"}, []string{"alt", "title"}},
	"input":  {[]string{"src"}, nil},
	"link":   {[]string{"href"}, []string{"rel", "type"}},
	"object": {[]string{"codebase"}, nil},
	"script": {[]string{"src"}, []string{"type"}},
}

// tag reads a start tag.
func (w *watMaker) tag(name string, attrs map[string]string, open bool) {
	if v, ok := attrs["background"]; ok {
		w.links = append(w.links, map[string]string{"path": strings.ToUpper(name) + "@/background", "url": v})
	}
	switch name {
	case "base":
		if v, ok := attrs["href"]; ok && w.base == "" {
			w.base = v
		}
		return
	case "meta":
		meta := map[string]string{}
		for _, key := range []string{"name", "rel", "content", "http-equiv", "property"} {
			if v, ok := attrs[key]; ok {
				meta[key] = v
			}
		}
		w.metas = append(w.metas, meta)
		return
	}
	row := watAttributes[name]
	for _, url := range row.urls {
		v, ok := attrs[url]
		if !ok {
			continue
		}
		link := map[string]string{"path": strings.ToUpper(name) + "@/" + url, "url": v}
		for _, key := range row.beside {
			if v, ok := attrs[key]; ok {
				link[key] = v
			}
		}
		switch {
		case name == "link":
			w.link = append(w.link, link)
		case name == "script":
			w.scripts = append(w.scripts, link)
		default:
			w.links = append(w.links, link)
		}
		if name == "a" && open {
			w.anchors = append(w.anchors, link)
		}
	}
}

// watOf returns the JSON of a WAT record about a response with a page.
func watOf(page []byte, uri string, header map[string]any) []byte {
	var w watMaker
	z := html.NewTokenizer(bytes.NewReader(page))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		token := z.Token()
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken:
			attrs := map[string]string{}
			for _, a := range token.Attr {
				if _, known := attrs[a.Key]; !known {
					attrs[a.Key] = a.Val
				}
			}
			w.tag(token.Data, attrs, kind == html.StartTagToken)
		case html.EndTagToken:
			if token.Data == "a" && len(w.anchors) > 0 {
				w.anchors = w.anchors[:len(w.anchors)-1]
			}
		case html.TextToken:
			for _, a := range w.anchors {
				a["text"] = strings.Join(strings.Fields(a["text"]+" "+token.Data), " ")
			}
		}
	}
	head := map[string]any{"Link": w.link, "Scripts": w.scripts, "Metas": w.metas}
	if w.base != "" {
		head["Base"] = w.base
	}
	response := map[string]any{"Headers": header, "HTML-Metadata": map[string]any{"Links": w.links, "Head": head}}
	wat, err := json.Marshal(map[string]any{
		"Container": map[string]any{"Filename": "x.warc.gz"},
		"Envelope": map[string]any{
			"WARC-Header-Metadata": map[string]any{"WARC-Target-URI": uri, "WARC-Type": "response"},
			"Payload-Metadata":     map[string]any{"HTTP-Response-Metadata": response}}})
	if err != nil {
		panic(err)
	}
	return wat
}

// warcRecord returns a record of a web archive.
func warcRecord(typ, uri, media string, block []byte) []byte {
	head := fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"+
		"Content-Type: %s\r\nContent-Length: %d\r\n\r\n", typ, uri, media, len(block))
	return slices.Concat([]byte(head), block, []byte("\r\n\r\n"))
}

// The links of a WAT are in the list from its WARC, with the same page, element and attribute. The
// a, img, link and script elements of the WARC are in the list from the WAT. These are the
// exceptions: a refresh in front of the BASE, which has another base in the page, since a WAT does
// not have their order; links in a srcdoc, in noscript, and in SVG; and attributes that repeat.
func TestWATOfWARC(t *testing.T) {
	var warc, wat bytes.Buffer
	pages := 0
	for _, d := range corpus.Documents(t, "html") {
		if len(d.Data) > 1<<20 || !utf8.Valid(d.Data) || extract.Detect(d.Data, "text/html") != extract.HTML {
			continue // a WAT is in UTF-8: other charsets would need another query
		}
		pages++
		uri := fmt.Sprintf("http://w.example/%d/page", pages)
		head := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n" +
			"Link: </l>; rel=next\r\nLocation: there\r\n\r\n"
		response := slices.Concat([]byte(head), d.Data)
		warc.Write(warcRecord("response", uri, "application/http; msgtype=response", response))
		header := map[string]any{"Content-Type": "text/html", "Link": "</l>; rel=next", "location": []string{"there"}}
		wat.Write(warcRecord("metadata", uri, "application/json", watOf(d.Data, uri, header)))
	}
	t.Chdir(t.TempDir())
	save(t, "a.warc", warc.Bytes())
	save(t, "a.wat", wat.Bytes())
	list := func(name string) map[string]int {
		code, out, stderr := runs(t, "", "extract", "--format", "tsv", "--fields", "page,element,attribute,uri", name)
		if code > 1 {
			t.Fatalf("%s: exit status %d: %s", name, code, stderr)
		}
		set := map[string]int{}
		for line := range strings.Lines(out) {
			set[line]++
		}
		return set
	}
	ofWARC, ofWAT := list("a.warc"), list("a.wat")
	missing := func(from, in map[string]int, wanted func(element, attribute string) bool) (all int, list []string) {
		for _, line := range slices.Sorted(maps.Keys(from)) {
			f := strings.Split(line, "\t")
			if !wanted(f[1], f[2]) {
				continue
			}
			all++
			if in[line] == 0 {
				list = append(list, line)
			}
		}
		return all, list
	}
	all, extra := missing(ofWAT, ofWARC, func(string, string) bool { return true })
	back, left := missing(ofWARC, ofWAT, func(element, attribute string) bool {
		return element == "header" || element == "a" && attribute == "href" || element == "img" && attribute == "src" ||
			element == "link" && attribute == "href" || element == "script" && attribute == "src"
	})
	most := func(own, of int) int {
		if corpus.Own() {
			return own
		}
		return of / 20
	}
	if pages == 0 || all == 0 || back == 0 || len(extra) > most(1, all) {
		t.Errorf("%d pages; %d of %d links of the WAT are not in the list of the WARC:\n%s", pages, len(extra), all,
			strings.Join(extra, ""))
	}
	if len(left) > most(12, back) {
		t.Errorf("%d of %d links of the WARC are not in the list of the WAT:\n%s", len(left), back,
			strings.Join(left, ""))
	}
}
