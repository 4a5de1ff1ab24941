package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"absolink/testdata/effort"
)

func TestDivisible(t *testing.T) {
	a, b := response("http://a.test/", "<a href=x>"), response("http://b.test/", "<a href=y>")
	long := response("http://l.test/", fmt.Sprint(rand.New(rand.NewPCG(1, 1)).Perm(1000)))
	for _, tt := range []struct {
		name, head string
		want       bool
	}{
		{"plain", a, true},
		{"gzip members", gz(a, b), true},
		{"one member over all", gz(a + b), false},
		{"the beginning of the second member", gz(a, long)[:len(gz(a))+200], true},
		{"not enough of it", gz(a, b)[:len(gz(a))+5], false},
		{"records over members", gz(a[:50], a[50:]), false},
		{"a member that is longer than the head", gz(long, b)[:20], false},
		{"a damaged member", strings.Replace(gz(a, b), "\x1f\x8b", "\x1f\x8c", 1), false},
		{"frames of zstd", zst(a, b), true},
		{"one frame", zst(a + b), false},
		{"frames behind a dictionary", zstDict(bytes.Repeat([]byte("WARC/1.0 "), 20), a, b), true},
		{"one behind a dictionary", zstDict(bytes.Repeat([]byte("WARC/1.0 "), 20), a), false},
		{"half a frame", zst(a + b)[:20], false},
		{"nothing", "", false},
		{"text", "text", false},
	} {
		for n := 0; n < len(tt.head); n += effort.Pick(1, 13) {
			divisible([]byte(tt.head[:n])) // ends
		}
		r := NewReader(strings.NewReader(tt.head), Options{})
		if got, err := r.Divisible(); got != tt.want || err != nil {
			t.Errorf("Divisible of %s: got %v, %v, want %v", tt.name, got, err, tt.want)
		}
		r.Reset(io.NewSectionReader(&failing{strings.NewReader(tt.head), 0}, 0, int64(len(tt.head))), Options{})
		if got, err := r.Divisible(); got || len(tt.head) > 0 && !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("Divisible of a broken file with %s: got %v, %v, want false and an error", tt.name, got, err)
		}
		r.Reset(onlyReader{strings.NewReader(tt.head)}, Options{})
		if got, err := r.Divisible(); got || err != nil {
			t.Errorf("Divisible of a pipe with %s: got %v, %v, want false", tt.name, got, err)
		}
	}
}
