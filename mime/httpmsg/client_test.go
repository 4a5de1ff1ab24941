package httpmsg_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"absolink/mime/httpmsg"
)

func TestNew(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte("<a href=z>"))
	z.Close()
	page := []byte("<a href=x>")
	html := []string{"text/html"}
	tests := []struct {
		name   string
		status int
		fields map[string][]string
		body   []byte
		want   string // links, and defects
	}{
		{"a page", 200, map[string][]string{"Content-Type": html}, page, "http://e.test/d/x"},
		{"no fields", 200, nil, page, "http://e.test/d/x"},
		{"no body", 302, map[string][]string{"Location": {"/l"}}, nil, "http://e.test/l"},
		{"a redirect with a page that looks like a response", 302, map[string][]string{"Content-Type": html},
			[]byte("HTTP/1.1 200 OK\r\n\r\n<a href=x>"), "http://e.test/d/x"},
		{"a picture", 200, map[string][]string{"Content-Type": {"image/png"}, "Link": {"<a>; rel=up, <b>; rel=next"}},
			page, "http://e.test/d/a http://e.test/d/b"},
		{"undone by the client", 200, map[string][]string{"Content-Type": html, "Transfer-Encoding": {"chunked"}},
			[]byte("5\r\nhello\r\n0\r\n\r\n<a href=x>"), "http://e.test/d/x"},
		{"gzip", 200, map[string][]string{"Content-Type": html, "Content-Encoding": {"gzip"}},
			zipped.Bytes(), "http://e.test/d/z"},
		{"an unknown coding", 200,
			map[string][]string{"Content-Type": html, "Content-Encoding": {"unheard"},
				"Link": {"<a>"}}, page, `http://e.test/d/a unknown content coding "unheard"`},
		{"a line end in a value", 200,
			map[string][]string{"Content-Type": html,
				"X": {"a\r\nLink: <evil>\r\n\r\n<a href=evil>"}}, page, "http://e.test/d/x"},
	}
	for _, tt := range tests {
		m := httpmsg.New(tt.status, tt.fields, tt.body, httpmsg.Options{})
		var got []string
		for l, err := range m.Links("http://e.test/d/p") {
			if err != nil {
				got = append(got, fmt.Sprint(err))
				continue
			}
			got = append(got, string(l.URI))
		}
		if s := strings.Join(got, " "); s != tt.want || m.Status != tt.status {
			t.Errorf("%s: got status %d and %s, want %d and %s", tt.name, m.Status, s, tt.status, tt.want)
		}
	}
}
