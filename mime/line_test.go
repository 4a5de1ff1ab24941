package mime_test

import (
	"math"
	"strings"
	"testing"

	"absolink/extract"
	"absolink/mime"
)

// Line gives the line around each offset, and its limit in each encoding.
func TestLine(t *testing.T) {
	long := strings.Repeat("x", 1200)
	for _, test := range []struct {
		encoding, body string
		at             int
		line           string
		limit          int
	}{
		{"7bit", "ab\ncd\n", 0, "ab", 998},
		{"7bit", "ab\ncd\n", 2, "ab", 998},
		{"8bit", "ab\r\ncd\r\n", 4, "cd", 998},
		{"8bit", "ab\r\ncd", 5, "cd", 998},
		{"8bit", "a\n\nb", 2, "", 998},
		{"7bit", "a\n" + long + "\nb", 700, long, 1200},
		{"binary", "ab\n" + long, 5, long, math.MaxInt},
		{"base64", "YWIKY2Q=", 3, "cd", math.MaxInt},
		{"quoted-printable", "ab=\nab\ncd\n", 6, "cd", math.MaxInt},
	} {
		text := "Content-Type: text/plain\nContent-Transfer-Encoding: " + test.encoding + "\n\n" + test.body
		m, err := mime.Parse(strings.NewReader(text), int64(len(text)), mime.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := m.Root.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		span, limit := leaf.Line(test.at)
		if got := string(leaf.Data[span.Start:span.End]); got != test.line || limit != test.limit {
			t.Errorf("%s %.20q: Line(%d) = %.20q, %d, want %.20q, %d",
				test.encoding, test.body, test.at, got, limit, test.line, test.limit)
		}
		if span == (extract.Span{}) && test.line != "" {
			t.Errorf("%s: an empty span", test.encoding)
		}
	}
}
