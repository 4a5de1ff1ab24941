//go:build unix

package css

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// The search for starts reads no byte before or behind the data: the memory there cannot
// be read.
func TestVectorEnds(t *testing.T) {
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
	text := strings.Repeat(`a{b:url(c);d:"e"} `, 10)
	for n := range len(text) + 1 {
		for _, data := range [][]byte{memory[size : size+n : size+n], memory[2*size-n : 2*size : 2*size]} {
			copy(data, text)
			checkStarts(t, data)
		}
	}
}
