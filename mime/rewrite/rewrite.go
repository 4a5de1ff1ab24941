// Package rewrite plans the rewriting of one document, message or mailbox, carries it out, and
// verifies the result. Every byte outside an edit stays unchanged.
//
// A [Rewriter] says how references are written. Its methods Page, Message and Mailbox read from a
// reader and write to a writer in one step. They return a [Result]:
//
//	var r rewrite.Rewriter
//	res, err := r.Message(out, in, "http://example.com/")
//
// To rewrite in several steps, make a [Plan] of each source. The plan holds the edits: spans of
// bytes and their new bytes. [Rewriter.Verify] checks that the output has the same references, each
// as planned.
//
//	var r rewrite.Rewriter
//	p, err := r.Plan(&document.Source{Message: true, At: file, Size: size}, outer)
//	if err != nil {
//		return err // an error of reading
//	}
//	err = p.Write(out)
//
// A caller that chooses or counts the references visits the documents and their links:
//
//	p, err := r.Visit(src, outer,
//		func(p *rewrite.Plan, d *document.Document, links iter.Seq[*rewrite.Link]) error {
//			for l := range links {
//				l.Keep = !wanted(l)
//			}
//			return nil
//		})
//
// Some parts cannot be edited safely: signed or encrypted parts, parts in an unknown transfer
// encoding, and references for whose new text the document has no room. They stay unchanged, and a
// problem of the plan says why. In a mailbox each message has its own plan: see [Mailbox].
//
// Files in reading order: prints.go (hashes of links), edits.go, rewrite.go, plan.go, links.go,
// additions.go, moving.go, aswritten.go, pattern.go, start.go, strip.go, certain.go and text.go
// (the new text of a link), beside.go, ends.go, mailbox.go, verify.go, mend.go, result.go (from a
// reader to a writer).
package rewrite

import (
	"iter"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve/move"
)

// Rewriter says how sources are rewritten. The zero value makes relative references absolute as
// browsers do. A Rewriter reuses its memory from one source to the next. It must not be copied
// after the first source, and is not safe for concurrent use.
type Rewriter struct {
	// Resolver says how references are resolved, and which of them are rewritten. The rewriter sets
	// InMessage and PartName of Resolver for each document.
	Resolver extract.Resolver
	// Options say how sources are read. Listing must not be set. If Policy is nil, the Policy of
	// Resolver is used.
	Options document.Options
	// Site maps links to their new URIs, and says how links are written. If Site is nil, nothing
	// moves and all links become absolute. Feeds, sitemaps and outlines have absolute links in
	// every form except AsWritten. Links in messages have the form Site.Messages.
	Site *move.Site
	// Locate returns the page of Site for d. The links of d are written relative to this page, in
	// its form, which Locate may change. With the form Absolute, d keeps its BASE. A nil page or an
	// error means that d has no URI in the site. Locate is not called for parts of messages. If
	// Locate is nil, the page is Site.Page of the URI from which d was retrieved.
	//
	// If the BASE of a document is dropped, a link with Keep leads elsewhere. So if the caller
	// keeps links, Locate should set the form Absolute for documents with a BASE.
	Locate func(d *document.Document) (*move.Page, error)

	// Partial says that the caller keeps some links. With the form AsWritten, the bases on which
	// these links may depend then stay as written: BASE, xml:base, codebase, and the link of a
	// feed.
	Partial bool

	// By default the rules of Site.Map also move absolute URLs in plain and enriched text. Signed
	// and encrypted text, patches and encoded blocks stay.
	KeepText    bool // URLs in text stay
	SkipFooters bool // URLs in text after a line "-- " stay

	// RemoveAdditions removes the additions of web archives to pages: see [extract.Doc.Additions].
	RemoveAdditions bool

	BreakSignatures bool  // signed parts are edited too; encrypted parts never are
	KeepDKIM        bool  // a message stays unchanged if edits would break its DKIM, DomainKeys or ARC signature
	MaxNewBytes     int64 // largest number of bytes of the new references of one source; 0 means 64 MiB
	NoVerify        bool  // plans cannot be verified, but are made faster and need less memory

	memory
}

// memory is the memory that the plans of a Rewriter use, one after the other.
type memory struct {
	set      document.Set // the documents of the current source
	link     Link         // the current link
	mover    mover        // of the current document
	bases    newBases     // of the current document
	expected expected     // memory for the next plan
}

// Kinds of problems of a plan. Each says that something stays as it is written. DKIM is only a
// value of [Plan].WhyUnchanged; the plan has no problem of this kind.
const (
	// the document has no room for the new text of a reference, which is Detail
	NoRoom extract.Defect = "no-room"
	// with the new text Detail, this reference or another one would be read back as something else
	Misread extract.Defect = "misread"
	// the reference stays, and leads elsewhere in the output; Detail is the URI that it should have
	Left extract.Defect = "left"
	// the reference decides where the element around it ends, and an edit would move that end: see
	// [extract.Ref.Fixed]
	FixedEnd extract.Defect = "fixed-end"
	// additions of a web archive stay: Detail says which mark is missing
	Additions extract.Defect = "additions"
	// a rule of the map applies to a reference, which stays: Detail says why
	Unmoved extract.Defect = "unmoved"
	// the new references have more bytes than Rewriter.MaxNewBytes
	TooLarge extract.Defect = "too-large"
	// the part is protected; Detail says how: "signed", "encrypted" or another result of
	// [mime.Leaf.Protected]
	Protected extract.Defect = "protected"
	// the edits cannot be made in the message: Detail says why
	Unsafe extract.Defect = "unsafe"
	// links stay because absolink never writes the charset of the document, which is Detail
	Unwritten extract.Defect = "unwritten"
	// the edits would break a signature that mail servers check
	DKIM extract.Defect = "dkim"
)

// Plan plans the rewriting of src. outer is the innermost of the base layers around src, or nil. An
// error comes from reading src. The bytes of src must not change while the plan is in use.
func (r *Rewriter) Plan(src *document.Source, outer *base.Layer) (*Plan, error) {
	return r.Visit(src, outer, nil)
}

// Visit plans like Plan, and calls visit for each document of src whose links may be edited. links
// yields all links of the document in their order, even those that stay. A link is valid until the
// next one, and visit may set its fields until then. visit may range over links once. The links
// that it does not read are planned too. After the range, [Plan.DocumentEdits] has the edits of the
// document. An error of visit ends the plan, and Visit returns it. visit must not use r. A nil
// visit does nothing.
func (r *Rewriter) Visit(src *document.Source, outer *base.Layer,
	visit func(p *Plan, d *document.Document, links iter.Seq[*Link]) error) (*Plan, error) {
	return job{r: r, src: src, outer: outer, visit: visit}.plan()
}

// plan makes a plan of the job.
func (j job) plan() (*Plan, error) {
	p := &Plan{job: j}
	if err := p.open(); err != nil {
		return nil, err
	}
	for d := range j.r.set.All() {
		if neverEdited(d.Format) {
			p.countNeverEdited(d)
			continue
		}
		p.doc = current{}
		if j.visit != nil {
			links := func(yield func(*Link) bool) { p.planLinks(d, yield) }
			if err := j.visit(p, d, links); err != nil {
				return nil, err
			}
		}
		if !p.doc.planned {
			p.planLinks(d, func(*Link) bool { return true })
		}
	}
	p.finish()
	return p, nil
}

// options returns the options for reading sources.
func (r *Rewriter) options() document.Options {
	o := r.Options
	if o.Policy == nil {
		o.Policy = &r.Resolver.Policy
	}
	o.Text = r.movesText()
	return o
}

// moves reports whether links get new targets, or are written in another form than absolute.
func (r *Rewriter) moves() bool { return r.Site != nil && r.Site.Moves() }
