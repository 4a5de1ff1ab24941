package ref

import (
	"testing"

	"absolink/extract/internal/text"
	"absolink/testdata/effort"
)

// A list of very many references grows only a few times, and at the end has hardly more room than
// it needs.
func TestListGrows(t *testing.T) {
	for _, tt := range []struct {
		name  string
		first int // bytes per reference up to the middle
		then  int // and after it
	}{{"even", 4, 4}, {"denser behind", 16, 4}, {"denser before", 4, 16}} {
		n := effort.Pick(1<<20, 1<<17)
		data := make([]byte, n/2*tt.first+n/2*tt.then)
		var s List
		s.Reset(data)
		at, grown, room := 0, 0, 0
		for i := range n {
			size := tt.first
			if i >= n/2 {
				size = tt.then
			}
			s.Append(text.Span{Start: at, End: at + size}, 0, data[at:at+size])
			at += size
			if i >= n/4 && cap(s.Kept) != room {
				grown++
			}
			room = cap(s.Kept)
		}
		if len(s.Kept) != n || s.Kept[n-1].End != len(data) || s.Kept[n/2].Start != n/2*tt.first {
			t.Errorf("%s: %d references, the last %v, want %d", tt.name, len(s.Kept), s.Kept[len(s.Kept)-1], n)
		}
		if tt.name == "even" && (room > n*115/100 || grown > 2) || room > 3*n || grown > 8 {
			t.Errorf("%s: room for %d of %d references, made longer %d times in three quarters of them",
				tt.name, room, n, grown)
		}
	}
}
