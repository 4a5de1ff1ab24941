// Package rewrite plans the rewriting of one document, message or mailbox, carries it out, and
// verifies the result. Every byte outside an edit stays unchanged.
//
// A [Rewriter] says how references are written. Its methods Page, Message and Mailbox read from a
// reader and write to a writer in one step. They return a [Result]:
//
//	var r rewrite.Rewriter
//	res, err := r.Message(out, in, "http://example.com/")
//
// To rewrite in several steps, make a [Plan] of each source. It holds the edits: spans of bytes and
// their new bytes. Its output can be verified: it must have the same references, each rewritten as
// planned.
//
//	var r rewrite.Rewriter
//	p, err := r.Plan(&document.Source{Message: true, At: file, Size: size}, outer)
//	if err != nil {
//		return err // of reading
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
// encoding, and references whose place cannot hold the new text. They stay unchanged, and the plan
// has a problem that says why. In a mailbox each message has its own plan: see [Mailbox].
//
// Files in reading order: prints.go (hashes of links), edits.go, rewrite.go, plan.go, links.go,
// additions.go, moving.go, aswritten.go, pattern.go, start.go, strip.go and text.go (the new text
// of a link), beside.go, ends.go, mailbox.go, verify.go, mend.go, result.go (from a reader to a
// writer).
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
	// Resolver says how references are resolved, and which of them are rewritten. Its InMessage is
	// set for each document.
	Resolver extract.Resolver
	// Options say how sources are read. Listing must not be set. If Policy is nil, the Policy of
	// Resolver is used.
	Options document.Options
	// Site maps links to their new places, and says how they are written. If Site is nil, nothing
	// moves and all links become absolute. Feeds, sitemaps, outlines and parts of messages have no
	// place in a site: their links always become absolute.
	Site *move.Site
	// Locate returns a page of Site: the place of d, relative to which its links are written, and
	// their form, which Locate may change. With the form Absolute, d keeps its BASE. Locate is not
	// called for parts of messages. A nil page or an error means that d has no place. If Locate is
	// nil, the place is Site.Page of the URI from which d was retrieved.
	//
	// A link with Keep stays as it is written, but leads elsewhere if the BASE of its document is
	// dropped. A caller who keeps links returns the form Absolute for documents with a BASE.
	Locate func(d *document.Document) (*move.Page, error)

	// Partial says that the caller keeps links. With the form AsWritten, a BASE, xml:base or
	// codebase then stays as it is written.
	Partial bool

	// By default the rules of Site.Map also move absolute URLs in plain and enriched text. Signed
	// and encrypted text, patches and encoded blocks stay.
	KeepText    bool // text stays
	SkipFooters bool // text after a line "-- " stays

	// RemoveAdditions removes what web archives have added to pages: see [extract.Doc.Additions].
	RemoveAdditions bool

	BreakSignatures bool  // signed parts are edited too; encrypted parts never are
	KeepDKIM        bool  // a message stays unchanged if edits would break its DKIM, DomainKeys or ARC signature
	MaxEdits        int64 // bytes that the new references of one source may have; 0 means 64 MiB
	NoVerify        bool  // plans cannot be verified, but are made faster and need less memory

	set  document.Set // of the current source
	link Link
}

// Kinds of problems of a plan. Each says that something stays as it was written.
const (
	NoRoom extract.Defect = "no-room" // its place cannot hold the new reference, which is Detail
	// with the new text Detail, this reference or another one would be read back as something else
	Misread extract.Defect = "misread"
	// it is only listed, and leads elsewhere from the new place; Detail is the URI that it should
	// have
	Left extract.Defect = "left"
	// it decides where the element around it ends, and an edit would move that end: see
	// [extract.Ref.Fixed]
	FixedEnd extract.Defect = "fixed-end"
	// additions of a web archive stay: Detail says which mark is missing
	Additions extract.Defect = "additions"
	Unmoved   extract.Defect = "unmoved"   // a rule of the map applies to a reference but gives no URI: Detail says why
	TooLarge  extract.Defect = "too-large" // the new references have more bytes than Rewriter.MaxEdits
	// the part is protected; Detail says how: "signed", "encrypted" or another result of
	// [mime.Leaf.Protected]
	Protected extract.Defect = "protected"
	Unsafe    extract.Defect = "unsafe" // the edits cannot be made in the message: Detail says why
	// links stay because absolink never writes the charset of the document, which is Detail
	Unwritten extract.Defect = "unwritten"
	DKIM      extract.Defect = "dkim" // the edits would break the signature of the message
)

// Plan plans the rewriting of src, with the layers outer around it. An error comes from reading
// src. The plan refers to src, whose bytes must not change while the plan is in use.
func (r *Rewriter) Plan(src *document.Source, outer *base.Layer) (*Plan, error) {
	return r.Visit(src, outer, nil)
}

// Visit is Plan, and calls visit for each document of src with its links, in their order. Links
// that stay are among them. A link is valid until the next one, and fields that visit sets until
// then take effect. visit may range over the links once; links over which it does not range are
// planned all the same. After that [Plan.DocumentEdits] has the edits of the document. An error of
// visit ends the plan and is returned. visit must not use r. A nil visit does nothing.
func (r *Rewriter) Visit(src *document.Source, outer *base.Layer,
	visit func(p *Plan, d *document.Document, links iter.Seq[*Link]) error) (*Plan, error) {
	return job{r: r, src: src, outer: outer, visit: visit}.plan()
}

// plan makes a plan of the job.
func (j job) plan() (*Plan, error) {
	p := &Plan{job: j}
	if err := p.begin(); err != nil {
		return nil, err
	}
	for d := range j.r.set.All() {
		if isCounted(d.Format) {
			p.count(d)
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
	p.end()
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
