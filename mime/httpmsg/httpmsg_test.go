package httpmsg

import (
	"fmt"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime"
)

// parsed returns the message in data.
func parsed(data []byte, o Options) *Message {
	m := &Message{Header: Header{fields: []field{}}} // empty, like reused memory
	m.Reset(data, o)
	return m
}

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// defects writes defects as one line.
func defects(list []mime.Defect) string {
	var all []string
	for _, d := range list {
		all = append(all, fmt.Sprintf("%d %s", d.Offset, d.Text))
	}
	return strings.Join(all, "; ")
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, data    string
		status        int
		head, content string
		defects       string
	}{
		{"plain", "HTTP/1.1 200 OK\nA: b\n\nbody", 200, "A: b\n", "body", ""},
		{"no header fields", "HTTP/1.1 200 OK\n\nbody", 200, "", "body", ""},
		{"no reason", "HTTP/1.1 404\nA: b\n\nbody", 404, "A: b\n", "body", ""},
		{"HTTP/2", "HTTP/2 200\nA: b\n\nbody", 200, "A: b\n", "body", ""},
		{"no version", "HTTP 200 OK\nA: b\n\nbody", 200, "A: b\n", "body", ""},
		{"lower case", "http/1.1 200 ok\nA: b\n\nbody", 200, "A: b\n", "body", ""},
		{"SHOUTcast", "ICY 200 OK\nA: b\n\nbody", 200, "A: b\n", "body", ""},
		{"no code", "HTTP/1.0\nA: b\n\nbody", 0, "A: b\n", "body", ""},
		{"odd code", "HTTP/1.1 2000 OK\nA: b\n\nbody", 0, "A: b\n", "body", ""},
		{"no status line", "A: b\n\nbody", 0, "A: b\n", "body", "0 no status line"},
		{"a body alone", "<html>\n\nbody", 0, "", "<html>\n\nbody", "0 no status line"},
		{"text that begins so", "HTTP is simple\n", 0, "", "HTTP is simple\n", "0 no status line"},
		{"empty", "", 0, "", "", ""},
		{"blank lines before", "\n\nHTTP/1.1 200 OK\nA: b\n\nbody", 200, "A: b\n", "body", ""},
		{"folded", "HTTP/1.1 200 OK\nA: b\n  c\n\nbody", 200, "A: b\n  c\n", "body", ""},
		{"fold first", "HTTP/1.1 200 OK\n b: c\nA: b\n\nbody", 200,
			" b: c\nA: b\n", "body", "header line without a field name"},
		{"line without colon", "HTTP/1.1 200 OK\nwhat\nA: b\n\nbody", 200,
			"what\nA: b\n", "body", "header line without a field name"},
		{"no name", "HTTP/1.1 200 OK\n: x\nA: b\n\nbody", 200,
			": x\nA: b\n", "body", "header line without a field name"},
		{"blank before colon", "HTTP/1.1 200 OK\nA : b\n\nbody", 200, "A : b\n", "body", "blank before the colon of A"},
		{"no blank line before markup", "HTTP/1.1 200 OK\nA: b\n<html>\n\nx: y",
			200, "A: b\n", "<html>\n\nx: y", "no blank line after the header"},
		{"no blank line before text", "HTTP/1.1 200 OK\nA: b\nsome text",
			200, "A: b\n", "some text", "no blank line after the header"},
		{"cut in the header", "HTTP/1.1 200 OK\nA: b\nCont", 200, "A: b\n", "Cont", "no blank line after the header"},
		{"cut after a field", "HTTP/1.1 200 OK\nA: b", 200, "A: b", "", "no blank line after the header"},
		{"interim", "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\nA: b\n\nbody", 200,
			"A: b\n", "body", "0 a response before the last one, passed over"},
		{"proxy", "HTTP/1.0 200 Connection established\n\nHTTP/1.1 200 OK\nA: b\n\nbody",
			200, "A: b\n", "body", "0 a response before the last one, passed over"},
		{"redirect", "HTTP/1.1 301 Moved\nContent-Length: 9\nLocation: /\n\nHTTP/1.1 200 OK\nA: b\n\nbody",
			200, "A: b\n", "body", `0 a redirect to "/", the address of the next response`},
		{"a redirect without an address", "HTTP/1.1 304 X\nA: c\n\nHTTP/1.1 200 OK\nA: b\n\nbody",
			200, "A: b\n", "body", "0 a response before the last one, passed over"},
		{"a page that shows a response", "HTTP/1.1 200 OK\nContent-Type: text/plain\n\nHTTP/1.1 200 OK\n",
			200, "Content-Type: text/plain\n", "HTTP/1.1 200 OK\n", ""},
	}
	for _, tt := range tests {
		for _, end := range []func(string) string{func(s string) string { return s }, crlf} {
			m := parsed([]byte(end(tt.data)), Options{})
			got, content := end(tt.data)[m.Head.Start:m.Head.End], end(tt.data)[m.Content.Start:m.Content.End]
			if m.Status != tt.status || got != end(tt.head) || content != end(tt.content) {
				t.Errorf("%s: Parse: got %d, header %q, content %q, want %d, %q, %q",
					tt.name, m.Status, got, content, tt.status, end(tt.head), end(tt.content))
			}
			if got := defects(m.Defects); !strings.HasSuffix(got, tt.defects) || got != "" && tt.defects == "" {
				t.Errorf("%s: Parse: got defects %q, want %q", tt.name, got, tt.defects)
			}
		}
	}
}

// All redirects before the response are kept, up to the limit of the defects.
func TestRedirects(t *testing.T) {
	for _, n := range []int{0, 1, 2, maxDefects, maxDefects + 1} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "HTTP/2 302\r\nX\r\nLocation: /%d\r\n\r\n", i)
		}
		m := parsed([]byte(b.String()+"HTTP/2 200\r\nA: b\r\n\r\nbody"), Options{})
		if len(m.redirects) != n || len(m.Defects) != min(n, maxDefects) || m.Status != 200 {
			t.Errorf("after %d redirects: got %d redirects, %d defects, status %d",
				n, len(m.redirects), len(m.Defects), m.Status)
		}
		i := 0
		for span, location := range m.Redirects() {
			want := fmt.Sprintf("/%d", i)
			head := b.String()[span.Start:span.End]
			if location != want || head != "X\r\nLocation: "+want+"\r\n" {
				t.Errorf("redirect %d: got %q to %q, want one to %q", i, head, location, want)
			}
			i++
		}
	}
}

func TestParseRequest(t *testing.T) {
	m := parsed([]byte("GET /a b HTTP/1.1\r\nHost: example.com\r\n\r\n"), Options{})
	if host, n := m.Get("host"); m.Method != "GET" || m.Target != "/a b" ||
		m.Status != 0 || host != "example.com" || n != 1 {
		t.Errorf("Parse: got method %q, target %q, status %d, host %q (%d)", m.Method, m.Target, m.Status, host, n)
	}
}

// A header block ends at its limit, and takes linear time.
func TestLongHeader(t *testing.T) {
	const lines = maxHeader/5 + 1000
	m := parsed([]byte("HTTP/1.1 200 OK\n"+strings.Repeat("A: b\n", lines)), Options{})
	if n := m.Head.End - m.Head.Start; n > maxHeader ||
		n < maxHeader-5 || len(m.data)-m.Content.Start != 5*lines-n {
		t.Errorf("Parse of a header without an end: got %d bytes of header, %d of content",
			n, len(m.data)-m.Content.Start)
	}
}

func TestValues(t *testing.T) {
	m := parsed([]byte("HTTP/1.1 200 OK\r\nA : one\r\n\t two \r\na:\r\nAB: no\r\nA\r\n\r\n"), Options{})
	if got := fmt.Sprintf("%q", m.joined("A")); got != `"one\t two, "` {
		t.Errorf("list(A): got %s, want %q", got, "one\t two, ")
	}
	if v, n := m.Get("a"); v != "one\t two" || n != 2 {
		t.Errorf("Get(a): got %q, %d, want %q, 2", v, n, "one\t two")
	}
}

func TestBody(t *testing.T) {
	chunked := "5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\n\r\n"
	tests := []struct{ name, header, content, want, defects string }{
		{"plain", "", "hello", "hello", ""},
		{"length", "Content-Length: 5\n", "hello", "hello", ""},
		{"length twice", "Content-Length: 5, 5\n", "hello", "hello", ""},
		{"length too small", "Content-Length: 4\n", "hello", "hello", ""},
		{"length too large", "Content-Length: 6\n", "hello", "hello", "0 Content-Length is 6, the body has 5 bytes"},
		{"length of nothing", "Content-Length: 6\n", "", "", ""},
		{"length that is none", "Content-Length: five\n", "hello", "hello", `0 Content-Length "five" is not a number`},
		{"another response", "Content-Length: 5\n", "helloHTTP/1.1 200 OK\r\n\r\nmore",
			"hello", "5 another response follows, not read"},
		{"chunked", "Transfer-Encoding: chunked\n", chunked, "hello world", ""},
		{"chunked and length", "Transfer-Encoding: Chunked\nContent-Length: 11\n", chunked, "hello world", ""},
		{"chunked, LF", "Transfer-Encoding: chunked\n", strings.ReplaceAll(chunked, "\r", ""), "hello world", ""},
		{"padded sizes", "Transfer-Encoding: chunked\n", "5   \r\nhello\r\n0\r\n\r\n", "hello", ""},
		{"capital digits", "Transfer-Encoding: chunked\n", "A\r\n0123456789\r\n0\r\n\r\n", "0123456789", ""},
		{"trailer", "Transfer-Encoding: chunked\n", "5\r\nhello\r\n0\r\nA: b\r\n\r\n", "hello", ""},
		{"no chunks", "Transfer-Encoding: chunked\n", "0\r\n\r\n", "", ""},
		{"no blank line at the end", "Transfer-Encoding: chunked\n", "5\r\nhello\r\n0\r\n", "hello", ""},
		{"no last chunk", "Transfer-Encoding: chunked\n", "5\r\nhello\r\n", "hello", "10 chunked: no last chunk"},
		{"cut in a chunk", "Transfer-Encoding: chunked\n", "ff\r\nhello",
			"hello", "9 chunked: chunk of 255 bytes cut short"},
		{"chunked, but joined", "Transfer-Encoding: chunked\n",
			"<p>hello", "<p>hello", "0 chunked declared, the body is not"},
		{"joined, begins like a size", "Transfer-Encoding: chunked\n",
			"add me", "add me", "0 chunked declared, the body is not"},
		{"bad size", "Transfer-Encoding: chunked\n", "5\r\nhello\r\nxyz\r\n more\r\n",
			"helloxyz\r\n more\r\n", "10 chunked: no chunk size"},
		{"chunk longer than its size", "Transfer-Encoding: chunked\n", "4\r\nhello\r\n0\r\n\r\n",
			"hello" + "\r\n0\r\n\r\n", "7 chunked: no line end after a chunk of 4 bytes"},
		{"size past all bounds", "Transfer-Encoding: chunked\n", "fffffffffffffffff\r\nhello",
			"fffffffffffffffff\r\nhello", "0 chunked declared, the body is not"},
		{"junk after the last chunk", "Transfer-Encoding: chunked\n",
			chunked + "junk", "hello world", "32 4 bytes after the last chunk"},
		{"not declared", "", chunked, "hello world", "0 chunked, which is not declared"},
		{"not declared, wrong length", "Content-Length: 11\n", chunked,
			"hello world", "0 chunked, which is not declared"},
		{"text of that look", "Content-Length: 32\n", chunked, chunked, ""},
		{"not declared, damaged", "", chunked + "x", chunked + "x", ""},
		{"gzip", "Content-Encoding: gzip\n", packed("gzip", page), page, ""},
		{"gzip in chunks", "Content-Encoding: gzip\nTransfer-Encoding: chunked\n",
			inChunks(packed("gzip", page)), page, ""},
		{"gzip as transfer coding", "Transfer-Encoding: gzip, chunked\n", inChunks(packed("gzip", page)), page, ""},
		{"coded twice", "Content-Encoding: br\nContent-Encoding: gzip\n", packed("gzip", packed("br", page)), page, ""},
		{"no longer coded", "Content-Encoding: gzip\n", page, page, "0 gzip declared, the body is not encoded"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			msg := "HTTP/1.1 200 OK\n" + tt.header + "\n"
			b, err := parsed([]byte(msg+tt.content), Options{}).Body()
			if err != nil {
				t.Fatalf("Body: %v", err)
			}
			for i := range b.Defects {
				b.Defects[i].Offset -= int64(len(msg))
			}
			if string(b.Data) != tt.want || defects(b.Defects) != tt.defects {
				t.Errorf("Body: got %q, %q, want %q, %q", b.Data, defects(b.Defects), tt.want, tt.defects)
			}
			mapsBack(t, b)
		})
	}
}

func inChunks(s string) string {
	return chunk([]byte(s[:1])) + chunk([]byte(s[1:])) + "0\r\n\r\n"
}

func chunk(b []byte) string { return fmt.Sprintf("%x\r\n%s\r\n", len(b), b) }

// mapsBack compares every byte of a body that Source finds with the message.
func mapsBack(t *testing.T, b *Body) {
	t.Helper()
	for i := range b.Data {
		s, ok := b.Source(extract.Span{Start: i, End: i + 1})
		if ok == b.Coded {
			t.Fatalf("Source: got %v for a body with Coded %v", ok, b.Coded)
		}
		if ok && (s.End != s.Start+1 || b.Message.data[s.Start] != b.Data[i]) {
			t.Fatalf("Source of byte %d %q: got %v in %q", i, b.Data[i], s, b.Message.data)
		}
	}
}

func TestBodyRefuses(t *testing.T) {
	tests := []struct{ name, msg, want string }{
		{"too long", "HTTP/1.1 200 OK\n\nhello world", "body of 11 bytes, the limit is 10"},
		{"too long decoded", "HTTP/1.1 200 OK\nContent-Encoding: gzip\n\n" + packed("gzip", page),
			"gzip: decoded body larger than the limit of 10 bytes"},
		{"unknown coding", "HTTP/1.1 200 OK\nContent-Encoding: compress\n\nhello", `unknown content coding "compress"`},
	}
	for _, tt := range tests {
		if b, err := parsed([]byte(tt.msg), Options{Limit: 10}).Body(); b != nil ||
			err == nil || err.Error() != tt.want {
			t.Errorf("%s: Body: got %v, %v, want %s", tt.name, b, err, tt.want)
		}
	}
	if _, err := bare("hello world", "", Options{Limit: 10}).Body(); err == nil ||
		err.Error() != "body of 11 bytes, the limit is 10" {
		t.Errorf("Bare: Body: got %v", err)
	}
}

func TestDoc(t *testing.T) {
	tests := []struct {
		name, header, body string
		format             extract.Format
		charset            string
	}{
		{"html", "Content-Type: text/html; charset=UTF-8\n", page, extract.HTML, "UTF-8"},
		{"quoted charset", "Content-Type: Text/HTML;Charset=\"utf\\-8\" ; a=b\n", page, extract.HTML, "utf-8"},
		{"first charset", "Content-Type: text/html; charset=a; charset=b\n", page, extract.HTML, "a"},
		{"quoted semicolon", "Content-Type: text/html; a=\"; charset=x\"; charset=y\n", page, extract.HTML, "y"},
		{"parameter without a value", "Content-Type: text/html; level; charset=y\n", page, extract.HTML, "y"},
		{"last field", "Content-Type: text/plain\nContent-Type: text/html\n", page, extract.HTML, ""},
		{"same type again", "Content-Type: text/html; charset=a\nContent-Type: text/html\n", page, extract.HTML, "a"},
		{"other type", "Content-Type: text/plain; charset=a\nContent-Type: text/html\n", page, extract.HTML, ""},
		{"unreadable field last", "Content-Type: text/html\nContent-Type: html\n", page, extract.HTML, ""},
		{"picture", "Content-Type: image/png\n", page, extract.Unknown, ""},
		{"absent", "", page, extract.HTML, ""},
		{"absent, text", "", "see http://example.com/\n", extract.Plain, ""},
		{"absent, binary", "", "\x00\x01\x02", extract.Unknown, ""},
		{"absent, nothing", "", "", extract.Unknown, ""},
		{"absent, feed", "", "<?xml version='1.0'?><rss><channel/></rss>", extract.Feed, ""},
		{"absent, nosniff", "X-Content-Type-Options: nosniff\n", page, extract.Plain, ""},
		{"unknown", "Content-Type: unknown/unknown\n", page, extract.HTML, ""},
		{"any", "Content-Type: */*\n", page, extract.HTML, ""},
		{"unreadable", "Content-Type: html\n", page, extract.HTML, ""},
		{"text that is html", "Content-Type: text/plain\n", page, extract.Plain, ""},
		{"text that is binary", "Content-Type: text/plain\n", "\x89PNG\r\n\x1a\n\x00", extract.Unknown, ""},
		{"text with the last control of the first row", "Content-Type: text/plain\n", "a\x08", extract.Unknown, ""},
		{"text with a vertical tab", "Content-Type: text/plain\n", "a\x0b", extract.Unknown, ""},
		{"text with shift out", "Content-Type: text/plain\n", "a\x0e", extract.Unknown, ""},
		{"text with substitute", "Content-Type: text/plain\n", "a\x1a", extract.Unknown, ""},
		{"text with a file separator", "Content-Type: text/plain\n", "a\x1c", extract.Unknown, ""},
		{"text with a unit separator", "Content-Type: text/plain\n", "a\x1f", extract.Unknown, ""},
		{"text with tab, line ends and escape", "Content-Type: text/plain\n", "a\t\n\f\r\x1b ", extract.Plain, ""},
		{"text in UTF-16", "Content-Type: text/plain\n", "\xff\xfea\x00", extract.Plain, ""},
		{"feed as html", "Content-Type: text/html\n", "<?xml version='1.0'?><rss><channel/></rss>", extract.Feed, ""},
		{"picture as html", "Content-Type: text/html\n", "<svg xmlns='http://www.w3.org/2000/svg'/>", extract.HTML, ""},
		{"xml that is a sitemap", "Content-Type: application/xml\n",
			"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>", extract.Sitemap, ""},
		{"style sheet", "Content-Type: text/css\n", "a{}", extract.CSS, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := parsed([]byte("HTTP/1.1 200 OK\n"+tt.header+"\n"+tt.body), Options{}).Body()
			if err != nil {
				t.Fatalf("Body: %v", err)
			}
			if d := b.Doc(nil); d.Format != tt.format || d.Charset != tt.charset || string(d.Data) != tt.body {
				t.Errorf("Doc: got %v, charset %q, want %v, %q", d.Format, d.Charset, tt.format, tt.charset)
			}
		})
	}
	if b, err := bare(page, "text/html;charset=a", Options{}).Body(); err != nil ||
		b.Doc(nil).Format != extract.HTML || b.Doc(nil).Charset != "a" {
		t.Errorf("Bare: got %v, %v, want a page in charset a", b, err)
	}
}

// Only a document that has lost bytes is cut. Minor defects leave it whole.
func TestCut(t *testing.T) {
	for _, tt := range []struct {
		header, body string
		cut          bool
	}{
		{"", page, false},
		{"Content-Encoding: gzip\n", page, false}, // already decoded
		{"Content-Encoding: gzip\n", packed("gzip", page) + "stray", false},
		{"Transfer-Encoding: chunked\n", page, false},
		{"Transfer-Encoding: chunked\n", "3\r\n<p>\r\n0\r\n\r\nstray", false},
		{"", "3\r\n<p>\r\n0\r\n\r\n", false},
		{"Content-Length: 9999\n", page, true},
		{"Transfer-Encoding: chunked\n", "9\r\n<p>", true},
		{"Content-Encoding: gzip\n", packed("gzip", page)[:20], true},
		// a minor defect and another one
		{"Transfer-Encoding: chunked\nContent-Encoding: gzip\n", "9\r\n<p>", true},
	} {
		b, err := parsed([]byte("HTTP/1.1 200 OK\n"+tt.header+"\n"+tt.body), Options{}).Body()
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Doc(nil).Cut; got != tt.cut {
			t.Errorf("Cut of %q, %q: got %v with the defects %v", tt.header, tt.body, got, b.Defects)
		}
	}
}

// Content-Location gives a base only by the old rule (RFC 2616 Section 14.14).
func TestLayer(t *testing.T) {
	outer := &base.Layer{Source: base.URL, Value: "http://a/b/c"}
	header := "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Location: d/e\n%s\n"
	tests := []struct {
		name, fields string
		rule         bool
		want         string
	}{
		{"now", "", false, "http://a/b/x"},
		{"Content-Location", "", true, "http://a/b/d/x"},
		{"Content-Base", "Content-Base: http://f/\n", true, "http://f/x"},
		{"Content-Base now", "Content-Base: http://f/\n", false, "http://a/b/x"},
	}
	for _, tt := range tests {
		m := parsed([]byte(fmt.Sprintf(header, tt.fields)+"<a href=x>"), Options{RFC2616: tt.rule})
		b, err := m.Body()
		if err != nil {
			t.Fatalf("%s: Body: %v", tt.name, err)
		}
		if got := links(b.Doc(outer)); got != "x "+tt.want {
			t.Errorf("%s: links: got %q, want %q", tt.name, got, "x "+tt.want)
		}
	}
}

// links lists the links of a document: value and URI.
func links(d *extract.Doc) string {
	var r extract.Resolver
	var all []string
	for l := range r.Links(d) {
		all = append(all, fmt.Sprintf("%s %s", l.Value, l.URI))
	}
	return strings.Join(all, "\n")
}

func TestHeading(t *testing.T) {
	msg := crlf("HTTP/1.1 301 Moved\nLocation: /next\nLink: <style.css>; rel=preload,\n <p2>; rel=next\nRefresh: 0; " +
		"url=r\nContent-Location: c/\n\n<a href=x>")
	m := parsed([]byte(msg), Options{})
	d := new(extract.Doc)
	m.Heading(d, &base.Layer{Source: base.URL, Value: "http://a/b/"})
	want := "/next http://a/next\nstyle.css http://a/b/style.css\np2 http://a/b/p2\nr http://a/b/r\nc/ http://a/b/c/"
	if got := links(d); got != want {
		t.Errorf("links of the heading:\n%s\nwant\n%s", got, want)
	}
	for r := range d.Refs() {
		if got := msg[m.Head.Start+r.Start : m.Head.Start+r.End]; got != string(r.Value) {
			t.Errorf("reference %q stands at %q", r.Value, got)
		}
	}
}

// bare returns a message that is only a body.
func bare(body, mediaType string, o Options) *Message {
	m := &Message{Header: Header{fields: []field{}}} // empty, like reused memory
	m.ResetBare([]byte(body), mediaType, o)
	return m
}
