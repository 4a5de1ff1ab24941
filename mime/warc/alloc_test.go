//go:build !race

package warc

import (
	"strings"
	"testing"

	"absolink/testdata/alloc"
)

// The memory of records is reused: only a WARC-Target-URI is allocated. With the race detector, a
// sync.Pool drops some of its items.
func TestReadAllocatesTargetsAlone(t *testing.T) {
	const records = 1000
	data := strings.Repeat(rec("response", "WARC-Target-URI: http://a.example/\n", "one")+rec("metadata", "", "two"),
		records)
	n := alloc.PerRun(3, func() {
		var rec Record
		for rd := NewReader(strings.NewReader(data), Options{}); rd.Read(&rec) == nil; {
			rec.Release()
		}
	})
	if n > 1.2*records {
		t.Errorf("%v allocations for %d records of which half have a target", n, 2*records)
	}
}
