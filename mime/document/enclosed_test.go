package document_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
)

// lined returns s in base64 with lines of 76 characters.
func lined(s string) string {
	var b strings.Builder
	for code := base64.StdEncoding.EncodeToString([]byte(s)); code != ""; {
		n := min(len(code), 76)
		b.WriteString(code[:n] + "\n")
		code = code[n:]
	}
	return b.String()
}

// quotedPrintable returns s in quoted-printable, without long lines.
func quotedPrintable(s string) string { return strings.ReplaceAll(s, "=", "=3D") }

// enclosures lists the ways in which a message encloses another one.
var enclosures = [...]struct {
	head   string
	encode func(string) string
}{
	{"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n", lined},
	{"Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n", quotedPrintable},
	{"Content-Type: application/octet-stream; name=a.eml\nContent-Transfer-Encoding: base64\n", lined},
	{"Content-Type: application/octet-stream; name=a.mht\n", func(s string) string { return s }},
}

// Links of messages inside each other are found up to a depth, in each encoding. They lead to their
// bytes in the source. Deeper messages are reported.
func TestEnclosed(t *testing.T) {
	for _, way := range enclosures {
		text := "Content-Type: text/html\n\n<a href=\"x.html\">x</a>\n"
		for depth := 1; depth <= 10; depth++ {
			text = "Content-Type: multipart/mixed; boundary=b" +
				fmt.Sprint(depth) + "\n\n--b" + fmt.Sprint(depth) + "\n" +
				way.head + "\n" + way.encode(text) + "\n--b" + fmt.Sprint(depth) + "--\n"
			s := opened(t, text, true)
			links := 0
			for d := range s.All() {
				for r := range d.Refs() {
					links++
					span := d.Source(r.Span)
					if depth == 1 && string(r.Value) != "x.html" ||
						span.Start < int64(strings.Index(text, "\n\n--b")) ||
						span.End > int64(len(text)) || span.Len() < 6 {
						t.Errorf("%q, depth %d: value %q at %+v", way.head, depth, r.Value, span)
					}
					if line, column := d.Position(span.Start); line < 5 || column < 1 {
						t.Errorf("%q, depth %d: line %d, column %d", way.head, depth, line, column)
					}
					if want := strings.TrimSuffix(strings.Repeat("1.", depth+1), "."); d.Section() != want &&
						depth == 1 {
						t.Errorf("%q, depth %d: section %q, want %q", way.head, depth, d.Section(), want)
					}
					if reason := d.Leaf.Protected(); reason == "" {
						t.Errorf("%q, depth %d: the part may be edited", way.head, depth)
					}
				}
			}
			problems := s.Problems()
			if want := map[bool]int{true: 1, false: 0}[depth <= 8]; links != want || len(problems) != 1-want {
				t.Errorf("%q, depth %d: %d links and problems %+v, want %d links",
					way.head, depth, links, problems, want)
			}
			if len(problems) > 0 && (problems[0].Kind != document.Unread ||
				problems[0].Line == 0 || problems[0].Part == "") {
				t.Errorf("%q, depth %d: problem %+v, want one with a place", way.head, depth, problems[0])
			}
		}
	}
}

// A value in quoted-printable inside an enclosed message leads to its own bytes.
func TestEnclosedPosition(t *testing.T) {
	const text = "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\nContent-Type: text/" +
		"html\n\n<p>\n<a href=3D\"x.html\">x</a>\n"
	s := opened(t, text, true)
	for d := range s.All() {
		for r := range d.Refs() {
			span := d.Source(r.Span)
			line, column := d.Position(span.Start)
			if text[span.Start:span.End] != "x.html" || line != 7 || column != 12 {
				t.Errorf("value at %q, %d:%d, want x.html, 7:12", text[span.Start:span.End], line, column)
			}
			return
		}
	}
	t.Error("no link")
}

// A message that never had its labelled transfer encoding is read unchanged.
func TestEnclosedMislabelled(t *testing.T) {
	for _, encoding := range []string{"base64", "quoted-printable"} {
		text := "Content-Type: message/rfc822\nContent-Transfer-Encoding: " +
			encoding + "\n\nContent-Type: text/html\n\n<a href=\"x?v=20\">\n"
		var s document.Set
		src := &document.Source{Message: true, At: strings.NewReader(text), Size: int64(len(text)), Data: []byte(text)}
		if err := s.Open(src, nil, document.Options{Listing: true}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for d := range s.All() {
			for r := range d.Refs() {
				at := d.Source(r.Span)
				got = append(got, text[at.Start:at.End])
			}
		}
		if len(got) != 1 || got[0] != "x?v=20" {
			t.Errorf("%s: links at %q, want one at x?v=20", encoding, got)
		}
		list := s.Problems()
		if want := "labelled " + encoding + ", but never encoded"; len(list) != 1 ||
			list[0].Detail != want || list[0].Line != 4 {
			t.Errorf("%s: problems %+v, want %q at line 4", encoding, list, want)
		}
	}
}

// A problem of an enclosed message has a place in the source. It is minor without Listing, because
// the message is never edited.
func TestEnclosedProblems(t *testing.T) {
	broken := "Content-Type: multipart/mixed; boundary=i\n\n--i\nContent-Type: text/html\n\n<a href=x>\n"
	text := "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n" +
		"Content-Transfer-Encoding: base64\n\n" + lined(broken) + "\n--b--\n"
	for _, listing := range []bool{true, false} {
		var s document.Set
		src := &document.Source{Message: true, At: strings.NewReader(text), Size: int64(len(text)), Data: []byte(text)}
		if err := s.Open(src, nil, document.Options{Listing: listing}); err != nil {
			t.Fatal(err)
		}
		for d := range s.All() {
			for range d.Refs() {
			}
		}
		list := s.Problems()
		if len(list) != 1 || list[0].Detail != "no final boundary" ||
			list[0].Minor == listing || list[0].Part != "1" || list[0].Line < 7 {
			t.Errorf("listing %v: problems %+v, want no final boundary in part 1, minor %v", listing, list, !listing)
		}
	}
}

// A set can be opened again before all its documents were taken, even in the middle of an enclosed
// message.
func TestEnclosedAgain(t *testing.T) {
	text := "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" +
		lined("Content-Type: text/html\n\n<a href=x>")
	var s document.Set
	for range 3 {
		src := &document.Source{Message: true, At: strings.NewReader(text), Size: int64(len(text)), Data: []byte(text)}
		if err := s.Open(src, &base.Layer{Source: base.DefaultBase, Value: "http://d.example/"},
			document.Options{}); err != nil {
			t.Fatal(err)
		}
		n := 0
		for d := range s.All() {
			var r extract.Resolver
			for l := range r.Links(d.Doc) {
				n++
				if string(l.URI) != "http://d.example/x" {
					t.Errorf("link %q, want http://d.example/x", l.URI)
				}
			}
			break
		}
		if n != 1 || len(s.Problems()) > 0 {
			t.Errorf("%d links, problems %+v, want 1 link", n, s.Problems())
		}
	}
}
