package extract_test

import (
	"fmt"
	"slices"

	"absolink/base"
	"absolink/extract"
)

func ExampleResolver() {
	d := &extract.Doc{
		Format: extract.HTML,
		Data: []byte(`<base href="/docs/"><a href=intro.html>Start</a>` + "\n" +
			`<img srcset="a,b.png 1x, c.png 2x">`),
		Layer: &base.Layer{Source: base.URL, Value: "http://example.com/"},
	}
	var r extract.Resolver
	for link := range r.Links(d) {
		fmt.Println(link.Element, link.Attr, link.Kind, link.Status, string(link.URI))
	}
	fmt.Printf("%s\n", extract.Apply(nil, d.Data, r.Edits(nil, d)))
	// Output:
	// base href meta resolved http://example.com/docs/
	// a href nav resolved http://example.com/docs/intro.html
	// img srcset res resolved http://example.com/docs/a,b.png
	// img srcset res resolved http://example.com/docs/c.png
	// <base href="/docs/"><a href=http://example.com/docs/intro.html>Start</a>
	// <img srcset="http://example.com/docs/a,b.png 1x, http://example.com/docs/c.png 2x">
}

func ExampleDoc_Refs() {
	d := &extract.Doc{Format: extract.HTML, Data: []byte(`<p style="background: url(&quot;a&amp;b.png&quot;)">`)}
	for ref := range d.Refs() {
		fmt.Printf("%d–%d %s %s\n", ref.Start, ref.End, d.Data[ref.Start:ref.End], ref.Value)
		fmt.Printf("%s\n", extract.Apply(nil, d.Data, []extract.Edit{ref.Edit([]byte(`http://example.com/"&`))}))
	}
	// Output:
	// 32–43 a&amp;b.png a&b.png
	// <p style="background: url(&quot;http://example.com/\&quot;&amp;&quot;)">
}

// The links of a page, which can be kept.
func ExampleLinks() {
	page := []byte(`<title>x</title><a href=next.html>Next</a> <a href="#top">Top</a>`)
	links := slices.Collect(extract.Links(page, "http://example.com/dir/page.html"))
	for _, l := range links {
		fmt.Println(l.Status, string(l.URI))
	}
	// Output:
	// resolved http://example.com/dir/next.html
	// same-document http://example.com/dir/page.html#top
}
