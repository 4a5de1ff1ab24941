// Package rewrite plans the rewriting of one document, message or mailbox, carries it out, and
// verifies the result. Every byte outside an edit stays as it was.
//
// A [Rewriter] says how references are written. Its Page, Message and Mailbox take a reader
// to a writer in one step, and their [Result] says what was done:
//
//	var r rewrite.Rewriter
//	res, err := r.Message(out, in, "http://example.com/")
//
// To do it in several steps, make a [Plan] of each source: which bytes are replaced, and by
// what. A plan is written out, and its output can be verified: it must have the same references,
// each rewritten as planned.
//
//	var r rewrite.Rewriter
//	p, err := r.Plan(&document.Source{Message: true, At: file, Size: size}, outer)
//	if err != nil {
//		return err // of reading
//	}
//	err = p.Write(out)
//
// A caller that chooses the references, or counts them, ranges over the documents of a plan and
// their links before that is ended:
//
//	var p rewrite.Plan
//	if err := p.Begin(&r, src, outer); err != nil {
//		return err
//	}
//	for d := range p.Documents() {
//		for l := range p.Links(d) {
//			l.Keep = !wanted(l)
//		}
//	}
//	p.End()
//
// What cannot be edited safely stays as it was written, and is a problem of the plan: what
// is signed or encrypted, a part in an unknown transfer encoding, a reference that its place
// cannot hold. Of a mailbox each message has its own plan, see [Mailbox].
package rewrite

import (
	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/resolve/move"
)

// Rewriter says how sources are rewritten. The zero value makes relative references absolute as
// browsers do. It keeps memory from one source to the next. It must not be copied after the
// first source, and is not safe for concurrent use.
type Rewriter struct {
	// Resolver says how references are resolved, and which of them are rewritten. Its
	// InMessage is set for each document.
	Resolver extract.Resolver
	// Options say how sources are read. Listing must not be set. A nil Policy is that of
	// Resolver.
	Options document.Options
	// Site is where links lead to, and how they are written. nil = nothing moves, and all
	// are absolute. Feeds, sitemaps, outlines and parts of messages have no place in a site:
	// their links are always absolute.
	Site *move.Site
	// AnyDepth says that the next source may be shown at any path, as an error page is. Links
	// that would be relative are then root-relative.
	AnyDepth bool
	// Place is the URI that the next source has in the site, if it was retrieved from another
	// one. Its links are written relative to Place. "" = the two are the same.
	Place string
	// Chooses says that the caller sets Keep of some links. A BASE then stays, whatever the form
	// of the site, and a document with one gets absolute links.
	Chooses bool

	BreakSignatures bool  // what is signed is edited, too; what is encrypted stays
	KeepDKIM        bool  // a message stays as it is if the edits would break its DKIM, DomainKeys or ARC signature
	MaxEdits        int64 // bytes that the new references of one source may have; 0 = 64 MiB
	NoVerify        bool  // plans cannot be verified, but are made faster and need less memory

	set  document.Set // of the source at hand
	link Link
}

// Kinds of problems of a plan, by which something stays as it was written.
const (
	NoRoom extract.Defect = "no-room" // its place cannot hold the reference that Detail is
	// written as Detail, it would be read back as something else, or another reference would
	Misread extract.Defect = "misread"
	// it is listed only and leads elsewhere from the new place; Detail is the URI that it was to
	// have
	Left extract.Defect = "left"
	// it decides where the element around it ends, and an edit would move that: see
	// [extract.Ref.Fixed]
	FixedEnd extract.Defect = "fixed-end"
	Unmoved  extract.Defect = "unmoved"   // a rule of the map counts for a reference and gives no URI: Detail says why
	TooLarge extract.Defect = "too-large" // the new references have more bytes than Rewriter.MaxEdits
	// Detail says by what: "signed", "encrypted" or another answer of [mime.Leaf.Protected]
	Protected extract.Defect = "protected"
	Unsafe    extract.Defect = "unsafe" // the edits cannot be made in the message: Detail says why
	// links stay since nothing is written in the charset of the document, which Detail is
	Unwritten extract.Defect = "unwritten"
	DKIM      extract.Defect = "dkim" // the edits would break the signature of the message
)

// Plan plans the rewriting of src, with the layers outer around it. The error is that of reading
// src. The plan refers to src, whose bytes must not change while the plan is in use.
func (r *Rewriter) Plan(src *document.Source, outer *base.Layer) (*Plan, error) {
	return r.plan(src, outer, nil)
}

// plan is Plan with the references that stay, see [Plan.Leave].
func (r *Rewriter) plan(src *document.Source, outer *base.Layer, leave func(n int) bool) (*Plan, error) {
	p := &Plan{Leave: leave}
	if err := p.Begin(r, src, outer); err != nil {
		return nil, err
	}
	for d := range p.Documents() {
		for range p.Links(d) {
		}
	}
	p.End()
	return p, nil
}

// options returns how sources are read.
func (r *Rewriter) options() document.Options {
	o := r.Options
	if o.Policy == nil {
		o.Policy = &r.Resolver.Policy
	}
	return o
}

// moves reports whether links lead elsewhere, or are not written absolute.
func (r *Rewriter) moves() bool { return r.Site != nil && r.Site.Moves() }
