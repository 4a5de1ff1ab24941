// Package base determines the base URI of a document from the layers around it (RFC 2396 Section
// 5.1). It reports which layer gave the base and why inner layers did not.
//
// The layers are the nested boxes of the figure in Section 5.1, innermost first, as a linked list
// of [Layer]. An example is a BASE element in a message in a multipart in a page that was retrieved
// from a URL. A relative BASE, a relative Content-Location and a relative xml:base are layers too.
// Each is resolved against the base of the layers around it.
//
//	chain := &base.Layer{Source: base.ContentLocation, Value: "sub/page.html",
//		Outer: &base.Layer{Source: base.Option, Value: "http://example.com/dir/"}}
//	uri, from := chain.Base(nil)
//	// http://example.com/dir/sub/page.html, chain
//
// Layers come from two sides. The operator sets [Option], [Root], [URL], [DefaultBase] and
// [Policy].Force. The document and the entities around it set the others. A base that is not a
// hierarchical URI ends the search. A file: URI from a document or message also ends it, unless
// Policy.FileBase is set. Relative references are then left unresolved: a wrong base is worse than
// no base.
//
// Files in reading order: layer.go, policy.go, clean.go, comment.go (in header fields), decide.go,
// memo.go, explain.go.
package base
