package base_test

import (
	"fmt"

	"absolink/base"
)

// This page in a message has a relative BASE, and its part has a relative Content-Location. The
// mailbox was retrieved from a server.
func ExampleLayer_Base() {
	retrieved := &base.Layer{Source: base.URL, Value: "http://archive.example/2026/"}
	part := &base.Layer{Source: base.ContentLocation, Value: "pages/index.html", Part: "2", Outer: retrieved}
	page := &base.Layer{Source: base.BaseElement, Value: "../img/", Part: "2", Outer: part}

	uri, from := page.Base(nil)
	fmt.Println(uri, from.Source)

	uri, from = page.Base(&base.Policy{Trust: base.TrustNone}) // the sender is not trusted
	fmt.Println(uri, from.Source)

	for _, step := range page.Explain(&base.Policy{Trust: base.TrustHeaders}) {
		if !step.Used {
			fmt.Printf("%s: %s\n", step.Layer.Source, step.Reason)
		}
	}
	// Output:
	// http://archive.example/2026/img/ base-element
	// http://archive.example/2026/ url
	// base-element: not trusted: it is from a document in a message
	// url: an inner layer gives the base
}
