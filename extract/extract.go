// Package extract finds every reference of a document as a byte span, and builds the edits that
// make references absolute.
//
// A [Doc] holds the bytes of a document and the layers around it. [Doc.Refs] yields its references:
// the span, the value and the kind of each, and its base layers. A [Resolver] turns references into
// links, and into edits. No byte outside an edit changes.
//
// # A tour
//
// A step of a crawler takes the links of a response, including its Link fields. Here resp is an
// http.Response, but package httpmsg does not import net/http:
//
//	body, err := io.ReadAll(resp.Body)
//	if err != nil {
//		return err
//	}
//	m := httpmsg.New(resp.StatusCode, resp.Header, body, httpmsg.Options{})
//	for l, err := range m.Links(resp.Request.URL.String()) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(l.Kind, string(l.URI))
//	}
//
// Copy a message from a reader to a writer with absolute links; for a mailbox use Mailbox:
//
//	var r rewrite.Rewriter
//	res, err := r.Message(out, in, "http://example.com/")
//	fmt.Println(res.References, "edited,", res.Kept, "kept")
//
// A tree of files that were retrieved from http://example.com/:
//
//	err := fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
//		if err != nil || path.Ext(name) != ".html" {
//			return err
//		}
//		page, err := fs.ReadFile(tree, name)
//		for l := range extract.Links(page, "http://example.com/"+name) {
//			fmt.Println(name, string(l.URI))
//		}
//		return err
//	})
//
// A web archive, record by record:
//
//	archive := warc.NewReader(file, warc.Options{})
//	for rec, err := range archive.All() {
//		if err != nil {
//			return err
//		}
//		if m := rec.Message(httpmsg.Options{}); m != nil {
//			for l, err := range m.Links(rec.TargetURI) {
//				fmt.Println(rec.Number, string(l.URI), err)
//			}
//		}
//		rec.Release()
//	}
//
// The examples named tour run this code.
//
// # Documents
//
// With layers, options and edits:
//
//	d := &extract.Doc{
//		Format: extract.HTML,
//		Data:   page,
//		Layer:  &base.Layer{Source: base.URL, Value: "http://example.com/dir/"},
//	}
//	var r extract.Resolver
//	for link := range r.Links(d) {
//		fmt.Printf("%s %s\n", link.Status, link.URI)
//	}
//	page = extract.Apply(nil, page, r.Edits(nil, d))
//
// The tables of internal/place show which attributes of which elements hold references, and in
// which format. "absolink help places" prints them.
//
// Internal packages find the references of each format: internal/page, internal/xml and
// internal/lines. They share internal/reading.
//
// Files in reading order: kind.go, edit.go, text.go; the kind of a document: format.go, detect.go,
// problem.go; reading it: ref.go, doc.go, additions.go, anchors.go, folded.go; resolving its
// references: status.go, resolver.go (their bases), detour.go, prefix.go (URLs with a known
// start), policy.go (which are rewritten), settle.go, links.go, edits.go.
package extract
