package extract

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"absolink/testdata/alloc"
)

// benchFeed is a feed of a hundred items, benchMap a sitemap of a thousand pages.
var (
	benchFeed = []byte(`<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><link>http://c.example/</link>` +
		strings.Repeat(`<item><title>A title of some words</title><link>http://c.example/2026/11/a-title</link><description><![CDATA[<p>Words and <a href="/more">more</a> words <img src="i.png" alt=""></p>]]></description>`+
			`<content:encoded>&lt;p&gt;Words and &lt;a href=&quot;/more&quot;&gt;more&lt;/a&gt; words.&lt;/p&gt;</content:encoded><pubDate>Fri, 20 Nov 2026 12:00:00 GMT</pubDate></item>`, 100) + `</channel></rss>`)
	benchMap = []byte(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
		strings.Repeat(`<url><loc>http://c.example/a?b=1&amp;c=2</loc><lastmod>2026-11-20</lastmod></url>`,
			1000) + `</urlset>`)
)

func BenchmarkXML(b *testing.B) {
	for _, tt := range []struct {
		name string
		data []byte
	}{{"feed", benchFeed}, {"sitemap", benchMap}} {
		b.Run(tt.name, func(b *testing.B) {
			d := &Doc{Format: Feed, Data: tt.data}
			b.SetBytes(int64(len(tt.data)))
			b.ReportAllocs()
			for b.Loop() {
				d.find()
			}
		})
		b.Run(tt.name+"/encoding-xml", func(b *testing.B) {
			b.SetBytes(int64(len(tt.data)))
			b.ReportAllocs()
			for b.Loop() {
				z := xml.NewDecoder(strings.NewReader(string(tt.data)))
				for {
					if _, err := z.RawToken(); err == io.EOF {
						break
					}
				}
			}
		})
	}
}

func TestXMLAllocatesNothing(t *testing.T) {
	for name, data := range map[string][]byte{"feed": benchFeed, "sitemap": benchMap} {
		d := &Doc{Format: Feed, Data: data}
		if n := alloc.PerRun(10, d.find); n > 0 {
			t.Errorf("%s: %v allocations per document, want 0", name, n)
		}
	}
}
