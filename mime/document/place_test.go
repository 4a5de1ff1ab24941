package document_test

import (
	"bytes"
	"math/rand"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
)

// Lines and columns equal those of a count from the start. The order of the offsets, the windows
// and the place of the source do not matter.
func TestPlaceAnywhere(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	text := make([]byte, 200_000)
	for i := range text {
		text[i] = "ab\n"[r.Intn(2)]
		if r.Intn(50) == 0 || i > 70_000 && i < 70_010 {
			text[i] = '\n'
		}
	}
	for _, held := range []bool{true, false} {
		for _, before := range []int64{0, 7, -1} {
			src := &document.Source{At: bytes.NewReader(text), Size: int64(len(text)), Origin: 1000,
				LinesBefore: before}
			if held {
				src.Data = text
			}
			list := []document.Problem{{Offset: 999}, {Offset: 1000}, {Offset: 1000 + src.Size},
				{Offset: 1001 + src.Size}, {Offset: 1500, Line: 3}}
			for range 300 {
				list = append(list, document.Problem{Offset: 1000 + int64(r.Intn(len(text)))})
			}
			src.Place(list)
			for i, p := range list {
				var line, column int64
				switch at := p.Offset - 1000; {
				case i == 4:
					line = 3
				case at >= 0 && at <= src.Size && before >= 0:
					head := text[:at]
					line = before + 1 + int64(bytes.Count(head, []byte("\n")))
					column = at - int64(bytes.LastIndexByte(head, '\n'))
				}
				if p.Line != line || p.Column != column {
					t.Fatalf("held %v, %d lines before: offset %d is at %d:%d, want %d:%d",
						held, before, p.Offset, p.Line, p.Column, line, column)
				}
			}
		}
	}
}

// The headings of answers are listed, each with its own layers. A redirect has its own URL. The
// last answer has the layers around the source.
func TestAnswers(t *testing.T) {
	outer := &base.Layer{Source: base.URL, Value: "http://last.test/"}
	src := &document.Source{Data: []byte("<a href=x>"), At: strings.NewReader("<a href=x>"), Size: 10,
		Format: extract.HTML,
		Answers: []document.Answer{{URL: "http://one.test/", Text: []byte("Location: a\n")},
			{URL: "http://two.test/", Text: []byte("Location: b\n")}, {URL: "http://last.test/",
				Text: []byte("Link: <c>\n")}}}
	for _, listing := range []bool{false, true} {
		var s document.Set
		if err := s.Open(src, outer, document.Options{Listing: listing}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for d := range s.All() {
			for r := range d.Refs() {
				uri, _ := d.Layer.Base(nil)
				got = append(got, string(r.Value)+" "+uri)
			}
		}
		want := "x http://last.test/"
		if listing {
			want = "a http://one.test/, b http://two.test/, c http://last.test/, " + want
		}
		if list := strings.Join(got, ", "); list != want {
			t.Errorf("listing %v: %s, want %s", listing, list, want)
		}
	}
}

// Defects of a message are minor if they damage only copied bytes, or bytes that were left out on
// purpose.
func TestMinorDefects(t *testing.T) {
	const whole = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=x>\n"
	for _, truncated := range []bool{false, true} {
		src := &document.Source{Data: []byte(whole), At: strings.NewReader(whole), Size: int64(len(whole)),
			Message:   true,
			Truncated: truncated}
		var s document.Set
		if err := s.Open(src, nil, document.Options{}); err != nil {
			t.Fatal(err)
		}
		for range s.All() {
		}
		found := false
		for _, p := range s.Problems() {
			if p.Kind == document.Defect {
				found = true
				if p.Minor != truncated {
					t.Errorf("truncated %v: %+v", truncated, p)
				}
			}
		}
		if !found {
			t.Errorf("truncated %v: no defect of %q", truncated, whole)
		}
	}
}
