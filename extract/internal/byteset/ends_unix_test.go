//go:build unix

package byteset

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// No byte before or after the data is read: the memory there is not readable.
func TestEnds(t *testing.T) {
	size := os.Getpagesize()
	memory, err := unix.Mmap(-1, 0, 3*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	for _, guard := range [][]byte{memory[:size], memory[2*size:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	s := New(func(c byte) bool { return c == '&' || c >= 0x80 })
	p := NewPair("ab&", "bc", "bc")
	text := strings.Repeat("a", 60) + "&" + strings.Repeat("b", 60) + "\xff" + strings.Repeat("c", 60)
	for n := range len(text) + 1 {
		for _, data := range [][]byte{memory[size : size+n : size+n], memory[2*size-n : 2*size : 2*size]} {
			copy(data, text)
			checkIndex(t, s, "ends", data)
			checkPair(t, p, "ab&", "bc", data)
		}
	}
}
