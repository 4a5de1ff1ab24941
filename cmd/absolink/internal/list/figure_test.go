package list

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"absolink/base"
	"absolink/cmd/absolink/internal/record"
)

func TestAppendFigure(t *testing.T) {
	element := &base.Layer{Source: base.BaseElement, Value: "sub\x1b/", Part: "1.2"}
	option := &base.Layer{Source: base.Option, Value: "http://example.test/"}
	steps := []base.Step{
		{Layer: element, URI: "http://example.test/sub/", Used: true},
		{Layer: option, URI: "http://example.test/", Reason: "an inner layer gives the base"},
	}
	const want = "a.eml part 1.2\n" +
		".----------------------------------------------------.\n" +
		"| .------------------------------------------------. |\n" +
		"| | .--------------------------------------------. | |\n" +
		"| | | .----------------------------------------. | | |\n" +
		"| | | | (5.1.1 embedded in the content)        | | | |\n" +
		"| | | | * base-element of part 1.2: sub\\u001b/ | | | |\n" +
		"| | | |     = http://example.test/sub/         | | | |\n" +
		"| | | `----------------------------------------' | | |\n" +
		"| | | (5.1.2 of the encapsulating entity)        | | |\n" +
		"| | |   -                                        | | |\n" +
		"| | `--------------------------------------------' | |\n" +
		"| | (5.1.3 used to retrieve)                       | |\n" +
		"| |   option: http://example.test/                 | |\n" +
		"| |     an inner layer gives the base              | |\n" +
		"| `------------------------------------------------' |\n" +
		"| (5.1.4 default of the application)                 |\n" +
		"|   -                                                |\n" +
		"`----------------------------------------------------'\n" +
		"base: http://example.test/sub/\n\n"
	if got := string(appendFigure(nil, "a.eml part 1.2", steps, "http://example.test/sub/")); got != want {
		t.Errorf("Append:\ngot\n%s\nwant\n%s", got, want)
	}
}

// A long value is cut in the figure, so that the box stays narrow.
func TestAppendLong(t *testing.T) {
	long := "http://example.test/" + strings.Repeat("é", 180)
	option := &base.Layer{Source: base.Option, Value: long}
	relative := &base.Layer{Source: base.ContentLocation, Value: long[:len(long)-2] + "\x1bxyz", Outer: option}
	steps := []base.Step{{Layer: relative, URI: long + "12345", Reason: strings.Repeat("r", 201)},
		{Layer: option, URI: long, Used: true}}
	got := string(appendFigure(nil, "a.eml", steps, long+"/"))
	for _, want := range []string{
		"|   content-location: " + long[:len(long)-2] + `\u001b… (cut, 382 bytes in all) |`,
		"|     = " + long + "… (cut, 385 bytes in all) ",
		"|     " + strings.Repeat("r", 200) + "… (cut, 201 bytes in all) ",
		"| * option: " + long + " ",
		"\nbase: " + long + "… (cut, 381 bytes in all)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("Append: got\n%s\nwant %s in it", got, want)
		}
	}
}

// A forced base has the name of its flag.
func TestAppendForced(t *testing.T) {
	forced := &base.Layer{Source: base.Forced, Value: "http://a.test/"}
	steps := []base.Step{{Layer: forced, URI: "http://a.test/", Used: true}}
	got := string(appendFigure(nil, "a.html", steps, "http://a.test/"))
	if !strings.Contains(got, "\n* --force-base: http://a.test/\n") {
		t.Errorf("got\n%s\nwant the flag", got)
	}
}

// Without a base, the figure says how to give one. A base that is not used needs another flag.
func TestAppendNone(t *testing.T) {
	layer := &base.Layer{Source: base.BaseElement, Value: "data:,x"}
	for _, tt := range []struct {
		steps []base.Step
		want  string
	}{
		{nil, "base: none\nAdd --base https://…, the address of the page. For a directory add --root DIR=https://…, " +
			"for mail --default-base https://…\n\n"},
		{[]base.Step{{Layer: layer, Reason: "r"}}, "base: none\nAdd --force-base https://… to use another base.\n\n"},
	} {
		if got := string(appendFigure(nil, "a.html", tt.steps, "")); !strings.HasSuffix(got, "\n"+tt.want) {
			t.Errorf("of %d layers: got\n%s\nwant %q at the end", len(tt.steps), got, tt.want)
		}
	}
}

// A single line is replaced by the figure, in whatever pieces it comes. Two lines or more are
// passed on.
func TestLineOrFigure(t *testing.T) {
	figure := []byte("figure\n")
	for _, lines := range []string{"", "one\n", "\n", "one\ntwo\n", "\n\n", "one\n\n", "one\ntwo\nthree\n"} {
		for size := 1; size <= len(lines)+1; size++ {
			for _, drawn := range []bool{true, false} {
				var out strings.Builder
				s := &lineOrFigure{w: &out, figure: new(atomic.Pointer[[]byte])}
				if drawn {
					s.figure.Store(&figure)
				}
				for piece := range slices.Chunk([]byte(lines), size) {
					if n, err := s.Write(piece); n != len(piece) || err != nil {
						t.Errorf("Write of %q: got %d, %v", piece, n, err)
					}
				}
				if err := s.end(); err != nil {
					t.Error(err)
				}
				want := lines
				if strings.Count(lines, "\n") == 1 {
					want = ""
					if drawn {
						want = string(figure)
					}
				}
				if out.String() != want {
					t.Errorf("%q in pieces of %d, drawn %v: got %q, want %q", lines, size, drawn, out.String(), want)
				}
			}
		}
	}
}

// An error of the output is returned, for lines and for the figure.
func TestLineOrFigureFails(t *testing.T) {
	figure := []byte("figure\n")
	s := &lineOrFigure{w: broken{}, figure: new(atomic.Pointer[[]byte])}
	if n, err := s.Write([]byte("one\ntwo\n")); n != 0 || err == nil {
		t.Errorf("Write: got %d, %v, want an error", n, err)
	}
	if n, err := s.Write([]byte("three\n")); n != 0 || err == nil {
		t.Errorf("Write again: got %d, %v, want an error", n, err)
	}
	s = &lineOrFigure{w: broken{}, figure: new(atomic.Pointer[[]byte])}
	s.figure.Store(&figure)
	if _, err := s.Write([]byte("one\n")); err != nil {
		t.Errorf("Write of one line: got %v", err)
	}
	if err := s.end(); err == nil {
		t.Error("end: got no error")
	}
}

// A summary counts documents and messages, in whatever pieces their lines come.
func TestSummaryPieces(t *testing.T) {
	const lines = "embedded\tx\thttp://b/\ta.eml\ta.eml part 1\nembedded\tx\thttp://b/\ta.eml\ta.eml part 2\n" +
		"embedded\tx\thttp://b/\tb.eml\tb.eml part 1\nembedded\tw\thttp://b/\t\tc.html\n" +
		"none\t\t\t\td.html\n"
	const want = "documents\tmessages\tlayer\tsource\tbase\texample\n3\t2\tembedded\tx\thttp://b/\ta.eml part 1\n" +
		"1\t0\tnone\t\t\td.html\n1\t0\tembedded\tw\thttp://b/\tc.html\n"
	for size := 1; size <= len(lines); size += 3 {
		var out strings.Builder
		s := &summary{w: &out, format: record.TSV}
		for piece := range slices.Chunk([]byte(lines), size) {
			if n, err := s.Write(piece); n != len(piece) || err != nil {
				t.Errorf("Write of %q: got %d, %v", piece, n, err)
			}
		}
		if err := s.end(); err != nil || out.String() != want {
			t.Errorf("in pieces of %d: got error %v and\n%s\nwant\n%s", size, err, out.String(), want)
		}
	}
	for _, format := range []record.Format{record.Text, record.TSV} {
		if err := (&summary{w: broken{}, format: format}).end(); err == nil {
			t.Errorf("%v: the error of the output is not returned", format)
		}
	}
}

// broken is a writer that fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }
