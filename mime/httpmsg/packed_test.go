package httpmsg

import (
	"strconv"
	"strings"
	"testing"

	"absolink/extract"
)

// A body that is a compressed file is read as the document inside, if there is one.
func TestUnpack(t *testing.T) {
	const (
		sitemap = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.example/</loc></" +
			"url></urlset>"
		text = "http://a.example/\n"
	)
	long := sitemap + strings.Repeat(" ", 2*headSize)
	tests := []struct {
		name, header, body string
		url                string // last segment
		packed             bool   // result of Packed
		format             extract.Format
		media, want        string // "" means that the body is unchanged
	}{
		{"a sitemap as gzip", "Content-Type: application/gzip", packed("gzip", sitemap),
			"sitemap.xml.gz", true, extract.Sitemap, "application/xml", sitemap},
		{"as x-gzip", "Content-Type: application/x-gzip", packed("gzip", sitemap),
			"", true, extract.Sitemap, "application/xml", sitemap},
		{"as anything", "Content-Type: application/octet-stream", packed("gzip", sitemap),
			"s", true, extract.Sitemap, "application/xml", sitemap},
		{"as anything, in zstd", "Content-Type: Binary/Octet-Stream; a=b",
			packed("zstd", sitemap), "s.zst", true, extract.Sitemap, "application/xml", sitemap},
		{"as XML", "Content-Type: text/xml", packed("gzip", sitemap),
			"sitemap.xml.gz", false, extract.Sitemap, "text/xml", sitemap},
		{"as nothing", "Server: a", packed("gzip", sitemap), "sitemap.xml.gz",
			false, extract.Sitemap, "application/xml", sitemap},
		{"as unknown", "Content-Type: unknown/unknown", packed("gzip", sitemap),
			"", false, extract.Sitemap, "application/xml", sitemap},
		{"longer than what is looked at", "Content-Type: application/gzip",
			packed("gzip", long), "", true, extract.Sitemap, "application/xml", long},
		{"a page", "Content-Type: application/octet-stream", packed("gzip", page),
			"index.html.gz", true, extract.HTML, "text/html", page},
		{"a page as HTML", "Content-Type: text/html", packed("gzip", page), "", false, extract.HTML, "text/html", page},
		{"a text by its name", "Content-Type: application/gzip", packed("gzip", text),
			"urls.txt.GZ", true, extract.Plain, "text/plain", text},
		{"a style sheet by its name", "Content-Type: application/octet-stream",
			packed("gzip", "a{}"), "a.css.gz", true, extract.CSS, "text/css", "a{}"},
		{"a text as text", "Content-Type: text/plain", packed("gzip", text),
			"urls", false, extract.Plain, "text/plain", text},
		{"a sitemap as text", "Content-Type: text/plain", packed("gzip", sitemap),
			"sitemap.gz", false, extract.Sitemap, "application/xml", sitemap},
		{"in chunks", "Content-Type: application/gzip\nTransfer-Encoding: chunked",
			chunked(packed("gzip", sitemap)), "", true, extract.Sitemap, "application/xml", sitemap},
		{"in a content coding", "Content-Type: application/gzip\nContent-Encoding: gzip",
			packed("gzip", packed("gzip", sitemap)), "", true, extract.Sitemap, "application/xml", sitemap},
		{"whose coding is called a content coding", "Content-Type: application/x-gzip\nContent-Encoding: x-gzip",
			packed("gzip", sitemap), "", true, extract.Sitemap, "application/xml", sitemap},
		{"one level", "Content-Type: application/gzip", packed("gzip", packed("gzip", sitemap)),
			"s.xml.gz.gz", true, extract.Unknown, "application/gzip", ""},
		{"a text without a telling name", "Content-Type: application/gzip",
			packed("gzip", text), "urls", true, extract.Unknown, "application/gzip", ""},
		{"JSON with markup inside", "Content-Type: application/gzip", packed("gzip", "{\"a\": \"<html><a href=x>\"}"),
			"a.json.gz", true, extract.Unknown, "application/gzip", ""},
		{"a web archive", "Content-Type: application/gzip",
			packed("gzip",
				"WARC/1.0\r\nWARC-Type: response\r\n\r\n"+
					page), "a.warc.gz", true, extract.Unknown, "application/gzip", ""},
		{"a tape archive as text", "Content-Type: text/plain", packed("gzip", "a.txt\x00\x00\x00"+text),
			"a.tar.gz", false, extract.Unknown, "text/plain", ""},
		{"a picture", "Content-Type: image/png", packed("gzip", page),
			"a.png", false, extract.Unknown, "image/png", ""},
		{"an SVG", "Content-Type: image/svg+xml", packed("gzip", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
			"a.svgz", false, extract.SVG, "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>"},
		{"gzip that is none", "Content-Type: application/gzip", page,
			"a.html.gz", false, extract.Unknown, "application/gzip", ""},
		{"a damaged file", "Content-Type: application/gzip", packed("gzip", sitemap)[:len(packed("gzip", sitemap))-8],
			"a.xml.gz", true, extract.Sitemap, "application/xml", "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parsed([]byte("HTTP/1.1 200 OK\n"+tt.header+"\n\n"+tt.body), Options{})
			b, err := m.Body()
			if err == nil {
				err = b.Unpack(tt.url)
			}
			if err != nil {
				t.Fatalf("Unpack: %v", err)
			}
			want := tt.want
			switch want {
			case "":
				want = string(b.Data)
			case "-":
				want = sitemap[:len(b.Data)]
			}
			if d := b.Doc(nil); m.Packed() != tt.packed || d.Format != tt.format ||
				b.MediaType() != tt.media || string(d.Data) != want || b.Coded != (tt.want != "") {
				t.Errorf("got packed %v, %v, media type %s, coded %v and %.100q, want %v, %v, %s, %v and %.100q",
					m.Packed(), d.Format, b.MediaType(), b.Coded, d.Data,
					tt.packed, tt.format, tt.media, tt.want != "", want)
			}
			if _, ok := b.Source(extract.Span{}); ok && tt.want != "" {
				t.Error("Source of what was unpacked: got true, want false")
			}
		})
	}
	b, err := bare(packed("gzip", long), "application/gzip", Options{Limit: headSize}).Body()
	if err == nil {
		err = b.Unpack("a.xml.gz")
	}
	if err == nil || !strings.Contains(err.Error(), "larger than the limit") {
		t.Errorf("Unpack above the limit: got error %v", err)
	}
	b, _ = bare(packed("gzip", strings.Repeat("\x00", 4*headSize)), "application/gzip", Options{Limit: headSize}).Body()
	if err := b.Unpack("a.bin.gz"); err != nil {
		t.Errorf("Unpack of what is no document above the limit: got error %v, want none", err)
	}
}

// chunked returns a body in two chunks.
func chunked(body string) string {
	return "5\r\n" + body[:5] + "\r\n" + strconv.FormatInt(int64(len(body)-5), 16) + "\r\n" + body[5:] + "\r\n0\r\n\r\n"
}
