package resolve

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	whatwgurl "github.com/nlnwa/whatwg-url/url"
)

// benchBase is the base that every benchmark resolves against.
const benchBase = "http://example.test/dir/page.html?x=y"

// benchRefs are the references of the pages of the corpus where that is set, else
// the list of this package, which has the same mixture of forms.
func benchRefs(b testing.TB) []string {
	if dir := os.Getenv("ABSOLINK_CORPUS"); dir != "" {
		var refs []string
		for _, row := range pageRows(b, dir) {
			refs = append(refs, row.Raw)
		}
		return refs
	}
	data, err := os.ReadFile("testdata/refs.txt")
	if err != nil {
		b.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// pageRow is a reference that Chromium has resolved.
type pageRow struct {
	Tag, Attr, Raw, Kind, Resolved, Prop string
	base, charset                        string
}

// pageRows are the rows of the page oracles that are one URL each.
func pageRows(t testing.TB, dir string) []pageRow {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "pages/*/oracle/*.jsonl.gz"))
	if len(files) < 100 {
		t.Fatalf("%d page oracles, want 100", len(files))
	}
	var rows []pageRow
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var head struct{ BaseURI, Charset string }
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, 64<<20)
		for n := 0; lines.Scan(); n++ {
			if n == 0 {
				json.Unmarshal(lines.Bytes(), &head)
				continue
			}
			row := pageRow{base: head.BaseURI, charset: head.Charset}
			if json.Unmarshal(lines.Bytes(), &row) == nil && row.Kind == "url" && !notURL[row.Attr] {
				rows = append(rows, row)
			}
		}
		f.Close()
	}
	return rows
}

// notURL are presentation attributes, whose value is a URL only in url(…).
var notURL = map[string]bool{
	"fill": true, "stroke": true, "mask": true, "clip-path": true, "filter": true,
	"marker-start": true, "marker-mid": true, "marker-end": true,
}

func size(refs []string) int64 {
	n := 0
	for _, ref := range refs {
		n += len(ref)
	}
	return int64(n)
}

func benchmarkRules(b *testing.B, o Options) {
	refs := benchRefs(b)
	base, err := NewBase(benchBase, o)
	if err != nil {
		b.Fatal(err)
	}
	list := make([][]byte, len(refs))
	for i, ref := range refs {
		list[i] = []byte(ref)
	}
	dst := make([]byte, 0, 1<<20)
	b.SetBytes(size(refs))
	b.ReportAllocs()
	for b.Loop() {
		for _, ref := range list {
			dst, _ = base.Append(dst[:0], ref)
		}
	}
	perRef(b, len(refs))
}

func perRef(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/ref")
}

func BenchmarkWHATWG(b *testing.B)   { benchmarkRules(b, Options{}) }
func BenchmarkRFC3986(b *testing.B)  { benchmarkRules(b, Options{Rules: RFC3986}) }
func BenchmarkRFC2396(b *testing.B)  { benchmarkRules(b, Options{Rules: RFC2396, Document: benchBase}) }
func BenchmarkDraft02(b *testing.B)  { benchmarkRules(b, Options{Rules: Draft02, Document: benchBase}) }
func BenchmarkDraft00e(b *testing.B) { benchmarkRules(b, Options{Rules: Draft00e}) }
func BenchmarkBare(b *testing.B)     { benchmarkRules(b, Options{Rules: RFC3986, Bare: true}) }

// BenchmarkSlow is the whole parser of the URL Standard without its fast path.
func BenchmarkSlow(b *testing.B) {
	refs := benchRefs(b)
	base, _ := NewBase(benchBase, Options{})
	dst := make([]byte, 0, 1<<20)
	b.SetBytes(size(refs))
	b.ReportAllocs()
	for b.Loop() {
		for _, ref := range refs {
			dst, _ = base.appendSlow(dst[:0], trimWeb(ref))
		}
	}
	perRef(b, len(refs))
}

func BenchmarkNetURL(b *testing.B) {
	refs := benchRefs(b)
	base, _ := url.Parse(benchBase)
	b.SetBytes(size(refs))
	b.ReportAllocs()
	for b.Loop() {
		for _, ref := range refs {
			if u, err := url.Parse(ref); err == nil {
				_ = base.ResolveReference(u).String()
			}
		}
	}
	perRef(b, len(refs))
}

func BenchmarkNlnwa(b *testing.B) {
	refs := benchRefs(b)
	base, _ := whatwgurl.Parse(benchBase)
	b.SetBytes(size(refs))
	b.ReportAllocs()
	for b.Loop() {
		for _, ref := range refs {
			if u, err := base.Parse(ref); err == nil {
				_ = u.Href(false)
			}
		}
	}
	perRef(b, len(refs))
}
