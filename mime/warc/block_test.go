package warc

import (
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// The name of a field has letters, digits, hyphens and underscores.
func TestFieldNames(t *testing.T) {
	name := regexp.MustCompile(`^[-_0-9A-Za-z]$`)
	for c := rune(0); c < 0x300; c++ {
		if got, want := notInName(c), !name.MatchString(string(c)); got != want {
			t.Errorf("notInName(%q) = %v, want %v", c, got, want)
		}
	}
}

func TestLineEnds(t *testing.T) {
	for text, want := range map[string]int{"": 0, "x\n": 0, "\n": 1, "\r\n": 1, "\r": 0, "\n\n": 2, "\r\n\r\n": 2,
		"\n\r\nx\n": 2, "\r\r\n": 0, "\n\r": 1, " \n": 0} {
		if got := countLineEnds([]byte(text)); got != want {
			t.Errorf("countLineEnds(%q) = %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]bool{"": false, "0": true, "0123456789": true, "1a": false, "-1": false,
		"1 ": false, "a1": false} {
		if got := digits([]byte(text)); got != want {
			t.Errorf("digits(%q) = %v, want %v", text, got, want)
		}
	}
}

// A dictionary of any length is used, in the format of RFC 8878 or as raw bytes.
func TestDictionaryOfAnyLength(t *testing.T) {
	for n := range 12 {
		dict := []byte("<a href=dictionary>")[:n]
		if _, err := zstd.NewReader(nil, dictOption(dict)); err != nil {
			t.Errorf("a dictionary of %d bytes: %v", n, err)
		}
	}
	if _, err := zstd.NewReader(nil, dictOption([]byte("\x37\xa4\x30\xec and no tables"))); err == nil {
		t.Error("a damaged dictionary in the format of RFC 8878: got no error")
	}
}

// Ranges are read ahead in a whole file of gzip members, if there are goroutines for it.
func TestAheadOf(t *testing.T) {
	plain := response("http://a/1", "<a href=1>")
	member := gz(plain)
	for _, tt := range []struct {
		name string
		data string
		o    Options
		want bool
	}{
		{"one goroutine", member, Options{Ahead: 1}, false},
		{"two goroutines", member, Options{Ahead: 2}, true},
		{"from a record on", member + member, Options{Ahead: 2, Start: int64(len(member))}, false},
		{"up to a record", member + member, Options{Ahead: 2, End: int64(len(member))}, false},
		{"no members", plain, Options{Ahead: 2}, false},
		{"stray bytes before the first member", "x" + member, Options{Ahead: 2}, false},
	} {
		r := NewReader(strings.NewReader(tt.data), tt.o)
		if got := newPrefetcher(r) != nil; got != tt.want {
			t.Errorf("%s: read ahead %v, want %v", tt.name, got, tt.want)
		}
		r.Stop()
	}
}

// A record begins with its version and the name of a field. In the middle of a line, the name must
// be one of WARC.
func TestHeaders(t *testing.T) {
	for _, tt := range []struct {
		text        string
		line, other bool // at the start of a line, elsewhere
	}{
		{"WARC/1.1\r\nWARC-Type: x", true, true},
		{"WARC/1.1\nWARC-Type: x", true, true},
		{"WARC/0.17 \r\nWARC-Type : x", true, true},
		{"WARC/1.1\r\nContent-Type: x", true, false},
		{"warc/1.1\r\nwarc-type: x", true, false},
		{"WARC/1.1\r\n: x", false, false},
		{"WARC/1.1\r\nno name: x", false, false},
		{"WARC/1.1\r\nno colon\r\n", false, false},
		{"WARC/1\r\nWARC-Type: x", false, false},
		{"WARC/1.\r\nWARC-Type: x", false, false},
		{"WARC/.1\r\nWARC-Type: x", false, false},
		{"WARC/1.1a\r\nWARC-Type: x", false, false},
		{"WARC/1.1 WARC-Type: x", false, false},
		{"WARC 1.1\r\nWARC-Type: x", false, false},
		{"WARC/1.1\r\n" + strings.Repeat("x", 200) + ": x", false, false},
		{"WARC", false, false},
	} {
		line := startsWithHeader([]byte(tt.text), true)
		other := startsWithHeader([]byte(tt.text), false)
		if line != tt.line || other != tt.other {
			t.Errorf("startsWithHeader(%q) = %v on a line of its own, %v elsewhere, want %v, %v",
				tt.text, line, other, tt.line, tt.other)
		}
		text := "a\n" + tt.text
		want := -1
		if tt.line && strings.HasPrefix(tt.text, "WARC") {
			want = len("a\n")
		}
		if got := findHeader([]byte(text), 0, len(text), false); got != want {
			t.Errorf("findHeader(%q) = %d, want %d", text, got, want)
		}
		if got := findHeader([]byte(text), 0, len("a\n"), true); got != -1 {
			t.Errorf("findHeader(%q) before the record = %d, want none", text, got)
		}
		want = -1
		if tt.other {
			want = len("ab")
		}
		if got := findHeader([]byte("ab"+tt.text), 0, len(text)+1, true); got != want {
			t.Errorf("findHeader(%q) in a line = %d, want %d", "ab"+tt.text, got, want)
		}
	}
}
