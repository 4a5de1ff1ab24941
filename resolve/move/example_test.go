package move_test

import (
	"fmt"

	"absolink/resolve/move"
)

// A shop has moved below another host, and its pages refer to each other without it.
func ExampleSite() {
	var s move.Site
	if err := s.Map.Add("http://old.example/", "http://new.example/shop/"); err != nil {
		fmt.Println(err)
		return
	}
	s.Area.Add("http://new.example/shop/")
	s.Form = move.Relative

	page, err := s.Page("http://old.example/tea/green.html")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, uri := range []string{"http://old.example/tea/black.html", "http://old.example/", "http://other.example/"} {
		uri = s.Map.URI(uri)
		if s.Area.Has(uri) {
			uri = page.Reference(uri)
		}
		fmt.Println(uri)
	}
	// Output:
	// black.html
	// ..
	// http://other.example/
}
