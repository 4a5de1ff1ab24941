package move_test

import (
	"fmt"

	"absolink/resolve/move"
)

// A shop has moved below another host, and its pages refer to each other without the host.
func ExampleSite() {
	var s move.Site
	if err := s.Map.Add("http://old.example/", "http://new.example/shop/"); err != nil {
		fmt.Println(err)
		return
	}
	s.Include("http://new.example/shop/")
	s.Form = move.Relative

	page, err := s.Page("http://old.example/tea/green.html")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, uri := range []string{"http://old.example/tea/black.html", "http://old.example/", "http://other.example/"} {
		fmt.Println(page.Link(uri))
	}
	// Output:
	// black.html
	// ../
	// http://other.example/
}

// A tree will be opened from a disk: the caller says which files exist.
func ExampleSite_disk() {
	files := map[string]string{
		"http://tea.example/green/":        "disk:///site/green/index.html",
		"http://tea.example/black?best":    "disk:///site/black%3Fbest.html",
		"http://tea.example/pot/blue.html": "disk:///site/pot/blue.html",
	}
	s := move.Site{Form: move.Disk, File: func(uri string) string { return files[uri] }}
	page, err := s.Page("http://tea.example/pot/blue.html")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.Link("http://tea.example/green/#leaves"),
		page.Link("http://tea.example/black?best"), page.Link("http://tea.example/gone"))
	// Output: ../green/index.html#leaves ../black%3Fbest.html http://tea.example/gone
}
