package links

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"absolink/testdata/effort"
)

// A long URI is matched like a short one, until the work is to end.
func TestMatches(t *testing.T) {
	long := "http://e.test/" + strings.Repeat("ä\xff", longMatch)
	ctx, cancel := context.WithCancel(t.Context())
	var f Finder
	f.o = new(Options)
	for _, expr := range []string{"^http:", "^x", "ä$", `\xff$`, "(ä|.)*[^ä]$",
		`/ä`, `(?i)E\.TEST`, "none", "^$", `\bhttp\b`, `[^a-z:/.]{3}`} {
		list := []*regexp.Regexp{regexp.MustCompile(expr)}
		for _, uri := range []string{"", "http://e.test/", long} {
			f.ctx = nil
			want := f.matchesAny(list, []byte(uri))
			f.ctx = ctx
			if got := f.matchesAny(list, []byte(uri)); got != want {
				t.Errorf("%s in %d bytes: got %v, want %v", expr, len(uri), got, want)
			}
		}
	}
	slow := []*regexp.Regexp{regexp.MustCompile("(a?){900}b"), regexp.MustCompile("(a?){900}c")}
	uri := []byte(strings.Repeat("a", 4<<20))
	time.AfterFunc(effort.Pick(100*time.Millisecond, 10*time.Millisecond), cancel)
	began := time.Now()
	if f.matchesAny(slow, uri) {
		t.Error("a match that was given up: got true, want false")
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("a match was given up after %v, want some ms", took)
	}
}

// PollCancelled checks the context now and then. If there are expressions, it checks at each link.
func TestEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &Finder{o: new(Options)}
	if f.PollCancelled() {
		t.Error("without a context: got true")
	}
	f.SetContext(ctx)
	if f.PollCancelled() {
		t.Error("before it is done: got true")
	}
	cancel()
	n := 1
	for !f.PollCancelled() {
		n++
		if n > 64 {
			t.Fatal("the end is not seen within 64 links")
		}
	}
	if err := f.o.Choice.AddMatch("a"); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if !f.PollCancelled() {
			t.Errorf("with an expression: the end is not seen for link %d", n+1)
		}
	}
}
