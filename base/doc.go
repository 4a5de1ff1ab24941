// Package base determines the base URI of a document from the layers around it (RFC 2396 Section
// 5.1). It reports which layer gave the base and why inner layers did not.
//
// The layers are the nested boxes of the figure in Section 5.1, as a linked list of [Layer] with
// the innermost first. For instance, a BASE element is inside a part of a message, which is inside
// a multipart, which was retrieved from a URL. The value of a layer may be relative. Such a value
// is resolved against the base of the layers around it.
//
//	chain := &base.Layer{Source: base.ContentLocation, Value: "sub/page.html",
//		Outer: &base.Layer{Source: base.Option, Value: "http://example.com/dir/"}}
//	uri, from := chain.Base(nil)
//	// http://example.com/dir/sub/page.html, chain
//
// The operator, who runs the program, sets the layers [Option], [Root], [DefaultBase], [ImageBase]
// and [RootBase], and [Policy].Force. The program that retrieved the document sets [URL] or
// [WARCTarget]. The values of all other layers come from the document and the entities around it.
//
// Some layers end the search without a base. All relative references then stay unresolved, because
// a wrong base is worse than no base. These layers are:
//   - an absolute URI that is not hierarchical, such as cid: or urn:. A BASE with a data: or
//     javascript: URI is an exception: the search skips it, as browsers do.
//   - a file: URI, unless the operator or the program that retrieved the document set it, or
//     Policy.FileBase is set.
//   - a value that cannot be read: its charset is unknown, an encoded word cannot be decoded, or a
//     template will still change the value.
//   - a URI that is too long.
//
// Files in reading order: layer.go (the sources of a base), policy.go (which layers count),
// clean.go and charset.go (the reference in a value), comment.go (comments in header fields),
// decide.go (the search), memo.go (its cache), explain.go (its reasons).
package base
