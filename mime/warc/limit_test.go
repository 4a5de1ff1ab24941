package warc

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// A block of unknown length ends at the next record. If it is larger than the limit, it is skipped
// as a block of known length is, and the next record is found.
func TestUnknownLengthAboveLimit(t *testing.T) {
	const limit = 1000
	next := rec("resource", "WARC-Target-URI: http://a/2\n", "two")
	endings := []struct{ lineEnds, next string }{{"", ""}, {"\n\n", next}, {"\r\n\r\n", next}}
	for _, field := range []string{"", "Content-Length: x\r\n"} {
		for _, after := range endings {
			for _, n := range []int{0, limit - 4, limit - 1, limit, limit + 1, 2 * limit, 3 * minWindow} {
				one := "WARC/1.1\r\nWARC-Type: resource\r\n" + field + "\r\n" + strings.Repeat("x", n) + after.lineEnds
				for name, in := range map[string]io.Reader{
					"pipe":    onlyReader{strings.NewReader(one + after.next)},
					"file":    strings.NewReader(one + after.next),
					"member":  strings.NewReader(gz(one + after.next)),
					"members": strings.NewReader(gz(one, after.next)),
					"frame":   strings.NewReader(zst(one + after.next)),
				} {
					name = fmt.Sprintf("%s with %q, %d bytes and %q", name, field, n, after.lineEnds)
					checkAtLimit(t, name, in, limit, n, after.next != "")
				}
			}
		}
	}
}

// checkAtLimit checks a record with a block of n bytes, and whether another record follows.
func checkAtLimit(t *testing.T, name string, in io.Reader, limit, n int, follows bool) {
	t.Helper()
	r := readers.Get().(*Reader)
	defer readers.Put(r)
	r.Reset(in, Options{Limit: limit})
	rec, err := r.Next()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	length := rec.Block.End - rec.Block.Start
	lineEnds := rec.Skipped - int64(n) // Skipped includes the line ends after the block
	want := length == n && rec.Skipped == 0 && rec.Document() && len(rec.Defects) == 1
	if n > limit {
		want = length == 0 && 0 <= lineEnds && lineEnds <= 4 && !rec.Document() && len(rec.Defects) == 2
	}
	if !want {
		t.Errorf("%s: a block of %d bytes, %d skipped, document %v, defects %v",
			name, length, rec.Skipped, rec.Document(), rec.Defects)
	}
	at := rec.End
	rec.Release()
	rec, err = r.Next()
	if !follows {
		if err != io.EOF {
			t.Errorf("%s: got error %v, want io.EOF", name, err)
		}
		return
	}
	if err != nil || rec.TargetURI != "http://a/2" || rec.Offset != at {
		t.Errorf("%s: the next record: %v, error %v", name, rec, err)
	}
}
