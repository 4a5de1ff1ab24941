package extract

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/base"
	"absolink/resolve"
	"absolink/testdata/alloc"
)

// benchPages are the pages written for measuring.
func benchPages(t testing.TB) (pages [][]byte, size int64) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join("..", "testdata", "pages", "*.html"))
	if len(names) < 4 {
		t.Fatalf("%d pages in testdata/pages, want at least 4", len(names))
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, data)
		size += int64(len(data))
	}
	return pages, size
}

// bench runs f over all pages and checks that it found the expected number.
func bench(b *testing.B, f func(page []byte) int) {
	pages, size := benchPages(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, p := range pages {
			n += f(p)
		}
		if n == 0 {
			b.Fatal("nothing found")
		}
	}
}

func BenchmarkIndexByte(b *testing.B) {
	bench(b, func(p []byte) (n int) {
		for {
			i := bytes.IndexByte(p, '<')
			if i < 0 {
				return n
			}
			p = p[i+1:]
			n++
		}
	})
}

func BenchmarkTokenizer(b *testing.B) {
	bench(b, func(p []byte) (n int) {
		z := html.NewTokenizer(bytes.NewReader(p))
		for {
			switch z.Next() {
			case html.ErrorToken:
				return n
			case html.StartTagToken, html.SelfClosingTagToken:
				_, more := z.TagName()
				for more {
					_, _, more = z.TagAttr()
					n++
				}
			}
		}
	})
}

func BenchmarkRefs(b *testing.B) {
	var d Doc
	bench(b, func(p []byte) (n int) {
		d.Format, d.Data = HTML, p
		for range d.Refs() {
			n++
		}
		return n
	})
}

func BenchmarkLinks(b *testing.B) {
	var r Resolver
	d := webPage("")
	bench(b, func(p []byte) (n int) {
		d.Data = p
		for range r.Links(d) {
			n++
		}
		return n
	})
}

func BenchmarkRewrite(b *testing.B) {
	var r Resolver
	var edits []Edit
	var out []byte
	d := webPage("")
	bench(b, func(p []byte) int {
		d.Data = p
		edits = r.Edits(edits[:0], d)
		out = Apply(out[:0], p, edits)
		return len(edits)
	})
}

func BenchmarkParseRender(b *testing.B) {
	var out bytes.Buffer
	bench(b, func(p []byte) int {
		n, err := html.Parse(bytes.NewReader(p))
		if err != nil {
			b.Fatal(err)
		}
		out.Reset()
		html.Render(&out, n)
		return 1
	})
}

func TestRefsAllocatesNothing(t *testing.T) {
	pages, _ := benchPages(t)
	pages = append(pages,
		[]byte(`<meta content="a&amp;b" http-equiv=x><meta name=msapplication-task content="name=a;ACTION-URI=/b;Icon-uri=/c">`+
			`<a href="?a&amp;b">c</a><a href="?d&#38;e" rel=nofollow>f</a><p style="a:url('b\63')">`))
	d := &Doc{}
	n := alloc.PerRun(10, func() {
		for _, p := range pages {
			d.Format, d.Data = HTML, p
			for range d.Refs() {
			}
		}
	})
	if n > 0 {
		t.Errorf("Refs of %d pages: %v allocations, want 0", len(pages), n)
	}
}

// BenchmarkCorpusRefs and the following benchmarks measure on real pages, if there are any.
func BenchmarkCorpusRefs(b *testing.B) {
	var d Doc
	benchCorpus(b, func(p []byte) {
		d.Format, d.Data = HTML, p
		for range d.Refs() {
		}
	})
}

func BenchmarkCorpusLinks(b *testing.B) {
	r := Resolver{Policy: base.Policy{Rules: resolve.Options{}}}
	d := webPage("")
	benchCorpus(b, func(p []byte) {
		d.Data = p
		for range r.Links(d) {
		}
	})
}

func BenchmarkCorpusTokenizer(b *testing.B) {
	benchCorpus(b, func(p []byte) {
		z := html.NewTokenizer(bytes.NewReader(p))
		for z.Next() != html.ErrorToken {
			for _, more := z.TagName(); more; {
				_, _, more = z.TagAttr()
			}
		}
	})
}

func benchCorpus(b *testing.B, f func(page []byte)) {
	loads := loadPages(b)
	var size int64
	for _, l := range loads {
		size += int64(len(l.data))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range loads {
			f(l.data)
		}
	}
}

func BenchmarkCalendar(b *testing.B) {
	event := "BEGIN:VEVENT\r\nDTSTART;TZID=Europe/Berlin:20260105T090000\r\nUID:1234@example.com\r\nURL:https://" +
		"example.com/events/1234\r\n" +
		"ATTENDEE;CN=Jane;PARTSTAT=ACCEPTED:mailto:jane@example.com\r\n" +
		"DESCRIPTION:Agenda at https://example.com/agenda\\, minutes as usual.\\nPlea\r\n se join in time\r\n" +
		"END:VEVENT\r\n"
	data := []byte(strings.Repeat(event, 200))
	benchFormat(b, Calendar, data, 600)
}
