package extract

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"absolink/base"
)

// The names of the references in the torture documents of XML contain the expected result. The
// letter is the base, the word is the kind, and each name occurs once. A name that begins with "n-"
// is not a reference.
var (
	tortureName  = regexp.MustCompile(`\b([a-z])-([a-z]+)-([0-9]+)`)
	tortureNone  = regexp.MustCompile(`\bn-[0-9]+`)
	tortureBases = map[string]string{
		"d": "http://d.example/d/",     // the document
		"b": "http://b.example/b/",     // BASE
		"c": "http://c.example/c/",     // the link of the channel
		"i": "http://i.example/i/",     // the link of the item
		"o": "http://o.example/o/",     // codebase
		"x": "http://x.example/x/",     // xml:base
		"p": "http://d.example/d/x/",   // a relative xml:base
		"s": "http://x.example/x/sub/", // a relative xml:base in another one
		"y": "", "z": "",               // by document, below
	}
	tortureLayers = map[string]string{
		"page.xhtml y": "http://b.example/x/", "page.xhtml z": "http://b.example/x/z/",
		"image.svg y": "http://x.example/y/",
	}
)

var tortureXML = []struct {
	name   string
	format Format
	refs   int // number of references with such names
}{
	{"page.xhtml", XHTML, 46},
	{"image.svg", SVG, 22},
	{"news.rss", Feed, 29},
	{"news.atom", Feed, 16},
	{"outline.opml", OPML, 7},
	{"sitemap.xml", Sitemap, 10},
	{"search.xml", OpenSearch, 6},
	{"browserconfig.xml", XML, 11},
}

func TestTortureXML(t *testing.T) {
	for _, tt := range tortureXML {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "torture", tt.name))
		if err != nil {
			t.Fatal(err)
		}
		if got := Detect(data, ""); got != tt.format {
			t.Errorf("Detect(%s) = %v, want %v", tt.name, got, tt.format)
		}
		d := tortureDoc(data)
		found := map[string]bool{}
		var r Resolver
		for l := range r.Links(d) {
			checkTorture(t, tt.name, data, &l, found)
		}
		all := map[string]bool{}
		for _, name := range tortureName.FindAllString(string(data), -1) {
			all[name] = true
			if !found[name] {
				t.Errorf("%s: %s is not found", tt.name, name)
			}
		}
		if len(all) != tt.refs {
			t.Errorf("%s: %d references, want %d", tt.name, len(all), tt.refs)
		}
		for _, p := range d.Problems() {
			t.Errorf("%s: problem %s at %d", tt.name, p.Kind, p.Offset)
		}
		tortureRewritten(t, tt.name, data, tt.refs)
	}
}

func tortureDoc(data []byte) *Doc {
	return &Doc{Data: data, Layer: &base.Layer{Source: base.Option, Value: "http://d.example/d/page"}}
}

// checkTorture compares a link with the result in its name.
func checkTorture(t *testing.T, file string, data []byte, l *Link, found map[string]bool) {
	t.Helper()
	if bad := tortureNone.Find(l.Value); bad != nil {
		t.Errorf("%s: %s is found", file, bad)
	}
	m := tortureName.FindStringSubmatch(string(l.Value))
	if m == nil {
		return
	}
	if found[m[0]] {
		t.Errorf("%s: %s is found twice", file, m[0])
	}
	found[m[0]] = true
	want := tortureBases[m[1]]
	if want == "" {
		want = tortureLayers[file+" "+m[1]]
	}
	if l.Kind.String() != m[2] || !strings.HasPrefix(string(l.URI), want+m[0]) {
		t.Errorf("%s: %s is %s %s, want base %s", file, m[0], l.Kind, l.URI, want)
	}
	raw := string(data[l.Start:l.End])
	if !strings.Contains(raw, m[0]) && !strings.Contains(raw, "&") {
		t.Errorf("%s: %s at %q", file, m[0], raw)
	}
}

// tortureRewritten checks the rewritten document with an XML reader, and compares every byte
// outside of the edits with the document.
func tortureRewritten(t *testing.T, name string, data []byte, refs int) {
	t.Helper()
	var r Resolver
	edits := r.Edits(nil, tortureDoc(data))
	out := Apply(nil, data, edits)
	if s := sameXML(utf8XML(data), utf8XML(out), refs, "http"); s != "" {
		t.Errorf("%s: %s", name, s)
	}
	if _, ok := xmlEvents(utf8XML(data)); !ok {
		t.Errorf("%s: not well-formed by encoding/xml", name)
	}
	for l := range r.Links(tortureDoc(out)) {
		if l.Status == Resolved && !l.ListOnly {
			t.Errorf("%s: %s is relative after rewriting", name, l.Value)
		}
	}
	if again := r.Edits(nil, tortureDoc(out)); len(again) > 0 {
		t.Errorf("%s: rewriting again edits %d links, want none", name, len(again))
	}
}

// utf8XML lets encoding/xml read documents in Latin-1.
func utf8XML(data []byte) []byte {
	data = bytes.ReplaceAll(data, []byte("ISO-8859-1"), []byte("UTF-8"))
	return bytes.ReplaceAll(data, []byte("\xe9"), []byte("\u00e9"))
}
