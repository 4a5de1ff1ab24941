// Package base determines the base URI of a document from the layers around it (RFC 2396 Section
// 5.1). It reports which layer gave the base and why inner layers did not.
//
// The layers are the nested boxes of the figure in Section 5.1, as a linked list of [Layer] with
// the innermost first. For instance, a BASE element is inside a part of a message, which is inside
// a multipart, which was retrieved from a URL. The value of a layer may be relative: it is resolved
// against the base of the layers around it.
//
//	chain := &base.Layer{Source: base.ContentLocation, Value: "sub/page.html",
//		Outer: &base.Layer{Source: base.Option, Value: "http://example.com/dir/"}}
//	uri, from := chain.Base(nil)
//	// http://example.com/dir/sub/page.html, chain
//
// The operator sets the layers [Option], [Root] and [DefaultBase], and [Policy].Force. The
// retrieval sets [URL] and [WARCTarget]. The document and the entities around it set the others.
//
// A base that is not a hierarchical URI ends the search without a base. An exception is a BASE with
// a data: or javascript: URI: the search skips it, as browsers do. A file: URI from a document or
// message also ends the search, unless Policy.FileBase is set. Relative references then stay
// unresolved: a wrong base is worse than no base.
//
// Files in reading order: layer.go, policy.go, clean.go, charset.go, comment.go (in header fields),
// decide.go, memo.go, explain.go.
package base
