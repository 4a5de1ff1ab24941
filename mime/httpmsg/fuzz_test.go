package httpmsg

import (
	"bytes"
	"reflect"
	"testing"

	"absolink/base"
	"absolink/extract"
)

// For any input, the parts of a message are its bytes in their order, the body maps back to them,
// and its links can be listed. Memory that held another message gives the same result.
func FuzzParse(f *testing.F) {
	for _, msg := range []string{
		"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page,
		"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n6;x\n world\n0\nA: b\n\n",
		"HTTP/2 200\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n" + packed("gzip", page),
		"HTTP/1.1 200\nContent-Encoding: br, deflate\n\n" + packed("raw", packed("br", page)),
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n c\r\nd\r\n\r\nx",
		"ICY 200 OK\nContent-Type: multipart/related; boundary=b\n\n--b\n\n--b--\n",
		"5\r\nhello\r\n0\r\n\r\n", "<p>", "A : b\n\n",
		"HTTP/1.1 200 OK\nContent-Encoding: zstd\n\n" + packed("zstd", page),
	} {
		f.Add([]byte(msg))
	}
	outer := &base.Layer{Source: base.URL, Value: "http://example.com/a/b"}
	used := parsed([]byte("HTTP/1.1 200\nA : b\nContent-Type: a/b; charset=c\n\nx"), Options{})
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		m := parsed(data, Options{RFC2616: true, Limit: 1 << 20})
		used.Reset(data, m.opts)
		if !reflect.DeepEqual(used, m) {
			t.Fatalf("Reset(%q): got %+v, want %+v", data, used, m)
		}
		at := 0
		for _, s := range []extract.Span{m.Start, m.Head, m.Content} {
			if s.Start < at || s.End < s.Start {
				t.Fatalf("Reset(%q): start line %v, header %v, content %v are not in order",
					data, m.Start, m.Head, m.Content)
			}
			at = s.End
		}
		if at != len(data) {
			t.Fatalf("Reset(%q): content ends at %d of %d", data, at, len(data))
		}
		d := new(extract.Doc)
		m.Heading(d, outer)
		links(d)
		b, err := m.Body()
		if err != nil {
			return
		}
		mapsBack(t, b)
		links(b.Doc(outer))
		if !bytes.Equal(data, before) {
			t.Fatalf("Reset(%q): the data were changed", before)
		}
	})
}

// A chunked body gives the original bytes, wherever it was cut into chunks.
func FuzzChunked(f *testing.F) {
	f.Add([]byte(page), uint8(1))
	f.Add([]byte("0\r\n\r\n"), uint8(7))
	f.Fuzz(func(t *testing.T, data []byte, size uint8) {
		var body []byte
		for rest := data; len(rest) > 0; {
			n := min(int(size)+1, len(rest))
			body = append(body, chunk(rest[:n])...)
			rest = rest[n:]
		}
		msg := append([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), body...)
		b, err := parsed(append(msg, "0\r\n\r\n"...), Options{}).Body()
		if err != nil || !bytes.Equal(b.Data, data) || len(b.Defects) > 0 {
			t.Fatalf("Body of %q in chunks of %d: got %q, %v, %v", data, int(size)+1, b.Data, b.Defects, err)
		}
		mapsBack(t, b)
	})
}
