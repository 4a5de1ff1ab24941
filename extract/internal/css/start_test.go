package css

import (
	"bytes"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

// Whatever bytes stand beside each other, at every place of data of lengths that differ
// in how they are looked at: starts are found where the rule for single bytes finds them.
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

// checkPlaces checks the starts in n bytes where text stands among letters, everywhere.
func checkPlaces(t *testing.T, n int, text string) {
	data := bytes.Repeat([]byte{'a'}, n)
	for at := 0; at+len(text) <= n; at++ {
		copy(data[at:], text)
		checkStarts(t, data)
		data[at] = 'a'
	}
}

// checkStarts holds the starts that are found in data against its single bytes.
func checkStarts(t *testing.T, data []byte) {
	for i := 0; i <= len(data); i++ {
		want := i
		for want < len(data) && (strings.IndexByte(`"'\@/(`, data[want]) < 0 || !startAt(data, want)) {
			want++
		}
		if got := nextStart(data, i); got != want {
			t.Fatalf("nextStart(%q, %d) = %d, want %d", data, i, got, want)
		}
		i = want
	}
}
