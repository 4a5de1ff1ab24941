//go:build unix

package markup

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// The scanner reads no byte around the input: the memory there cannot be read.
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
