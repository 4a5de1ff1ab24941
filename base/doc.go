// Package base determines the base URI of a document from the layers around it (RFC 2396 Section
// 5.1). It says which layer gave the base and why inner ones did not.
//
// The layers are the nested boxes of the figure in Section 5.1, innermost first, as a linked
// list of [Layer]: a BASE element in a message in a multipart in a page that was retrieved from
// somewhere. A relative BASE, a relative Content-Location and a relative xml:base are layers,
// too: each is resolved against the base that the layers around it give.
//
//	chain := &base.Layer{Source: base.ContentLocation, Value: "sub/page.html",
//		Outer: &base.Layer{Source: base.Option, Value: "http://example.com/dir/"}}
//	uri, from := chain.Base(nil)
//	// http://example.com/dir/sub/page.html, chain
//
// Layers come from two sides. The operator gives [Option], [Root], [URL], [DefaultBase] and
// [Policy].Force; the document and the entities around it give the rest. A base that is not a
// hierarchical URI ends the search, and so does a file: URI that the document or a message
// gives, unless Policy.FileBase is set. Relative references are then left unresolved: a wrong
// base is worse than none.
//
// Files in reading order: layer.go, policy.go, clean.go, decide.go, memo.go, explain.go.
package base
