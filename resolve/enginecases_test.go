package resolve

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"absolink/testdata/corpus"
)

// The cases for the engines are every reference of the corpus' pages, the standard's own cases, and
// generated references.

// oracleRow is a row of a page oracle: an attribute or a style sheet with the result of Chromium.
// The first row describes the page.
type oracleRow struct {
	BaseURI, Charset, Kind, Tag, Attr string
	Raw, Resolved                     *string
	Items, URLs                       []struct {
		URL      string
		Resolved *string
	}
	Refresh struct{ URL string }
}

// oracleRef is a reference in a row. resolved is nil if the oracle has no result.
type oracleRef struct {
	*oracleRow
	base, charset string
	ref           string
	resolved      *string
}

// notURL are presentation attributes, whose value is a URL only in url(…).
var notURL = map[string]bool{
	"fill": true, "stroke": true, "mask": true, "clip-path": true, "filter": true,
	"marker-start": true, "marker-mid": true, "marker-end": true,
}

// refs are the references of a row: the value of the attribute, items of lists, candidates of
// srcset, URLs of style sheets and refreshes.
func (r *oracleRow) refs(page *oracleRow) []oracleRef {
	var refs []oracleRef
	add := func(ref string, resolved *string) {
		refs = append(refs, oracleRef{r, page.BaseURI, page.Charset, ref, resolved})
	}
	if r.Raw != nil {
		add(*r.Raw, r.Resolved)
	}
	for _, item := range append(r.Items, r.URLs...) {
		add(item.URL, item.Resolved)
	}
	if r.Refresh.URL != "" {
		add(r.Refresh.URL, nil)
	}
	return refs
}

// oracleRefs are all references of the page oracles.
func oracleRefs(t testing.TB) []oracleRef {
	t.Helper()
	files, _ := filepath.Glob(corpus.Path("pages/*/oracle/*.jsonl.gz"))
	if least := corpus.Least(100, 5); len(files) < least {
		t.Fatalf("%d page oracles, want %d", len(files), least)
	}
	var refs []oracleRef
	for _, name := range files {
		var page *oracleRow
		eachLine(t, name, func(n int, line []byte) {
			row := new(oracleRow)
			if err := json.Unmarshal(line, row); err != nil {
				t.Fatalf("%s, line %d: %v", name, n+1, err)
			}
			if n == 0 {
				page = row
				return
			}
			refs = append(refs, row.refs(page)...)
		})
	}
	return refs
}

// pageCases are the distinct references with their bases.
func pageCases(t *testing.T) []webCase {
	t.Helper()
	seen := map[webCase]bool{}
	var cases []webCase
	for _, r := range oracleRefs(t) {
		if c := (webCase{r.base, r.ref}); !seen[c] {
			seen[c] = true
			cases = append(cases, c)
		}
	}
	if least := corpus.Least(20_000, 500); len(cases) < least {
		t.Fatalf("%d references, want %d", len(cases), least)
	}
	return cases
}

// eachLine reads a compressed file.
func eachLine(t testing.TB, name string, f func(n int, line []byte)) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for n := 0; lines.Scan(); n++ {
		f(n, lines.Bytes())
	}
	if lines.Err() != nil {
		t.Fatalf("%s: %v", name, lines.Err())
	}
}

// suiteCases are the cases of the standard's test data.
func suiteCases(t *testing.T) []webCase {
	t.Helper()
	var suite struct {
		Cases []struct{ Base, Ref *string }
	}
	load(t, corpus.Path("whatwg/urltestdata.dev.json"), &suite)
	var cases []webCase
	for _, c := range suite.Cases {
		if c.Base == nil {
			c.Base = new(string)
		}
		cases = append(cases, webCase{*c.Base, *c.Ref})
	}
	return cases
}

// characterCases are all characters that idna may map, in a label of Latin letters and in a label
// of Hebrew letters, except private characters and most ideographs.
func characterCases() []webCase {
	var cases []webCase
	for r := rune(0x80); r < 0xE0200; r++ {
		switch {
		case r == 0x3400 || r == 0x4E00 || r == 0xAC00 || r == 0x17000:
			r += 0x1800
		case r == 0xD800:
			r = 0xF900
		case r == 0x20000:
			r = 0x2F800
		case r == 0x2FA20:
			r = 0xE0000
		}
		cases = append(cases, webCase{"", "https://a" + string(r) + "b/"},
			webCase{"", "https://\u05d0" + string(r) + "\u05d0/"})
	}
	return cases
}

// generatedCases are n references, the same in every run: the shapes of this package's lists cut
// and joined, and hosts of all scripts.
func generatedCases(n int) []webCase {
	g := generator{rand.New(rand.NewPCG(1738, 2396))}
	cases := make([]webCase, n)
	for i := range cases {
		switch i % 3 {
		case 0:
			cases[i] = webCase{"", "http://" + g.host() + "/"}
		case 1:
			cases[i] = webCase{g.one(generatedBases), g.one(generatedSchemes) + g.authority() + g.ref()}
		default:
			cases[i] = webCase{g.one(generatedBases), g.ref()}
		}
	}
	return cases
}

// generator generates references.
type generator struct{ *rand.Rand }

var (
	generatedBases = []string{
		"http://a/b/c/d;p?q", "http://a", "https://user:pw@h.example:8080/x/y/?q#f", "ftp://h/a//b/../c",
		"file:///C:/dir/file", "file:///x", "file://host/x", "mailto:a@b.example",
		"foo:a/b", "foo:/a/b", "f:/.//a/b", "foo://h", "foo://h?q", "http://a/..//../x",
		"data:text/plain,x", "zz:/../x/y", "ws://h/x?y#z", "file://good.example/C:/x",
		"http:\\\\evil.example", "http:evil.example", "http://good.example@evil.example/", "http://evil。example/",
		"http://evil.example%2f@good.example", "x:/.//evil.example", "foo://good.example/x",
	}
	generatedSchemes = []string{"http:", "https:", "ftp:", "file:",
		"ws:", "foo:", "HTTP:", "", "", "javascript:", "blob:", "x+1:"}
	generatedPieces = []string{
		"/", "//", "\\", "?", "#", ":", "@", ";", ".", "..", "%2e", "%2E", "%", "%zz",
		"%41", "%00", "%0a", "[", "]", "|", "^", "`", "'", "\"", "<", ">", "{", "}", "~",
		" ", "\t", "\n", "\x01", "\x7f", "é", "\u00a0", "\u2028", "\ufffd", "\U0001F600", "a", "b",
		"C", "0", "1", "x y", "&", "=", "+", "*", "(", ")", "!", "$", ",", "_", "-", "C:", "c|",
	}
	generatedHosts = []string{
		"a", "b.c", "xn--", "xn--a", "xn--ls8h", "XN--Mgba", "1", "0x1", "09", "0", "256", "4294967296",
		"127.1", ".", "..", "-", "_", "%", "%41", "%e9", "%C3%A9", "%00", "*", "localhost",
		"[::1]", "[::1", "[1:2::3]", "[::1.2.3.4]", "[::1%25a]", "[0:0:0:1:0:0:0:0]", "é", "ß", "ẞ", "İ",
		"ſ", "\u200d", "\u200c", "\u00ad", "\u3002", "．", "０", "א", "ع", "١", "ก", "中", "क्\u200dष",
		"\u0301", "\u0488", "ﷺ", "℡", "①", "\u2135", "\ufe0f", "\U0001F468\u200d\U0001F469", "\U0001E900", "Ⅷ", "½",
		"a\u0308", "\ufffd", "\ud7ff", "\U0010FFFD", "!", "$", "&",
		"'", "(", ",", ";", "=", "`", "{", "~", "|", "^", "\"", "+",
	}
)

func (g generator) one(list []string) string { return list[g.IntN(len(list))] }

// ref is a listed reference, or pieces, or both.
func (g generator) ref() string {
	s := ""
	if g.IntN(2) == 0 {
		s = g.one(fastRefs)
		if cut := g.IntN(len(s) + 1); g.IntN(2) == 0 && utf8.ValidString(s[:cut]) {
			s = s[:cut]
		}
	}
	for range g.IntN(6) {
		s += g.one(generatedPieces)
	}
	return strings.ToValidUTF8(s, "?")
}

// authority is a host between slashes, a user and a port.
func (g generator) authority() string {
	s := g.one([]string{"//", "//", "//", "/", "\\\\", "///", ""})
	if g.IntN(4) == 0 {
		s += g.ref() + "@"
	}
	s += g.host()
	if g.IntN(4) == 0 {
		s += g.one([]string{":", ":80", ":443", ":0", ":00081", ":65535", ":65536", ":x", ":8 0"})
	}
	return s
}

// host is up to three labels of listed and random characters.
func (g generator) host() string {
	var labels []string
	for range 1 + g.IntN(3) {
		label := ""
		for range 1 + g.IntN(4) {
			if g.IntN(2) == 0 {
				label += g.one(generatedHosts)
			} else {
				label += string(g.rune())
			}
		}
		labels = append(labels, label)
	}
	return strings.Join(labels, ".")
}

// rune is any code point but a surrogate, most often from the basic plane.
func (g generator) rune() rune {
	top := []rune{0x80, 0x800, 0x3000, 0x10000, 0x20000, 0x110000}[g.IntN(6)]
	for {
		if r := g.Int32N(top); utf8.ValidRune(r) {
			return r
		}
	}
}
