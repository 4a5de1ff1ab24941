package rewrite

import (
	"bytes"
	"errors"
	"io"

	"absolink/base"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/mbox"
)

// Page, Message and Mailbox rewrite in one step, from a reader to a writer. They plan the edits
// with the names of the parts, verify them, and write the result. A source that cannot be edited
// safely, or whose output does not pass the verification, is written unchanged, and the [Result]
// says so.

// Result reports the rewriting of a page, a message or a mailbox.
type Result struct {
	Messages   int // that were read: those of a mailbox, 1 for a message, 0 for a page
	Edited     int // pages or messages that were written with edits
	References int // number of edited references
	Protected  int // signed or encrypted parts with references to edit, which stay
	Broken     int // signed parts that were edited, with Rewriter.BreakSignatures
	// messages with a signature for mail servers that edits broke, or would have broken without
	// Rewriter.KeepDKIM
	DKIM int
	// pages or messages that stay although references should change; Problems says why
	Kept     int
	Problems []document.Problem // of all messages; offsets and lines are those of the input
}

// Page reads a page into memory and writes it with edits. url is the URI from which it was
// retrieved, or empty if that is unknown. A page whose format is not recognised is read as HTML. An
// error comes from in or w.
func (r *Rewriter) Page(w io.Writer, in io.Reader, url string) (*Result, error) {
	src, err := source(in)
	if err != nil {
		return nil, err
	}
	src.Format = extract.Detect(src.Data, "")
	if src.Format == extract.Unknown {
		src.Format = extract.HTML
	}
	return r.single(w, src, retrieved(url))
}

// Message reads an Internet message or an MHTML archive into memory and writes it with edits. url
// is the URI from which it was retrieved, or empty if that is unknown. It is the base if the
// message itself gives none. References between parts of the message stay unchanged. An error comes
// from in or w.
func (r *Rewriter) Message(w io.Writer, in io.Reader, url string) (*Result, error) {
	src, err := source(in)
	if err != nil {
		return nil, err
	}
	src.Message = true
	return r.single(w, src, retrieved(url))
}

// Mailbox reads a mailbox and writes it with edits, message by message, each as [Rewriter.Message]
// would. A message that cannot be edited safely in the mailbox stays unchanged, and Mailbox
// continues with the next message. An error comes from in or w.
func (r *Rewriter) Mailbox(w io.Writer, in io.Reader, v mbox.Variant, url string) (*Result, error) {
	outer := retrieved(url)
	var (
		res Result
		b   Mailbox
	)
	messages := mbox.NewReader(in, mbox.Options{Variant: v, Lengths: true})
	for m, err := range messages.All() {
		if err == nil {
			err = r.message(w, &b, m, &res, outer)
			m.Release()
		}
		if err != nil {
			return nil, err
		}
	}
	return &res, nil
}

// retrieved returns the layer of a source that was retrieved from url, or nil if url is empty.
func retrieved(url string) *base.Layer {
	if url == "" {
		return nil
	}
	return &base.Layer{Source: base.URL, Value: url}
}

// source reads a page or message into memory.
func source(in io.Reader) (*document.Source, error) {
	data, err := io.ReadAll(in)
	return &document.Source{At: bytes.NewReader(data), Size: int64(len(data)), Data: data}, err
}

// single rewrites a page or message.
func (r *Rewriter) single(w io.Writer, src *document.Source, outer *base.Layer) (*Result, error) {
	var res Result
	if src.Message {
		res.Messages = 1
	}
	p, err := r.verified(src, outer, nil)
	if err != nil {
		return nil, err
	}
	res.add(p)
	if err := p.Write(w); err != nil {
		return nil, err
	}
	return &res, nil
}

// message rewrites the next message of a mailbox.
func (r *Rewriter) message(w io.Writer, b *Mailbox, m *mbox.Message, res *Result, outer *base.Layer) error {
	res.defects(m)
	if m.Number == 0 { // it is not a message
		return errors.Join(b.Add(m, nil), b.Write(w, m, nil))
	}
	src := &document.Source{Message: true,
		At: io.NewSectionReader(m, m.Content.Start, m.Content.Len()), Size: m.Content.Len(),
		Origin: m.Offset + m.Content.Start, LinesBefore: m.Line - 1}
	if m.Data != nil {
		src.Data = m.Data[m.Content.Start:m.Content.End]
	}
	if m.Separator.Len() > 0 {
		src.LinesBefore++
	}
	p, err := r.verified(src, outer, m)
	if err != nil {
		return err
	}
	if err := b.Add(m, p); err != nil {
		p.refuse(err)
	}
	res.Messages++
	res.add(p)
	return b.Write(w, m, p)
}

// verified plans the rewriting of src and verifies its output. src is the content of m, if m is not
// nil. References that are not read back as planned stay as they are written. If they are not
// found, the plan has no edits. An error comes from reading src.
func (r *Rewriter) verified(src *document.Source, outer *base.Layer, m *mbox.Message) (*Plan, error) {
	p, err := r.Plan(src, outer)
	if err != nil {
		return nil, err
	}
	why := r.passes(p, m)
	if why == nil {
		return p, nil
	}
	if q := p.Mend(func(q *Plan) bool { return r.passes(q, m) == nil }); q != nil {
		return q, nil
	}
	if p.Kept != Unsafe { // an unsafe plan already has its reason
		p.refuse(why)
	}
	return p, nil
}

// refuse drops the edits of p, which cannot be made because of err.
func (p *Plan) refuse(err error) {
	p.drop()
	p.Kept = Unsafe
	p.Problems = append(p.Problems, document.Problem{Kind: Unsafe, Offset: p.src.Origin, Detail: err.Error()})
}

// defects adds the defects of m in its mailbox.
func (r *Result) defects(m *mbox.Message) {
	first := len(r.Problems)
	for _, d := range m.Defects {
		r.Problems = append(r.Problems,
			document.Problem{Kind: document.Defect, Offset: m.Offset + d.Offset, Detail: d.Text})
	}
	whole := document.Source{At: m, Data: m.Data, Size: m.Size(), Origin: m.Offset, LinesBefore: m.Line - 1}
	whole.Place(r.Problems[first:])
}

// add adds the results of p.
func (r *Result) add(p *Plan) {
	if p.Edited() {
		r.Edited++
	}
	if p.Kept != "" {
		r.Kept++
	}
	if p.DKIM {
		r.DKIM++
	}
	r.References += p.References
	r.Protected += p.Protected
	r.Broken += p.Broken
	r.Problems = append(r.Problems, p.Problems...)
}
