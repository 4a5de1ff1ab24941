//go:build unix

package markup

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// The scanner reads no byte around the input: the memory there cannot be read.
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
	page := strings.Repeat(`<b></b><b class="b"><i><a class="b" href="x">y</a> `, 2) + `<a class="` + strings.Repeat("c", 130) + `" href="x" ` + strings.Repeat(`src="y" `, 20) + `>`
	page += `<script>` + strings.Repeat("d", 130) + `</script>` + strings.Repeat("e", 70)
	for n := range len(page) + 1 {
		for _, data := range [][]byte{memory[size : size+n : size+n], memory[2*size-n : 2*size : 2*size]} {
			copy(data, page)
			checkScan(t, data)
			eachWidth(func() { PlainLength(data) })
		}
	}
}
