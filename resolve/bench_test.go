package resolve

import (
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	whatwgurl "github.com/nlnwa/whatwg-url/url"

	"absolink/testdata/corpus"
)

// benchBase is the base that every benchmark resolves against.
const benchBase = "http://example.test/dir/page.html?x=y"

// benchRefs are the references of the pages of the corpus, if it is set. Otherwise they are the
// list of this package, which has the same mixture of forms.
func benchRefs(b testing.TB) []string {
	if !corpus.Own() {
		var refs []string
		for _, r := range oracleRefs(b) {
			if r.Kind == "url" && !notURL[r.Attr] {
				refs = append(refs, r.ref)
			}
		}
		return refs
	}
	data, err := os.ReadFile("testdata/refs.txt")
	if err != nil {
		b.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
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
	cpu := processorTime()
	for b.Loop() {
		for _, ref := range list {
			dst, _ = base.Append(dst[:0], ref)
		}
	}
	perRef(b, len(refs), cpu)
}

// perRef reports the time per reference, and the processor time since cpu, which is more reliable
// on a busy machine.
func perRef(b *testing.B, n int, cpu time.Duration) {
	each := float64(b.N) * float64(n)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/each, "ns/ref")
	b.ReportMetric(float64((processorTime()-cpu).Nanoseconds())/each, "cpu-ns/ref")
}

func BenchmarkWHATWG(b *testing.B)   { benchmarkRules(b, Options{}) }
func BenchmarkRFC3986(b *testing.B)  { benchmarkRules(b, Options{Rules: RFC3986}) }
func BenchmarkRFC2396(b *testing.B)  { benchmarkRules(b, Options{Rules: RFC2396, Document: benchBase}) }
func BenchmarkDraft02(b *testing.B)  { benchmarkRules(b, Options{Rules: Draft02, Document: benchBase}) }
func BenchmarkDraft00e(b *testing.B) { benchmarkRules(b, Options{Rules: Draft00e}) }
func BenchmarkBare(b *testing.B)     { benchmarkRules(b, Options{Rules: RFC3986, Bare: true}) }

// BenchmarkSlow is the whole parser of the URL Standard without its fast path.
func BenchmarkSlow(b *testing.B) {
	base, _ := NewBase(benchBase, Options{})
	dst := make([]byte, 0, 1<<20)
	benchmarkEach(b, func(ref string) { dst, _ = base.appendWeb(dst[:0], trimWeb(ref)) })
}

func BenchmarkNetURL(b *testing.B) {
	base, _ := url.Parse(benchBase)
	benchmarkEach(b, func(ref string) {
		if u, err := url.Parse(ref); err == nil {
			_ = base.ResolveReference(u).String()
		}
	})
}

func BenchmarkNlnwa(b *testing.B) {
	base, _ := whatwgurl.Parse(benchBase)
	benchmarkEach(b, func(ref string) {
		if u, err := base.Parse(ref); err == nil {
			_ = u.Href(false)
		}
	})
}

// benchmarkEach measures resolve over all references.
func benchmarkEach(b *testing.B, resolve func(ref string)) {
	refs := benchRefs(b)
	b.SetBytes(size(refs))
	b.ReportAllocs()
	cpu := processorTime()
	for b.Loop() {
		for _, ref := range refs {
			resolve(ref)
		}
	}
	perRef(b, len(refs), cpu)
}
