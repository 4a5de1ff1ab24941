//go:build unix

package markup

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// The scanner reads no byte behind the input: the memory there cannot be read.
func TestVectorEnd(t *testing.T) {
	size := os.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(memory)
	if err := syscall.Mprotect(memory[size:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	page := strings.Repeat(`<a class="b" href="x">y</a> `, 2) + `<a class="` + strings.Repeat("c", 130) + `" href="x" ` + strings.Repeat(`src="y" `, 20) + `>`
	page += `<script>` + strings.Repeat("d", 130) + `</script>` + strings.Repeat("e", 70)
	for n := range len(page) + 1 {
		data := memory[size-n : size : size]
		copy(data, page)
		checkScan(t, data)
		eachWidth(func() { PlainLength(data) })
	}
}
