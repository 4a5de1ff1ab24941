package css

import (
	"bytes"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// Starts are found exactly where the rule for single bytes finds them. The test covers all
// positions in data of different lengths, because the length decides how the bytes are searched.
func TestNextStart(t *testing.T) {
	for n := 1; n < 100; n += effort.Pick(7, 35) {
		for _, text := range []string{"rl(", "/*", "/\xff", "\xf2\xec(", `l"*`} {
			for place := range text {
				for c := range 256 {
					checkPlaces(t, n, text[:place]+string([]byte{byte(c)})+text[place+1:])
				}
			}
		}
	}
}

// checkPlaces checks the starts in n bytes that contain text at any position, among letters.
func checkPlaces(t *testing.T, n int, text string) {
	data := bytes.Repeat([]byte{'a'}, n)
	for at := 0; at+len(text) <= n; at++ {
		copy(data[at:], text)
		checkStarts(t, data)
		data[at] = 'a'
	}
}

// checkStarts compares the starts that are found in data with the rule for single bytes.
func checkStarts(t *testing.T, data []byte) {
	for i := 0; i <= len(data); i++ {
		want := i
		for want < len(data) && (strings.IndexByte(`"'\@/(`, data[want]) < 0 || !mayStartAt(data, want)) {
			want++
		}
		if got := nextStart(data, i); got != want {
			t.Fatalf("nextStart(%q, %d) = %d, want %d", data, i, got, want)
		}
		i = want
	}
}
