//go:build unix

package css

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// The search for starts reads no byte before or behind the data: the memory there cannot
// be read.
func TestVectorEnds(t *testing.T) {
	size := os.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 3*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(memory)
	for _, guard := range [][]byte{memory[:size], memory[2*size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
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
