package document_test

import (
	"bytes"
	"compress/gzip"
	"strconv"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/httpmsg"
)

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

// The documents of a response: their values, places and bases.
func TestResponse(t *testing.T) {
	const status = "HTTP/1.1 200 OK\r\n"
	tests := []struct {
		name, text string
		rule       bool     // RFC 2616
		want       []string // section, media type, value, bytes at its place, base
		problems   []string
	}{
		{"a page", status + "Content-Type: text/html\r\nLink: <l>\r\n\r\n<a href=x>", false,
			[]string{" text/rfc822-headers l l http://outer.test/", " text/html x x http://outer.test/"}, nil},
		{"headings that gave a base once", status + "Content-Location: /c/d\r\n\r\n<a href=x>", true,
			[]string{" text/rfc822-headers /c/d /c/d http://outer.test/", " text/html x x http://outer.test/c/d"}, nil},
		{"chunks", status +
			"Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n<a href=x\r\n3\r\nyz>\r\n0\r\n\r\n",
			false,
			[]string{" text/html xyz x\r\n3\r\nyz http://outer.test/"}, nil},
		{"a content coding",
			status + "Content-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + zipped("<a href=x>"), false,
			[]string{" text/html x - http://outer.test/"}, nil},
		{"a multipart",
			status + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n" +
				"Content-Location: /p/\r\n\r\n<a href=x>\r\n--b--\r\n", false,
			[]string{"1 text/rfc822-headers /p/ /p/ http://outer.test/", "1 text/html x x http://outer.test/p/"}, nil},
		{"a picture that is no coding",
			status + "Content-Type: image/png\r\nContent-Encoding: unheard\r\n\r\n<a href=x>", false, nil, nil},
		{"an unknown coding", status + "Content-Type: text/html\r\nContent-Encoding: unheard\r\n\r\n<a href=x>",
			false, nil,
			[]string{`71 unread-body: unknown content coding "unheard"`}},
		{"no status line", "Content-Type: text/html\r\n\r\n<a href=x>", false,
			[]string{" text/html x x http://outer.test/"}, []string{"0 defect: no status line, minor"}},
		{"no body", "HTTP/1.1 302 Found\r\nLocation: y\r\n\r\n", false,
			[]string{" text/rfc822-headers y y http://outer.test/"}, nil},
		{"nothing", "", false, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := &document.Source{At: strings.NewReader(tt.text), Size: int64(len(tt.text)), Data: []byte(tt.text)}
			src.Response = new(httpmsg.Message)
			src.Response.Reset(src.Data, httpmsg.Options{RFC2616: tt.rule})
			var s document.Set
			if err := s.Open(src, &base.Layer{Source: base.Option, Value: "http://outer.test/"},
				document.Options{Listing: true}); err != nil {
				t.Fatal(err)
			}
			if got := found(&s, tt.text); strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("All: got %q, want %q", got, tt.want)
			}
			if got := texts(s.Problems()); strings.Join(got, "\n") != strings.Join(tt.problems, "\n") {
				t.Errorf("Problems: got %q, want %q", got, tt.problems)
			}
		})
	}
}

// A document has the header fields of the answer that it came in.
func TestHTTP(t *testing.T) {
	response := new(httpmsg.Message)
	const text = "HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=b\r\nX: 1\r\nx: 2\r\n\r\n--b\r\n" +
		"Content-Type: text/html\r\nX: no\r\n\r\n<p>\r\n--b--\r\n"
	response.Reset([]byte(text), httpmsg.Options{})
	answers := []document.Answer{{Text: []byte("X: 1\r\n")}, {Text: []byte("Y: 0\r\nx:  2\r\nX: 3\r\n")}}
	const message = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + // Content-Type: text/html
		"Q29udGVudC1UeXBlOiB0ZXh0L2h0bWwKCjxwPgo=\n"
	enclosing := document.Source{Message: true, Answers: answers,
		At: strings.NewReader(message), Size: int64(len(message))}
	tests := []struct {
		name    string
		src     document.Source
		listing bool
		want    []string // of each document
	}{
		{"a file", document.Source{Format: extract.HTML, Data: []byte("<p>")}, true, []string{""}},
		{"a response", document.Source{Response: response, Data: []byte(text)}, true, []string{"1 2", "1 2", "1 2"}},
		{"answers", document.Source{Format: extract.HTML, Answers: answers}, true, []string{"1", "2 3", "2 3"}},
		{"answers that are not listed", document.Source{Format: extract.HTML, Answers: answers},
			false, []string{"2 3"}},
		{"a message in a message", enclosing, false, []string{"2 3"}},
		{"an answer without the field", document.Source{Format: extract.HTML, Answers: make([]document.Answer, 1)},
			true, []string{"", ""}},
	}
	for _, tt := range tests {
		s := new(document.Set)
		if err := s.Open(&tt.src, nil, document.Options{Listing: tt.listing}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for d := range s.All() {
			got = append(got, strings.Join(d.HTTP("X"), " "))
		}
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%s: HTTP of its documents: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// found describes the documents of the set as TestResponse writes them.
func found(s *document.Set, text string) (all []string) {
	for d := range s.All() {
		for r := range d.Refs() {
			place := "-"
			if d.Placed() {
				at := d.Source(r.Span)
				place = text[at.Start:at.End]
			}
			uri, _ := r.Layer.Base(nil)
			all = append(all, d.Section()+" "+d.Type+" "+string(r.Value)+" "+place+" "+uri)
		}
	}
	return all
}

func texts(problems []document.Problem) (all []string) {
	for _, p := range problems {
		text := strconv.FormatInt(p.Offset, 10) + " " + string(p.Kind) + ": " + p.Detail
		if p.Minor {
			text += ", minor"
		}
		all = append(all, text)
	}
	return all
}

// The address of a redirect is the base of the next response (RFC 3986 Section 5.1.3), and is
// listed.
func TestRedirects(t *testing.T) {
	const heading = " text/rfc822-headers "
	option := &base.Layer{Source: base.Option, Value: "http://e.example/old"}
	for _, c := range []struct {
		name      string
		locations []string
		outer     *base.Layer
		want      []string // the bases of the redirects and of the page
	}{
		{"relative", []string{"/d/new"}, option, []string{"http://e.example/old", "http://e.example/d/new"}},
		{"absolute, without an address", []string{"http://n.example/d/"}, nil, []string{"", "http://n.example/d/"}},
		{"relative, without an address", []string{"/d/"}, nil, []string{"", ""}},
		{"three", []string{"d/e", "//n.example/f/", "g/?h#i"}, option,
			[]string{"http://e.example/old", "http://e.example/d/e", "http://n.example/f/", "http://n.example/f/g/?h"}},
		{"no address of the web", []string{"data:text/html,x"}, option,
			[]string{"http://e.example/old", "http://e.example/old"}},
		{"not an address", []string{"http://["}, option, []string{"http://e.example/old", "http://e.example/old"}},
		{"default", []string{"/d/"}, &base.Layer{Source: base.DefaultBase, Value: "http://e.example/"},
			[]string{"http://e.example/", "http://e.example/"}},
	} {
		text := ""
		var want []string
		for i, l := range c.locations {
			text += "HTTP/1.1 301 Moved\r\nLocation: " + l + "\r\nContent-Length: 0\r\n\r\n"
			want = append(want, heading+l+" "+l+" "+c.want[i])
		}
		text += "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>"
		want = append(want, " text/html x x "+c.want[len(c.locations)])
		var m httpmsg.Message
		m.Reset([]byte(text), httpmsg.Options{})
		var s document.Set
		src := document.Source{Response: &m, Data: []byte(text), Size: int64(len(text))}
		if err := s.Open(&src, c.outer, document.Options{Listing: true}); err != nil {
			t.Fatal(err)
		}
		if got := found(&s, text); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
