package extract

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract/internal/text"
	"absolink/testdata/corpus"
)

// The oracle is the result of Chromium 156 for a document with scripting off: each URL attribute
// with its resolved value. Both sides become a multiset of lines "tag attribute uri". A file must
// explain each line that only one side has.

// oracleRow is an attribute that Chromium saw.
type oracleRow struct {
	Tag, Attr, Raw, Kind string
	MetaName, PName      string
	Resolved, Prop       *string
	Refresh              struct{ URL *string }
	Items, Candidates    []struct{ Resolved *string }
	URLs                 []struct{ Resolved *string }
}

// oracleLoad is a document and the result of Chromium for it.
type oracleLoad struct {
	Name, URL, ContentType, BaseURI, Charset string
	RefreshEvents                            []struct{ URL string }
	Rows                                     []oracleRow
	data                                     []byte
}

// presentation are attributes whose values are CSS, not URLs.
var presentation = []string{"fill", "stroke", "clip-path", "mask", "filter",
	"marker-start", "marker-mid", "marker-end", "marker", "cursor"}

// A row of these kinds, or of such an attribute, is listed whatever its value.
var (
	cssURL  = regexp.MustCompile(`url\(["']?([^"')]*)`)
	itemURI = regexp.MustCompile(`uri[0-9]*\s*=\s*([^;]*)`) // in the items of msapplication-task and -notification
)

// lines returns a row as lines of the multiset. If Chromium wrongly reads the whole attribute as a
// URL, or resolves it against another base, the line holds the written value.
func (r oracleRow) lines() (lines []string) {
	place := strings.ToLower(r.Tag) + " " + r.Attr + " "
	add := func(uri *string) {
		if uri == nil {
			uri = new(string)
		}
		lines = append(lines, place+*uri)
	}
	written := func(matches [][]string) {
		for _, m := range matches {
			lines = append(lines, place+"written "+strings.Trim(m[1], " \t\n\f\r"))
		}
	}
	switch {
	case slices.Contains(presentation, r.Attr):
		written(cssURL.FindAllStringSubmatch(r.Raw, -1))
	case r.Kind == "refresh" && r.Refresh.URL != nil:
		written([][]string{{"", *r.Refresh.URL}})
	case r.Kind == "meta" && strings.HasPrefix(r.MetaName, "msapplication-") && itemURI.MatchString(r.Raw):
		written(itemURI.FindAllStringSubmatch(r.Raw, -1))
	case (r.Kind == "meta" || r.Kind == "param") && !r.address():
	case r.Kind == "url" && r.Prop != nil && (r.Tag == "base" || r.Attr == "action" && r.Raw == ""):
		add(r.Prop)
	case r.Kind == "url", r.Kind == "meta", r.Kind == "param":
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

// otherMetas are names that publishers and programs use for addresses and that the table does not
// have.
var otherMetas = []string{
	"articleimage", "article:collection", "article:section_url",
	"autocomplete_thumbnail_url", "blogger_image", "branch:deeplink:image",
	"cover_image", "ia:markup_url", "image_url", "libe:image",
	"nyt-collection:url", "og:site_name", "sharing_url", "thumbnail_url",
}

// address reports whether a meta or param element is a reference. It must hold an address, and its
// name must not belong to a single publisher.
func (r oracleRow) address() bool {
	return (strings.Contains(r.Raw, "://") || strings.HasPrefix(r.Raw, "/")) && !slices.Contains(otherMetas, r.MetaName)
}

// chromium returns the multiset of a load by Chromium.
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

// ours returns the multiset of a load by the finder and the resolver.
func (l *oracleLoad) ours() map[string]int {
	set := map[string]int{}
	d := &Doc{Format: max(FormatOf(l.ContentType), HTML), Data: l.data,
		Options: Options{Lazy: true}, Layer: &base.Layer{Source: base.URL, Value: l.URL}}
	if _, params, err := mime.ParseMediaType(l.ContentType); err == nil {
		d.Charset = params["charset"]
	}
	var r Resolver
	for link := range r.Links(d) {
		set[fmt.Sprintf("%s %s %s", link.Element, link.Attr, link.URI)]++
		set[fmt.Sprintf("%s %s written %s", link.Element, link.Attr, text.Stripped(link.Value))]++
	}
	return set
}

// surplus returns the lines that are more often in our multiset. It considers only attributes that
// Chromium lists completely.
func (l *oracleLoad) surplus(want, got map[string]int) (lines []string) {
	whole := map[string]bool{}
	for _, r := range l.Rows {
		if (r.Kind == "url" || r.Kind == "list" || r.Kind == "srcset") && !slices.Contains(presentation, r.Attr) {
			whole[strings.ToLower(r.Tag)+" "+r.Attr] = true
		}
	}
	for _, line := range slices.Sorted(maps.Keys(got)) {
		place := placeOf(line)
		if whole[place] && got[line] > want[line] && !strings.HasPrefix(line, place+" written ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// placeOf returns the tag and the attribute of a line.
func placeOf(line string) string {
	tag, rest, _ := strings.Cut(line, " ")
	attr, _, _ := strings.Cut(rest, " ")
	return tag + " " + attr
}

// difference explains why only one side has a line.
type difference struct {
	Document string // its name, "*" for all
	Line     string // "tag attribute uri", with a "+" before one of our lines; a trailing "*" is any ending
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

// compare compares loads with the oracle and returns the number of lines that were compared.
func compare(t *testing.T, loads []*oracleLoad, list []*difference) (n int) {
	t.Helper()
	for _, l := range loads {
		want, got := l.chromium(), l.ours()
		other := map[string]int{} // by place: the explained lines of Chromium
		for _, line := range slices.Sorted(maps.Keys(want)) {
			n += want[line]
			missing := want[line] - got[line]
			switch {
			case missing <= 0:
			case explain(list, l.Name, line):
				other[placeOf(line)] += missing
			default:
				t.Errorf("%s: Chromium has %d more of %q", l.Name, missing, line)
			}
		}
		for _, line := range l.surplus(want, got) {
			surplus := got[line] - want[line]
			other[placeOf(line)] -= surplus
			if other[placeOf(line)] < 0 && !explain(list, l.Name, "+"+line) {
				t.Errorf("%s: Chromium has %d less of %q", l.Name, surplus, line)
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

// loadPages reads the pages of the corpus with their oracles.
func loadPages(t testing.TB) (loads []*oracleLoad) {
	t.Helper()
	for _, page := range corpus.Documents(t, "pages/readability/html") {
		name := corpus.Oracle(page)
		l := new(oracleLoad)
		lines := bufio.NewScanner(bytes.NewReader(corpus.Load(t, name)))
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
		l.data = page.Data
		loads = append(loads, l)
	}
	return loads
}

// guessed are the pages without a declared charset that are UTF-8 as a whole. Chromium looks only
// at the first bytes and uses windows-1252.
var guessed = []string{"old", "bbc-1", "breitbart", "keep-tabular-data", "nytimes-1",
	"nytimes-2", "ol", "quanta-1", "table-style-attributes", "telegraph", "wikipedia-4"}

func TestPagesAgainstChromium(t *testing.T) {
	loads := loadPages(t)
	differences := "pages-differences.json"
	if corpus.Own() {
		differences = "own-differences.json"
	}
	n := compare(t, loads, loadDifferences(t, differences))
	if least := corpus.Least(31_740, 900); n < least {
		t.Errorf("%d lines compared, want at least %d", n, least)
	}
	for _, name := range otherMetas {
		if corpus.Own() {
			break // names that real pages have
		}
		if !slices.ContainsFunc(loads, func(l *oracleLoad) bool {
			return slices.ContainsFunc(l.Rows, func(r oracleRow) bool { return r.MetaName == name })
		}) {
			t.Errorf("stale name of a meta element: %s", name)
		}
	}
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
	data, err := os.ReadFile(corpus.Path("html/chromium-cases.json"))
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
