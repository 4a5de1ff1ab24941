package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"absolink/extract"
)

func TestFrontMatter(t *testing.T) {
	const yaml = "---\ntitle: http://no.example/\nurl: a.html # b\nimage: \"/c.png\"\ncover_image: 'd.png'\n" +
		"images:\n  - e.png\n  - \"f.png\"\nlinks: [g/h, \"i/j\"]\npermalink: /k/\nnested:\n  og_image: l/m.png\n" +
		"text: |\n  http://no.example/\nlayout: no/no\ndraft: true\nlogo: none\n---\n[n](o)\n"
	const toml = "+++\ntitle = \"http://no.example/\"\nimage = \"a.png\"\n[params]\nsource_url = 'b/c'\n+++\n[d](e)\n"
	for _, tt := range []struct {
		name, source, want, lazy string
	}{
		{"yaml", yaml, "link o", "url nav a.html, image res /c.png, cover_image res d.png, images res e.png, " +
			"images res f.png, links nav g/h, links nav i/j, permalink nav /k/!, og_image res l/m.png, link o"},
		{"toml", toml, "link e", "image res a.png, source_url nav b/c, link e"},
		{"a list of URLs",
			"---\nimages:\n  - https://a.test/b.png\n  - 'http://c.test/d'\n  - /e.png\nurl:f/g\n---\n", "",
			"images res https://a.test/b.png, images res http://c.test/d, images res /e.png"},
		{"delimiters", "---\nurl: http://a.test/@b?c=%20&d!\nimage: \"*c.png\"\nhref: &x/y\nlogo: a/*.png\n---\n", "",
			"url nav http://a.test/@b?c=%20&d!"},
		{"another end", "---\nurl: a/b\n...\n[c](d)\n", "link d", "url nav a/b, link d"},
		{"CRLF", "---\r\nurl: a/b\r\n---\r\n[c](d)\r\n", "link d", "url nav a/b, link d"},
		{"a comment first", "---\n# a\n\nurl: a/b\n---\n[c](d)\n", "link d", "url nav a/b, link d"},
		{"thematic breaks", "---\n[a](b)\n---\n[c](d)\n", "link b, link d", "link b, link d"},
		{"not at the beginning", "\n---\nurl: [a](b)\n---\n", "link b", "link b"},
		{"without an end", "---\nurl: [a](b)\n", "link b open-front-matter", "link b open-front-matter"},
	} {
		for lazy, want := range map[bool]string{false: tt.want, true: tt.lazy} {
			d := read(tt.source)
			d.Options.Lazy = lazy
			var got []string
			for r := range d.Refs() {
				s := "link " + string(r.Value)
				if r.Element == "front-matter" {
					s = fmt.Sprint(r.Attr, " ", r.Kind, " ", string(r.Value))
				}
				if r.ListOnly {
					s += "!"
				}
				got = append(got, s)
			}
			s := strings.Join(got, ", ")
			for _, p := range d.Problems() {
				s += " " + string(p.Kind)
			}
			if s != want {
				t.Errorf("%s, lazy %v: got %q, want %q", tt.name, lazy, s, want)
			}
		}
	}
}

func TestFrontMatterEdits(t *testing.T) {
	for _, tt := range []struct{ source, uri, want string }{
		{"url: a.html # b", "http://c/?d#e", "url: http://c/?d#e # b"},
		{"url: 'a.html'", "http://c/", "url: 'http://c/'"},
		{"url: \"a.html\"", "http://c/,[", "url: \"http://c/,[\""},
		{"links: [a/b, c/d]", "http://c/", "links: [http://c/, c/d]"},
		{"url: a.html", "http://c:", ""},
		{"url: a.html", "#c", ""},
		{"url: 'a.html'", "http://c/'", ""},
		{"url: \"a.html\"", "http://c/\\", ""},
		{"links: [a/b]", "http://c/,", ""},
	} {
		d := read("---\n" + tt.source + "\n---\n")
		d.Options.Lazy = true
		for r := range d.Refs() {
			if got := r.Holds([]byte(tt.uri)); got != (tt.want != "") {
				t.Errorf("%s holds %s: %v", tt.source, tt.uri, got)
			}
			out := string(extract.Apply(nil, d.Data, []extract.Edit{r.Edit([]byte(tt.uri))}))
			if want := "---\n" + tt.want + "\n---\n"; tt.want != "" && out != want {
				t.Errorf("%q became %q, want %q", tt.source, out, want)
			}
			break
		}
	}
}
