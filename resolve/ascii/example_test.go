package ascii_test

import (
	"fmt"

	"absolink/resolve/ascii"
)

func Example() {
	var out []byte
	for _, c := range []byte("a b%41") {
		if c == ' ' {
			out = ascii.AppendPercent(out, c)
		} else {
			out = append(out, c)
		}
	}
	fmt.Println(string(out), ascii.Hex('F'), ascii.Hex('G'))
	// Output: a%20b%41 15 -1
}
