package prose_test

import (
	"fmt"

	"absolink/extract/internal/prose"
)

func ExampleFind() {
	text := []byte("It is under <URL:http://a.example/b-\n  c>, and at www.b.example.")
	for u := range prose.Find(text, true) {
		fmt.Println(u.URI, u.Uncertain, u.Abbreviated)
	}
	// Output:
	// http://a.example/b-c true false
	// http://www.b.example false true
}
