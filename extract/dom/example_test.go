package dom_test

import (
	"fmt"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"absolink/base"
	"absolink/extract/dom"
)

// A crawler that has already parsed a page lists the links of its main part.
func Example() {
	page := `<!doctype html><base href="/docs/">
<nav><a href="/">Start</a></nav>
<main><a href="intro.html#top">Introduction</a> <img src="fig.png" srcset="fig-2x.png 2x"></main>`

	root, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false))
	if err != nil {
		fmt.Println(err)
		return
	}
	doc := goquery.NewDocumentFromNode(root)
	around := &base.Layer{Source: base.URL, Value: "http://example.com/index.html"}
	var r dom.Resolver
	for ref := range dom.Selection(doc.Find("main"), around) {
		uri, err := r.Resolve(ref)
		fmt.Println(ref.Kind, ref.Attr, uri, err)
	}
	// Output:
	// nav href http://example.com/docs/intro.html#top <nil>
	// res src http://example.com/docs/fig.png <nil>
	// res srcset http://example.com/docs/fig-2x.png <nil>
}
