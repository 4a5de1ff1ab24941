package document_test

import (
	"slices"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/httpmsg"
)

// read returns the media types of the documents of a source, each with its section.
func read(t *testing.T, src *document.Source, o document.Options) (types []string) {
	t.Helper()
	var s document.Set
	if err := s.Open(src, &base.Layer{Source: base.Option, Value: "http://outer.test/"}, o); err != nil {
		t.Fatal(err)
	}
	for d := range s.All() {
		types = append(types, strings.TrimSpace(d.Section()+" "+d.Type))
	}
	return types
}

// The options decide which parts are documents.
func TestOptions(t *testing.T) {
	text := "Content-Type: multipart/mixed; boundary=b\n\n"
	for _, media := range []string{"text/html", "text/plain", "text/javascript", "text/css", "image/png",
		"application/octet-stream; name=a.html", "application/octet-stream; name=a.bin"} {
		text += "--b\nContent-Type: " + media + "\n\nx\n"
	}
	text += "--b--\n"
	message := &document.Source{Message: true, Data: []byte(text), Size: int64(len(text)), At: strings.NewReader(text)}
	const heading = " text/rfc822-headers"
	all := []string{heading[1:], "1" + heading, "1 text/html", "2" + heading, "2 text/plain", "3" + heading,
		"4" + heading, "4 text/css", "5" + heading, "6" + heading, "6 text/html", "7" + heading}
	for _, tt := range []struct {
		name string
		o    document.Options
		want []string
	}{
		{"none", document.Options{}, []string{"1 text/html", "4 text/css", "6 text/html"}},
		{"scripts", document.Options{Read: extract.Options{Scripts: true}},
			[]string{"1 text/html", "3 text/javascript", "4 text/css", "6 text/html"}},
		{"a listing", document.Options{Listing: true}, all},
		{"text", document.Options{Text: true}, all},
	} {
		if got := read(t, message, tt.o); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The options decide which bodies of responses are documents.
func TestOptionsOfResponses(t *testing.T) {
	for media, want := range map[string]struct{ none, scripts, listing string }{
		"text/html":               {"text/html", "text/html", "text/html"},
		"text/plain":              {"", "", "text/plain"},
		"text/javascript":         {"", "text/javascript", ""},
		"image/png":               {"", "", ""},
		"application/warc-fields": {"", "", "application/warc-fields"},
		"application/pdf":         {"", "", ""},
	} {
		text := "HTTP/1.1 200 OK\r\nContent-Type: " + media + "\r\n\r\nx: http://a.test/\r\n"
		for options, want := range map[*document.Options]string{
			{}: want.none, {Read: extract.Options{Scripts: true}}: want.scripts, {Listing: true}: want.listing,
		} {
			src := &document.Source{At: strings.NewReader(text), Size: int64(len(text)), Data: []byte(text)}
			src.Response = new(httpmsg.Message)
			src.Response.Reset(src.Data, httpmsg.Options{})
			got := read(t, src, *options)
			if options.Listing {
				got = got[1:] // the heading
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s with %+v: got %q, want %q", media, options, got, want)
			}
		}
	}
}

// A source in a container has its places there. If its bytes are in no file, it has none.
func TestPlaceInContainer(t *testing.T) {
	text := "Content-Type: text/html\n\n<p>\n<a href=abc>"
	at := int64(strings.Index(text, "abc"))
	for _, tt := range []struct {
		name         string
		src          document.Source
		placed       bool
		start        int64
		line, column int64
	}{
		{"by itself", document.Source{}, true, at, 4, 9},
		{"in a mailbox", document.Source{Origin: 100, LinesBefore: 6}, true, at + 100, 10, 9},
		{"on an unknown line", document.Source{Origin: 100, LinesBefore: -1}, true, at + 100, 0, 0},
		{"compressed", document.Source{Origin: 100, Compressed: true, LinesBefore: 6}, false, -1, 0, 0},
		{"in no file", document.Source{Unplaced: true}, false, -1, 0, 0},
	} {
		src := tt.src
		src.Message = true
		src.Data = []byte(text)
		src.Size = int64(len(text))
		src.At = strings.NewReader(text)
		var s document.Set
		if err := s.Open(&src, nil, document.Options{}); err != nil {
			t.Fatal(err)
		}
		n := 0
		for d := range s.All() {
			for r := range d.Refs() {
				n++
				p := d.Problem(r.Span, "kind", "detail")
				want := document.Problem{Kind: "kind", Part: d.Section(), Detail: "detail",
					Offset: tt.start, Line: tt.line, Column: tt.column}
				if d.Placed() != tt.placed || p != want {
					t.Errorf("%s: got %+v, placed %v, want %+v, %v", tt.name, p, d.Placed(), want, tt.placed)
				}
				if span := d.Source(r.Span); tt.placed && span.Len() != int64(len("abc")) {
					t.Errorf("%s: the reference is %d bytes long, want 3", tt.name, span.Len())
				}
			}
		}
		if n != 1 {
			t.Errorf("%s: got %d references, want 1", tt.name, n)
		}
	}
}

// A reference may name a part of its message. In a single document there is nothing to name.
func TestNames(t *testing.T) {
	const text = "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n" +
		"<img src=cid:p><img src=cid:none><img src=/l><img src=/other>\n" +
		"--b\nContent-Type: image/png\nContent-ID: <p>\nContent-Location: http://outer.test/l\n\npng\n--b--\n"
	want := map[string]string{"cid:p": "true false", "cid:none": "false true", "/l": "true false",
		"/other": "false false"}
	for value, got := range named(t, text, true) {
		if got != want[value] {
			t.Errorf("%s names a part, and misses one: %s, want %s", value, got, want[value])
		}
	}
	for value, got := range named(t, "<img src=cid:p><img src=x>", false) {
		if got != "false false" {
			t.Errorf("%s of a page names a part, and misses one: %s", value, got)
		}
	}
}

// named reports for each reference whether it names a part, and whether its part is missing.
func named(t *testing.T, text string, message bool) map[string]string {
	t.Helper()
	s := opened(t, text, message)
	got := make(map[string]string)
	for d := range s.All() {
		r := extract.Resolver{InMessage: func(_, _ []byte) bool { return true },
			PartName: func([]byte) bool { return true }} // of another document
		d.Prepare(&r)
		if (r.InMessage != nil) != message || r.PartName != nil && !message {
			t.Errorf("Prepare for a message %v: got %v, %v", message, r.InMessage != nil, r.PartName != nil)
		}
		for l := range r.Links(d.Doc) {
			text := "false"
			if l.Status == extract.InMessage {
				text = "true"
			}
			if d.Missing(l.Value) {
				text += " true"
			} else {
				text += " false"
			}
			got[string(l.Value)] = text
		}
	}
	return got
}

// The heading of an answer has no place in the source.
func TestProblemsOfAnswers(t *testing.T) {
	src := &document.Source{Data: []byte("<p>"), At: strings.NewReader("<p>"), Size: 3, Format: extract.HTML,
		Origin:  50,
		Answers: []document.Answer{{URL: "http://one.test/", Text: []byte("Link: <\xff>\n")}}}
	var s document.Set
	if err := s.Open(src, nil, document.Options{Listing: true}); err != nil {
		t.Fatal(err)
	}
	for d := range s.All() {
		if answer := d.Format == extract.Heading; d.Placed() == answer {
			t.Errorf("the %v is placed: %v", d.Format, d.Placed())
		}
		want := int64(50)
		if d.Format == extract.Heading {
			want = -1
		}
		if got := d.Problem(extract.Span{}, "kind", "").Offset; got != want {
			t.Errorf("the %v has a problem at %d, want %d", d.Format, got, want)
		}
	}
}

// sources returns a body as a single document, as a message, and as a response.
func sources(format extract.Format, body string) map[string]*document.Source {
	list := make(map[string]*document.Source)
	const field = "Content-Type: "
	for name, head := range map[string]string{"page": "", "message": field, "response": "HTTP/1.1 200 OK\r\n" + field} {
		text := body
		if head != "" {
			text = head + format.MediaType() + "\r\n\r\n" + body
		}
		src := &document.Source{Data: []byte(text), Size: int64(len(text)), At: strings.NewReader(text)}
		switch name {
		case "page":
			src.Format = format
		case "message":
			src.Message = true
		case "response":
			src.Response = new(httpmsg.Message)
			src.Response.Reset(src.Data, httpmsg.Options{})
		}
		list[name] = src
	}
	return list
}

// What is known of a source from outside reaches each of its documents.
func TestKnownOfSource(t *testing.T) {
	for name, src := range sources(extract.HTML, "<a href='\xe4'>") {
		src.Charset = "windows-1251"
		var s document.Set
		if err := s.Open(src, nil, document.Options{}); err != nil {
			t.Fatal(err)
		}
		for d := range s.All() {
			for r := range d.Refs() {
				if string(r.Value) != "д" {
					t.Errorf("a %s in windows-1251: got %q, want д", name, r.Value)
				}
			}
		}
	}
	for _, cut := range []bool{false, true} {
		for name, src := range sources(extract.Plain, "see http://a.test/x") {
			src.Cut = cut
			var s document.Set
			if err := s.Open(src, nil, document.Options{Listing: true}); err != nil {
				t.Fatal(err)
			}
			n := 0
			for d := range s.All() {
				for l := range new(extract.Resolver).Links(d.Doc) {
					n++
					if unclear := slices.Contains(l.Warnings, "unclear-end"); unclear != cut {
						t.Errorf("a %s that is cut, %v: %s has the warnings %q", name, cut, l.Value, l.Warnings)
					}
				}
			}
			if n != 1 {
				t.Errorf("a %s: got %d links, want 1", name, n)
			}
		}
	}
}

// The problems of a document are problems of its source, with their places.
func TestFindings(t *testing.T) {
	for name, src := range sources(extract.HTML, "<a href='\xe4'>") {
		src.Charset = "iso-2022-cn"
		var s document.Set
		if err := s.Open(src, nil, document.Options{}); err != nil {
			t.Fatal(err)
		}
		for d := range s.All() {
			for range d.Refs() {
			}
		}
		if p := s.Problems(); len(p) != 1 || p[0].Kind != extract.UnsupportedCharset || p[0].Minor {
			t.Errorf("a %s in an unsupported charset: got problems %+v, want one", name, p)
		}
	}
	const chunked = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n<a href="
	src := &document.Source{Data: []byte(chunked), Size: int64(len(chunked)), At: strings.NewReader(chunked),
		Origin: 1000}
	src.Response = new(httpmsg.Message)
	src.Response.Reset(src.Data, httpmsg.Options{})
	for _, compressed := range []bool{false, true} {
		src.Compressed = compressed
		var s document.Set
		if err := s.Open(src, nil, document.Options{}); err != nil {
			t.Fatal(err)
		}
		for range s.All() {
		}
		p := s.Problems()
		if len(p) != 1 || p[0].Kind != document.Defect || (p[0].Offset == 1000) != compressed {
			t.Errorf("a cut chunk, compressed %v: got problems %+v, want a defect with its place", compressed, p)
		}
	}
}
