package markup

import (
	"bytes"
	"testing"
)

// The bytes after a name do not change how it is folded.
func TestFold(t *testing.T) {
	for c := range 256 {
		for size := 1; size <= 17; size++ {
			data := bytes.Repeat([]byte{'a', byte(c), 'Z'}, 8)
			for _, name := range [][]byte{data[:size], data[:size:size]} {
				var want []byte
				if size <= len(word{}) {
					for _, b := range name {
						want = append(want, lower(b))
					}
				}
				var w word
				if got := w.fold(name); !bytes.Equal(got, want) {
					t.Fatalf("fold(%q) = %q, want %q", name, got, want)
				}
			}
		}
	}
}
