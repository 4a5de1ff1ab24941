package extract

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"absolink/base"
)

// The oracle is what Chromium 156 saw in a document with scripting off: each URL
// attribute with its resolved value. Both sides become a multiset of lines
// "tag attribute uri"; a line that only Chromium has must be explained in a file.

// oracleRow is an attribute that Chromium saw.
type oracleRow struct {
	Tag, Attr, Raw, Kind string
	Resolved, Prop       *string
	Items, Candidates    []struct{ Resolved *string }
	URLs                 []struct{ Resolved *string }
}

// oracleLoad is a document and what Chromium made of it.
type oracleLoad struct {
	Name, URL, ContentType, BaseURI, Charset string
	RefreshEvents                            []struct{ URL string }
	Rows                                     []oracleRow
	data                                     []byte
}

// presentation are attributes whose values are CSS, not URLs.
var presentation = []string{"fill", "stroke", "clip-path", "mask", "filter", "marker-start", "marker-mid", "marker-end", "marker", "cursor"}

// lines returns what a row says, as lines of the multiset.
func (r oracleRow) lines() (lines []string) {
	add := func(uri *string) {
		if uri == nil {
			uri = new(string)
		}
		lines = append(lines, strings.ToLower(r.Tag)+" "+r.Attr+" "+*uri)
	}
	switch {
	case strings.HasPrefix(r.Attr, "data-") || slices.Contains(presentation, r.Attr):
	case r.Kind == "url" && r.Prop != nil && (r.Tag == "base" || r.Attr == "action" && r.Raw == ""):
		add(r.Prop)
	case r.Kind == "url":
		add(r.Resolved)
	case r.Kind == "list":
		for _, item := range r.Items {
			add(item.Resolved)
		}
	case r.Kind == "css", r.Kind == "sheet":
		for _, u := range r.URLs {
			add(u.Resolved)
		}
	case r.Kind == "srcset":
		for _, c := range r.Candidates {
			add(c.Resolved)
		}
	}
	return lines
}

// chromium returns the multiset of a load, and how many lines it has.
func (l *oracleLoad) chromium() map[string]int {
	set := map[string]int{}
	for _, r := range l.Rows {
		for _, line := range r.lines() {
			set[line]++
		}
	}
	for _, e := range l.RefreshEvents {
		if e.URL != l.URL {
			set["meta content "+e.URL]++
		}
	}
	return set
}

// ours returns the multiset of what the finder and the resolver make of a load.
func (l *oracleLoad) ours() map[string]int {
	set := map[string]int{}
	d := &Doc{Format: max(FormatOf(l.ContentType), HTML), Data: l.data, Layer: &base.Layer{Source: base.URL, Value: l.URL}}
	if _, params, err := mime.ParseMediaType(l.ContentType); err == nil {
		d.Charset = params["charset"]
	}
	var r Resolver
	for link := range r.Links(d) {
		set[fmt.Sprintf("%s %s %s", link.Element, link.Attr, link.URI)]++
	}
	return set
}

// difference explains why a line of Chromium's is not among ours.
type difference struct {
	Document string // its name, "*" for all
	Line     string // "tag attribute uri"; a trailing "*" is any ending
	Reason   string
	used     bool
}

func loadDifferences(t *testing.T, name string) (list []*difference) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return list
}

// explain reports whether a difference is explained.
func explain(list []*difference, doc, line string) bool {
	for _, d := range list {
		prefix, open := strings.CutSuffix(d.Line, "*")
		if (d.Document == doc || d.Document == "*") && (d.Line == line || open && strings.HasPrefix(line, prefix)) {
			d.used = true
			return d.Reason != ""
		}
	}
	return false
}

// compare holds loads against the oracle and returns how many lines were compared.
func compare(t *testing.T, loads []*oracleLoad, list []*difference) (n int) {
	t.Helper()
	for _, l := range loads {
		want, got := l.chromium(), l.ours()
		for _, line := range slices.Sorted(maps.Keys(want)) {
			n += want[line]
			if missing := want[line] - got[line]; missing > 0 && !explain(list, l.Name, line) {
				t.Errorf("%s: Chromium has %d more of %q", l.Name, missing, line)
			}
		}
	}
	for _, d := range list {
		if !d.used {
			t.Errorf("stale difference: %s %q", d.Document, d.Line)
		}
	}
	return n
}

func corpus(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("ABSOLINK_CORPUS")
	if dir == "" {
		t.Skip("ABSOLINK_CORPUS is not set: no corpus of real documents")
	}
	return dir
}

func unzip(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(z); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return b.Bytes()
}

const minPages = 130

// loadPages reads the pages of the corpus with their oracles.
func loadPages(t testing.TB) (loads []*oracleLoad) {
	t.Helper()
	dir := filepath.Join(corpus(t), "pages", "readability")
	names, _ := filepath.Glob(filepath.Join(dir, "oracle", "*.jsonl.gz"))
	if len(names) < minPages {
		t.Fatalf("%d pages below %s, want at least %d", len(names), dir, minPages)
	}
	for _, name := range names {
		l := new(oracleLoad)
		lines := bufio.NewScanner(bytes.NewReader(unzip(t, name)))
		lines.Buffer(nil, 1<<26)
		for lines.Scan() {
			if l.URL == "" {
				head := struct {
					*oracleLoad
					Rows int
				}{oracleLoad: l}
				if err := json.Unmarshal(lines.Bytes(), &head); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				continue
			}
			var r oracleRow
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			l.Rows = append(l.Rows, r)
		}
		l.Name = strings.TrimSuffix(filepath.Base(name), ".jsonl.gz")
		l.data = unzip(t, filepath.Join(dir, "html", l.Name+".html.gz"))
		loads = append(loads, l)
	}
	return loads
}

// guessed are the pages that declare no charset and are UTF-8 as a whole, where
// Chromium takes windows-1252, since it looks at the first bytes only.
var guessed = []string{"bbc-1", "breitbart", "keep-tabular-data", "nytimes-1", "nytimes-2", "ol", "quanta-1", "table-style-attributes", "telegraph", "wikipedia-4"}

func TestPagesAgainstChromium(t *testing.T) {
	loads := loadPages(t)
	n := compare(t, loads, loadDifferences(t, "pages-differences.json"))
	t.Logf("%d pages, %d lines", len(loads), n)
	for _, l := range loads {
		d := &Doc{Format: HTML, Data: l.data}
		got := d.Encoding()
		if slices.Contains(guessed, l.Name) {
			l.Charset = "utf-8"
		}
		if !strings.EqualFold(got, l.Charset) {
			t.Errorf("%s: Encoding() = %s, want %s", l.Name, got, l.Charset)
		}
	}
}

const minCases = 71

func TestCasesAgainstChromium(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpus(t), "html", "chromium-cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			oracleLoad
			Body, Body_Base64 string
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < minCases {
		t.Fatalf("%d cases, want at least %d", len(file.Cases), minCases)
	}
	var loads []*oracleLoad
	for i := range file.Cases {
		c := &file.Cases[i]
		c.data = []byte(c.Body)
		if c.Body == "" {
			c.data, err = base64.StdEncoding.DecodeString(c.Body_Base64)
			if err != nil {
				t.Fatal(err)
			}
		}
		loads = append(loads, &c.oracleLoad)
	}
	compare(t, loads, loadDifferences(t, "cases-differences.json"))
}
