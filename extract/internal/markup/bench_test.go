package markup

import (
	"bytes"
	"io"
	"testing"

	"github.com/tdewolff/parse/v2"
	lexer "github.com/tdewolff/parse/v2/html"
	"golang.org/x/net/html"

	"absolink/testdata/alloc"
)

// linkFilter wants attributes like a finder of references does.
var linkFilter = NewFilter("href", "src", "srcset", "imagesrcset", "action", "formaction", "background", "cite", "data",
	"poster", "ping", "style", "content", "http-equiv", "manifest",
	"longdesc", "usemap", "archive", "codebase", "xlink:href")

func benchPages(b *testing.B, run func(data []byte)) {
	docs := ownDocuments(b, "pages", 5)
	size := 0
	for _, doc := range docs {
		size += len(doc.Data)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, doc := range docs {
			run(doc.Data)
		}
	}
}

// The lower limit: only the search for '<'.
func BenchmarkIndexByte(b *testing.B) {
	n := 0
	benchPages(b, func(data []byte) {
		for i := bytes.IndexByte(data, '<'); i >= 0; i = bytes.IndexByte(data, '<') {
			data = data[i+1:]
			n++
		}
	})
}

// The tokens and attributes that a finder of references wants.
func BenchmarkScanner(b *testing.B) {
	s := Scanner{Filter: linkFilter, Only: Set(StartTag, RawText)}
	benchPages(b, func(data []byte) { scanAll(&s, data) })
}

// Every token with every attribute.
func BenchmarkScannerAll(b *testing.B) {
	var s Scanner
	benchPages(b, func(data []byte) { scanAll(&s, data) })
}

func scanAll(s *Scanner, data []byte) {
	s.Reset(data)
	for s.Next() != EOF {
	}
}

func BenchmarkTokenizer(b *testing.B) {
	benchPages(b, func(data []byte) {
		z := html.NewTokenizer(bytes.NewReader(data))
		for z.Next() != html.ErrorToken {
			for _, more := z.TagName(); more; {
				_, _, more = z.TagAttr()
			}
		}
		if z.Err() != io.EOF {
			b.Fatal(z.Err())
		}
	})
}

func BenchmarkTdewolff(b *testing.B) {
	benchPages(b, func(data []byte) {
		l := lexer.NewLexer(parse.NewInputBytes(data))
		for tt, _ := l.Next(); tt != lexer.ErrorToken; tt, _ = l.Next() {
		}
	})
}

func TestScannerAllocates(t *testing.T) {
	var s Scanner
	for _, doc := range ownDocuments(t, "pages", 5) {
		if n := alloc.PerRun(5, func() { scanAll(&s, doc.Data) }); n != 0 {
			t.Errorf("scan of %s allocates %v times, want 0", doc.Name, n)
		}
	}
}

func BenchmarkUnescaped(b *testing.B) {
	src := []byte("/search?q=a&amp;lang=en&amp;copy=1&page=2&amp;sort=popular#s&eacute;")
	dst := make([]byte, 0, 2*len(src))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		dst = AppendUnescaped(dst[:0], src, true)
	}
}
