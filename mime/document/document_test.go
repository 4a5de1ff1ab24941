package document_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/httpmsg"
)

const message = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" +
	"--b\nContent-Type: text/plain\n\n<a href=no>\n" +
	"--b\nContent-Type: text/html\nContent-Location: http://part.test/\n\n<a href=one>\n" +
	"--b\nContent-Type: text/html\nContent-Transfer-Encoding: unheard\n\n<a href=two>\n" +
	"--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj10aHJlZT4gP\n" +
	"--b--\n"

// opened returns the documents of text, a page or a message.
func opened(t *testing.T, text string, message bool) *document.Set {
	t.Helper()
	src := &document.Source{Message: message, At: strings.NewReader(text), Size: int64(len(text)), Data: []byte(text)}
	if !message {
		src.Format = extract.HTML
	}
	s := new(document.Set)
	if err := s.Open(src, &base.Layer{Source: base.Option, Value: "http://outer.test/"},
		document.Options{}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAll(t *testing.T) {
	type found struct {
		section, value, base string
		offset, line, column int64
	}
	tests := []struct {
		name     string
		text     string
		message  bool
		want     []found
		problems []string
	}{
		{"a page", "<html>\n<a href=x>", false, []found{{"", "x", "http://outer.test/", 15, 2, 9}}, nil},
		{"an empty page", "", false, nil, nil},
		{"a message", message, true,
			[]found{{"2", "one", "http://part.test/", 176, 12, 9}, {"4", "three", "http://outer.test/", 329, 22, 9}},
			[]string{`3: unread: unknown transfer encoding "unheard"`, "4: undecoded: truncated base64"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := opened(t, tt.text, tt.message)
			var got []found
			for d := range s.All() {
				for r := range d.Refs() {
					at := d.Source(r.Span).Start
					line, column := d.Position(at)
					uri, _ := r.Layer.Base(nil)
					got = append(got, found{d.Section(), string(r.Value), uri, at, line, column})
				}
			}
			if len(got) != len(tt.want) {
				t.Fatalf("All: got %+v, want %+v", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("All: reference %d: got %+v, want %+v", i, got[i], tt.want[i])
				}
			}
			var problems []string
			for _, p := range s.Problems() {
				problems = append(problems, p.Part+": "+string(p.Kind)+": "+p.Detail)
			}
			if strings.Join(problems, "\n") != strings.Join(tt.problems, "\n") {
				t.Errorf("Problems: got %q, want %q", problems, tt.problems)
			}
		})
	}
}

func TestOpenFails(t *testing.T) {
	boom := errors.New("boom")
	src := &document.Source{Message: true, At: failing{boom}, Size: 10}
	if err := new(document.Set).Open(src, nil, document.Options{}); !errors.Is(err, boom) {
		t.Errorf("Open: got error %v, want %v", err, boom)
	}
}

type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

// Line and column lead back to the offset.
func FuzzPosition(f *testing.F) {
	f.Add([]byte("a\nb\r\n\nc"), uint(3), uint(1))
	f.Add([]byte(""), uint(0), uint(9))
	f.Fuzz(func(t *testing.T, text []byte, first, second uint) {
		s := opened(t, string(text), false)
		for d := range s.All() {
			for _, offset := range []int{int(first % uint(len(text)+1)), int(second % uint(len(text)+1))} {
				line, column := d.Position(int64(offset))
				lines := bytes.SplitAfter(text, []byte("\n"))
				got := len(bytes.Join(lines[:line-1], nil)) + int(column) - 1
				if got != offset {
					t.Errorf("Position(%d) of %q: got line %d, column %d, which is offset %d",
						offset, text, line, column, got)
				}
			}
		}
	})
}

// Problems get the lines of their offsets, in whatever order they come. A problem outside the
// source gets no line.
func TestPlace(t *testing.T) {
	const text = "ab\ncd\n\nef"
	for _, tt := range []struct{ offset, line, column int64 }{{100, 7, 1}, {101, 7, 2},
		{103, 8, 1}, {106, 9, 1}, {108, 10, 2}, {109, 10, 3}, {99, 0, 0}, {110, 0, 0}, {-1, 0, 0}} {
		list := []document.Problem{{Offset: 107}, {Offset: tt.offset}, {Offset: 100}}
		(&document.Source{At: strings.NewReader(text), Size: int64(len(text)), Origin: 100, LinesBefore: 6}).Place(list)
		if got := list[1]; got.Line != tt.line || got.Column != tt.column {
			t.Errorf("Place of offset %d: got %d:%d, want %d:%d", tt.offset, got.Line, got.Column, tt.line, tt.column)
		}
		list = []document.Problem{{Offset: tt.offset}}
		(&document.Source{Data: []byte(text), Size: int64(len(text)), Origin: 100, LinesBefore: -1}).Place(list)
		if list[0].Line != 0 {
			t.Errorf("Place where lines are not known: got line %d", list[0].Line)
		}
	}
}

// A set that was opened again holds nothing of the source before.
func TestOpenAgain(t *testing.T) {
	var s document.Set
	response := &document.Source{Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: " +
		"gzip\r\n\r\n" + zipped("<a href=four>"))}
	response.Response = new(httpmsg.Message)
	response.Response.Reset(response.Data, httpmsg.Options{})
	page := &document.Source{Format: extract.HTML, Data: []byte("<a href=five>")}
	tests := []struct {
		src      *document.Source
		want     string
		problems int
	}{
		{&document.Source{Message: true, At: strings.NewReader(message),
			Size: int64(len(message)), Data: []byte(message)}, "one three", 2},
		{response, "four", 0},
		{page, "five", 0},
		{&document.Source{Message: true, At: failing{errors.New("boom")}, Size: 10}, "", 0},
		{page, "five", 0},
	}
	for i, tt := range tests {
		err := s.Open(tt.src, nil, document.Options{})
		if (err != nil) != (tt.want == "") {
			t.Fatalf("Open of source %d: got error %v", i, err)
		}
		if err != nil {
			continue
		}
		var got []string
		for d := range s.All() {
			for r := range d.Refs() {
				got = append(got, string(r.Value))
			}
		}
		if strings.Join(got, " ") != tt.want || len(s.Problems()) != tt.problems ||
			(s.Message != nil) != tt.src.Message {
			t.Errorf("source %d: got %q, %d problems and message %v, want %q and %d",
				i, got, len(s.Problems()), s.Message != nil, tt.want, tt.problems)
		}
	}
}

// A part whose label of UTF-16 or UTF-32 cannot be true is named.
func TestNarrow(t *testing.T) {
	for label, wide := range map[string]bool{"utf-16": true, "UTF_16LE": true, "unicode": true, "utf-32": true,
		"ISO-10646-UCS-2": true, "utf-8": false, "us-ascii": false, "x-utf": false} {
		for body, narrow := range map[string]bool{"<a href=x>": true, "": false, "<\x00a\x00": false,
			"\xff\xfe<": false, "caf\xe9": false} {
			for _, kind := range []string{"html", "plain"} {
				text := "Content-Type: text/" + kind + "; charset=" + label + "\n\n" + body
				var s document.Set
				src := document.Source{Message: true, Data: []byte(text), Size: int64(len(text))}
				if err := s.Open(&src, nil, document.Options{Listing: true}); err != nil {
					t.Fatal(err)
				}
				for range s.All() {
				}
				got := strings.Contains(strings.Join(texts(s.Problems()), "\n"), "but it is in ASCII")
				if got != (wide && narrow) {
					t.Errorf("%q: named %v, want %v", text, got, wide && narrow)
				}
			}
		}
	}
}
