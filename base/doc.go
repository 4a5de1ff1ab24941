// Package base determines the base URI of a document from the layers around it (RFC 2396 Section
// 5.1). It also reports which layer gives the base, and why each other layer does not.
//
// A layer is one of the nested boxes of the figure in Section 5.1. The layers of a document are a
// linked list of [Layer], innermost first. For instance, a BASE element is inside a part of a
// message. The part is inside a multipart, and the multipart was retrieved from a URL. The value of
// a layer may be relative. Such a value is resolved against the base of the layers around it.
//
//	chain := &base.Layer{Source: base.ContentLocation, Value: "sub/page.html",
//		Outer: &base.Layer{Source: base.Option, Value: "http://example.com/dir/"}}
//	uri, from := chain.Base(nil)
//	// http://example.com/dir/sub/page.html, chain
//
// The operator is the person who runs the program. The operator sets the layers [Option], [Root],
// [DefaultBase], [ImageBase] and [RootBase], and [Policy].Force. A program that fetches a document
// sets [URL]. The values of all other layers come from the input: from the document, from the
// entities around it, or from a web archive ([WARCTarget]).
//
// Some layers end the search without a base. All relative references then stay unresolved, because
// a wrong base is worse than no base. A layer ends the search if its value is one of these:
//   - an absolute URI that is not hierarchical, such as cid: or urn:. A BASE with a data: or
//     javascript: URI is an exception: the search skips it, as browsers do.
//   - a thismessage: URI, unless it is the [DefaultBase].
//   - a file: URI from the input, unless Policy.FileBase is set.
//   - a value that cannot be read: its charset is unknown, or an encoded word cannot be decoded.
//   - a piece of a template: a program will still replace a part of the value.
//   - a path in a file _headers that stands for many pages, such as /d/*.
//   - a URI that is too long.
//
// Files in reading order: layer.go (the sources of a base), policy.go (which layers count),
// clean.go and charset.go (the reference in a value), comment.go (comments in header fields),
// decide.go (the search), memo.go (its cache), explain.go (its reasons).
package base
