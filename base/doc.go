// Package base picks the base URI of a document out of the layers around it
// (RFC 2396 Section 5.1) and says which layer gave it and why inner ones did
// not.
//
// The layers are the nested boxes of the figure in Section 5.1, innermost
// first, as a linked list of [Layer]: a BASE element in a message in a
// multipart in a page that was retrieved from somewhere. A relative BASE, a
// relative Content-Location and xml:base are all a layer in a layer, resolved
// against what the layers around it amount to.
//
//	chain := &base.Layer{Source: base.ContentLocation, Value: "sub/page.html",
//		Outer: &base.Layer{Source: base.Option, Value: "http://example.com/dir/"}}
//	uri, from := chain.Base(nil)
//	// http://example.com/dir/sub/page.html, chain
//
// Layers come from two sides. The operator gives [Option], [Root], [URL],
// [DefaultBase] and [Policy].Force; the document and the entities around it give
// the rest, and what they say is held to a test: a base that is not a hierarchical
// URI, or that names the disk of whoever reads the message, ends the search and
// leaves references unresolved rather than give them a foreign base.
//
// Files in reading order: layer.go, policy.go, clean.go, decide.go, memo.go, explain.go.
package base
