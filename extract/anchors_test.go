package extract_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/extract"
	"absolink/testdata/corpus"
)

// anchors returns the names of the places in a page.
func anchors(f extract.Format, page string) (list []string) {
	d := extract.Doc{Format: f, Data: []byte(page)}
	for name := range d.Anchors() {
		list = append(list, string(name))
	}
	return list
}

func TestAnchors(t *testing.T) {
	tests := []struct {
		name   string
		format extract.Format
		page   string
		want   string // the names with blanks between them
	}{
		{"ids and names", extract.HTML,
			"<p id=a><a name=b id='c'><img name=x><A NAME=\"d\" ID=e><b iD=f>", "a b c d e f"},
		{"other attributes", extract.HTML, "<a names=x xid=x i=x ids=x xml:lang=x><p xml:id=a name=x>", "a"},
		{"references", extract.HTML, "<p id='&eacute;&#97;'><a name=a&amp;b>", "éa a&b"},
		{"in templates and inert elements", extract.HTML, "<template><p id=a></template><head id=b>", "a b"},
		{"in text", extract.HTML,
			"<title><p id=x></title><script><p id=x></script><!--<p id=x>--><textarea><p id=x>", ""},
		{"in noscript", extract.HTML, "<noscript><p id=x></noscript><p id=a>", "a"},
		{"in svg", extract.HTML, "<svg id=a><title><g id=b /></title><a name=c>", "a b c"},
		{"the first of two ids", extract.HTML, "<p id=a id=b>", "a"},
		{"an unfinished tag", extract.HTML, "<p id=a><p id=x", "a"},
		{"empty", extract.HTML, "<p id><p id=''>", " "},
		{"XHTML", extract.XHTML, "<html xmlns='http://www.w3.org/1999/xhtml'><p id='a'/><a name='b'/></html>", "a b"},
		{"SVG", extract.SVG, "<svg xmlns='http://www.w3.org/2000/svg'><g id='a'/><a name='b'/></svg>", "a b"},
		{"windows-1252", extract.HTML, "<meta charset=latin1><p id=\xe9>", "é"},
		{"UTF-16", extract.HTML, "\xff\xfe<\x00p\x00 \x00i\x00d\x00=\x00\xe9\x00>\x00", "é"},
		{"invalid UTF-8", extract.HTML, "<meta charset=utf-8><p id=a\xff>", "a\uFFFD"},
		{"CSS", extract.CSS, "<p id=x>", ""},
		{"feed", extract.Feed, "<feed xmlns='http://www.w3.org/2005/Atom' id='x'/>", ""},
	}
	for _, tt := range tests {
		if got := strings.Join(anchors(tt.format, tt.page), " "); got != tt.want {
			t.Errorf("%s: Anchors of %q: got %q, want %q", tt.name, tt.page, got, tt.want)
		}
	}
}

// Anchors leaves a Doc ready for Refs, stops when its loop stops, and allocates nothing once the
// memory has grown.
func TestAnchorsAgain(t *testing.T) {
	d := extract.Doc{Format: extract.HTML, Data: []byte("<base href=/d/><p id=a><a name=b href=x>")}
	for range 2 {
		for name := range d.Anchors() {
			if string(name) != "a" {
				t.Errorf("first name: got %q, want a", name)
			}
			break
		}
		n := 0
		for r := range d.Refs() {
			n++
			if n == 2 && string(r.Value) != "x" {
				t.Errorf("reference %d: got %q, want x", n, r.Value)
			}
		}
		if n != 2 || d.Base() == nil {
			t.Errorf("after Anchors: got %d references and base %v, want 2 and one", n, d.Base())
		}
	}
	if n := testing.AllocsPerRun(10, func() {
		for range d.Anchors() {
		}
	}); n > 0 {
		t.Errorf("Anchors: got %v allocations, want none", n)
	}
}

// On real pages in UTF-8, the names are those of x/net's tokenizer, which takes noscript for text.
func TestAnchorsOfPages(t *testing.T) {
	pages, names := 0, 0
	for _, doc := range corpus.Documents(t, "pages/readability/html") {
		ids := make(map[string]bool)
		z := html.NewTokenizer(bytes.NewReader(doc.Data))
		for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
			if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
				continue
			}
			tag := z.Token()
			for _, a := range tag.Attr {
				if a.Key == "id" || a.Key == "xml:id" || a.Key == "name" && tag.Data == "a" {
					ids[strings.ToValidUTF8(a.Val, "\uFFFD")] = true
				}
			}
		}
		d := extract.Doc{Format: extract.HTML, Data: doc.Data}
		if d.Encoding() != "utf-8" {
			continue
		}
		got := anchors(extract.HTML, string(doc.Data))
		slices.Sort(got)
		got = slices.Compact(got)
		pages++
		names += len(got)
		for _, name := range got {
			if !ids[name] {
				t.Errorf("%s: got %q, which x/net does not have", doc.Name, name)
			}
			delete(ids, name)
		}
		for name := range ids {
			t.Errorf("%s: %q is missing", doc.Name, name)
		}
	}
	if pages < corpus.Least(100, 3) || names < corpus.Least(5000, 20) {
		t.Errorf("compared %d names of %d pages, want more", names, pages)
	}
}

// Headings of Markdown have anchors, and the caller may stop at each of them.
func TestMarkdownAnchorsStop(t *testing.T) {
	const text = "# A\n\n# A\n\n## B c\n"
	want := []string{"a", "a-1", "b-c"}
	if got := anchors(extract.Markdown, text); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for n := 1; n <= len(want); n++ {
		d := extract.Doc{Format: extract.Markdown, Data: []byte(text)}
		seen := 0
		for range d.Anchors() {
			seen++
			if seen == n {
				break
			}
		}
		if seen != n {
			t.Errorf("%d anchors, want %d", seen, n)
		}
	}
}
