package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"absolink/extract/internal/place"
)

// rowExamples has an example for each element and key in the rows of Markdown, with its reference:
// kind, element, attribute and value, and a mark if it is only listed.
var rowExamples = map[string][2]string{
	"link":                       {"[a](b)", "nav link  b"},
	"autolink":                   {"<http://a/>", "nav autolink  http://a/"},
	"definition":                 {"[a]: b", "nav definition  b"},
	"image":                      {"![a](b)", "res image  b"},
	"autolink http:":             {"a http://b.c/", "nav autolink  http://b.c/!"},
	"autolink https:":            {"a https://b.c/", "nav autolink  https://b.c/!"},
	"autolink ftp:":              {"a ftp://b.c/", "nav autolink  ftp://b.c/!"},
	"autolink www.":              {"a www.b.c", "nav autolink  http://www.b.c!"},
	"front-matter permalink":     {"permalink: /a/", "nav front-matter permalink /a/!"},
	"front-matter aliases":       {"aliases: [/a/]", "nav front-matter aliases /a/!"},
	"front-matter alias":         {"alias: /a/", "nav front-matter alias /a/!"},
	"front-matter redirectfrom":  {"redirect_from: /a/", "nav front-matter redirect_from /a/!"},
	"front-matter slug":          {"slug: /a/", "nav front-matter slug /a/!"},
	"front-matter *image":        {"og-image: a.png", "res front-matter og-image a.png"},
	"front-matter *img":          {"headerImg: a.png", "res front-matter headerimg a.png"},
	"front-matter *url":          {"canonical_url: ?a", "nav front-matter canonical_url ?a"},
	"front-matter *href":         {"x.href: a.html", "nav front-matter x.href a.html"},
	"front-matter *uri":          {"base-uri: a.html", "nav front-matter base-uri a.html"},
	"front-matter redirectto":    {"redirect_to: a.html", "nav front-matter redirect_to a.html"},
	"front-matter title, no row": {"title: a/b", ""},
}

// TestRows reads an example for each row of Markdown. The keys that have no example here are read
// as they are.
func TestRows(t *testing.T) {
	want := make(map[string]bool)
	tables := place.Tables()
	for _, r := range tables[len(tables)-2].Rows {
		words := strings.Fields(r.Attributes)
		if _, values, ok := strings.Cut(r.If, "="); ok {
			words = strings.Fields(values)
		}
		if len(words) == 0 {
			words = []string{""}
		}
		for element := range strings.FieldsSeq(r.Elements) {
			for _, w := range words {
				name := strings.TrimSpace(element + " " + w)
				want[name] = true
				if _, ok := rowExamples[name]; !ok && element == "front-matter" && w[0] != '*' {
					rowExamples[name] = [2]string{w + ": a.b", fmt.Sprintf("%v front-matter %s a.b", r.Kind, w)}
				}
			}
		}
	}
	if len(want) < 40 {
		t.Fatalf("%d elements and keys, want 40", len(want))
	}
	for name := range want {
		if _, ok := rowExamples[name]; !ok {
			t.Errorf("%s has no example", name)
		}
	}
	for name, example := range rowExamples {
		if !want[name] && !strings.HasSuffix(name, "no row") {
			t.Errorf("the example of %s has no row", name)
		}
		source := example[0]
		if strings.HasPrefix(name, "front-matter") {
			source = "---\n" + source + "\n---\n"
		}
		d := read(source)
		d.Options.Lazy = true
		var got []string
		for r := range d.Refs() {
			s := fmt.Sprint(r.Kind, " ", r.Element, " ", r.Attr, " ", string(r.Value))
			if r.ListOnly {
				s += "!"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, ", "); s != example[1] {
			t.Errorf("%s: %q has %q, want %q", name, source, s, example[1])
		}
	}
}
