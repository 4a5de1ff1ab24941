package document_test

import (
	"fmt"
	"strings"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
)

// The links of a message, each with its part and its line.
func ExampleSet() {
	const message = "From: a@example.org\n" +
		"Content-Type: multipart/mixed; boundary=b\n\n" +
		"--b\nContent-Type: text/html\n\n<a href=one>\n" +
		"--b\nContent-Type: text/html\nContent-Base: http://other.example/\n\n<p>\n<a href=two>\n" +
		"--b\nContent-Type: text/html\nContent-Transfer-Encoding: unheard\n\n<a href=three>\n" +
		"--b--\n"
	src := &document.Source{Message: true, At: strings.NewReader(message),
		Size: int64(len(message)), Data: []byte(message)}
	outer := &base.Layer{Source: base.DefaultBase, Value: "http://example.com/"}

	var set document.Set
	if err := set.Open(src, outer, document.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	var r extract.Resolver
	for d := range set.All() {
		for link := range r.Links(d.Doc) {
			line, _ := d.Position(d.Source(link.Span).Start)
			fmt.Printf("part %s, line %d: %s\n", d.Section(), line, link.URI)
		}
	}
	for _, p := range set.Problems() {
		fmt.Printf("part %s, line %d: %s: %s\n", p.Part, p.Line, p.Kind, p.Detail)
	}
	// Output:
	// part 1, line 7: http://example.com/one
	// part 2, line 13: http://other.example/two
	// part 3, line 18: unread: unknown transfer encoding "unheard"
}
