package extract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tdewolff/parse/v2"
	lexer "github.com/tdewolff/parse/v2/css"

	"absolink/base"
	_ "absolink/extract/markdown"
)

// The torture documents that are not XML contain the expected results in the same way.
var torture = []struct {
	name   string
	format Format
	refs   int
	same   func(t *testing.T, before, after []byte) string // other changes, or ""
}{
	{"sheet.css", CSS, 46, sameSheet},
	{"text.txt", Plain, 12, sameBytes},
	{"app.webmanifest", Manifest, 19, sameJSON},
	{"bookmarks.html", Bookmarks, 4, func(t *testing.T, before, after []byte) string {
		where, _ := judge{}.changed(before, after)
		return where
	}},
	{"page.md", Markdown, 37, func(*testing.T, []byte, []byte) string {
		return "" // extract/markdown parses both
	}},
	{"heading.txt", Heading, 30, sameBytes},
	{"calendar.ics", Calendar, 28, sameBytes},
	{"card.vcf", Card, 31, sameBytes},
	{"enriched.txt", Enriched, 8, sameBytes},
	{"feed.json", JSONFeed, 25, sameJSON},
	{"sitemap.txt", URLList, 5, sameLines},
	{"_headers", HeaderRules, 15, sameLines},
	{"links.linkset", Linkset, 4, sameBytes},
	{"linkset.json", JSONLinkset, 6, sameBytes},
	{"record.json", WAT, 22, sameBytes},
}

// untortured holds the reason why a format has no row in torture or tortureXML.
var untortured = map[Format]string{
	HTML:   "constructs.html has a test of its own, TestConstructs",
	XML:    "it is read as feeds, sitemaps and outlines are, which have rows",
	Script: "its string literals are found as those of the scripts in constructs.html are",
}

// A new format must have a torture document.
func TestEveryFormatIsTortured(t *testing.T) {
	rows := map[Format]bool{}
	for _, tt := range torture {
		rows[tt.format] = true
	}
	for _, tt := range tortureXML {
		rows[tt.format] = true
	}
	for f := HTML; int(f) < len(formats); f++ {
		if !rows[f] && untortured[f] == "" {
			t.Errorf("%v: put a document of the format into testdata/torture, and its row into torture, or "+
				"tortureXML if its tags are XML", f)
		}
	}
}

func TestTorture(t *testing.T) {
	for _, tt := range torture {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "torture", tt.name))
		if err != nil {
			t.Fatal(err)
		}
		if got := Detect(data, tt.name); got != tt.format && tt.format < Heading {
			t.Errorf("Detect(%s) = %v, want %v", tt.name, got, tt.format)
		}
		found := map[string]string{}
		var r Resolver
		d := &Doc{Format: tt.format, Data: data, Layer: tortureLayer(tt.format)}
		for l := range r.Links(d) {
			tortured(t, tt.name, &l, found)
		}
		for _, name := range tortureName.FindAllString(string(data), -1) {
			if _, ok := found[name]; !ok && !strings.HasPrefix(name, "n-") {
				t.Errorf("%s: %s is not found", tt.name, name)
			}
		}
		if len(found) != tt.refs {
			t.Errorf("%s: %d references, want %d", tt.name, len(found), tt.refs)
		}
		out := Apply(nil, data, r.Edits(nil, d))
		if s := tt.same(t, data, out); s != "" {
			t.Errorf("%s: %s", tt.name, s)
		}
		for l := range r.Links(&Doc{Format: tt.format, Data: out, Layer: d.Layer}) {
			name := tortureName.FindString(string(l.Value))
			if name != "" && found[name] != string(l.URI) || l.Status == Resolved && !l.ListOnly {
				t.Errorf("%s: rewritten, %s is %s %s, was %s", tt.name, name, l.Status, l.URI, found[name])
			}
		}
	}
}

// tortureLayer is the layer around a document; a heading gives a base itself.
func tortureLayer(f Format) *base.Layer {
	l := &base.Layer{Source: base.Option, Value: "http://d.example/d/page"}
	if f != Heading {
		return l
	}
	l = &base.Layer{Source: base.ContentLocation, Value: "h-meta-01", Outer: l}
	return &base.Layer{Source: base.ContentBase, Value: "http://h.example/h/", Outer: l}
}

// tortured compares a link with the result in its name.
func tortured(t *testing.T, file string, l *Link, found map[string]string) {
	t.Helper()
	if bad := tortureNone.Find(l.Value); bad != nil && !bytes.HasPrefix(l.Value, []byte("place:")) {
		t.Errorf("%s: %s is found", file, bad)
	}
	m := tortureName.FindStringSubmatch(string(l.Value))
	if m == nil {
		return
	}
	if _, ok := found[m[0]]; ok {
		t.Errorf("%s: %s is found twice", file, m[0])
	}
	found[m[0]] = string(l.URI)
	want := map[string]string{"d": "http://d.example/d/", "h": "http://h.example/h/", "c": "http://c.example/c/",
		"i": "http://i.example/i/"}[m[1]] + m[0]
	if l.Kind.String() != m[2] || !strings.HasPrefix(string(l.URI), want) ||
		(m[2] == "identifier") != (l.Status == IdentifierRef) {
		t.Errorf("%s: %s is %s %s %s, want %s", file, m[0], l.Kind, l.Status, l.URI, want)
	}
}

// sameBytes: nothing may change.
func sameBytes(_ *testing.T, before, after []byte) string {
	if !bytes.Equal(before, after) {
		return fmt.Sprintf("%q became %q", before, after)
	}
	return ""
}

// sameLines: only the URLs are longer.
func sameLines(_ *testing.T, before, after []byte) string {
	short := strings.NewReplacer("http://d.example/d/", "", "</d/", "<", "//d.example/d/", "", "\n/d/", "\n",
		"%3Cx%3E%22", "<x>\"")
	if x, y := short.Replace(string(before)), short.Replace(string(after)); x != y {
		return fmt.Sprintf("%q became %q", x, y)
	}
	return ""
}

// sameSheet compares the tokens of two sheets: only urls and strings may differ.
func sameSheet(_ *testing.T, before, after []byte) string {
	x, y := lexed(before), lexed(after)
	for {
		a, left := x.Next()
		b, right := y.Next()
		if a != b || !bytes.Equal(left, right) && a != lexer.URLToken &&
			a != lexer.BadURLToken && a != lexer.StringToken {
			return fmt.Sprintf("token %q became %q", left, right)
		}
		if a == lexer.ErrorToken {
			return ""
		}
	}
}

// lexed returns the lexer of a sheet without escapes in its names, since the lexer does not read
// escapes in the names of functions.
func lexed(sheet []byte) *lexer.Lexer {
	plain := strings.NewReplacer(`u\72l(`, "url(", `\000075rl(`, "url(", `@im\70ort`, "@import")
	return lexer.NewLexer(parse.NewInputString(plain.Replace(string(sheet))))
}

// sameJSON compares two JSON texts in everything except their strings.
func sameJSON(t *testing.T, before, after []byte) string {
	var shapes [2]string
	for i, b := range [][]byte{before, after} {
		d := json.NewDecoder(bytes.NewReader(b))
		for {
			token, err := d.Token()
			if err != nil {
				break
			}
			if s, ok := token.(string); ok && tortureName.MatchString(s) {
				token = tortureName.FindString(s)
			}
			shapes[i] += fmt.Sprintf("%v ", token)
		}
		if !json.Valid(b) {
			t.Errorf("%q is no JSON", b)
		}
	}
	if shapes[0] != shapes[1] {
		return fmt.Sprintf("%s became %s", shapes[0], shapes[1])
	}
	return ""
}
