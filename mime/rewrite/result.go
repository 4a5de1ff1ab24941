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

// Page, Message and Mailbox rewrite in one step, from a reader to a writer. They plan the edits,
// verify them, and write the output. If a source cannot be edited safely, or if its output does not
// pass the verification, they write it unchanged, and count it in [Result].Kept.

// Result reports the rewriting of a page, a message or a mailbox.
type Result struct {
	Messages   int // number of messages: those of a mailbox, 1 for a message, 0 for a page
	Edited     int // number of pages or messages that were written with edits
	References int // number of edited references
	Protected  int // number of signed or encrypted parts that stay although references should change
	Broken     int // number of signed parts that were edited, with Rewriter.BreakSignatures
	// number of messages whose signature for mail servers is broken by edits, or would be without
	// Rewriter.KeepDKIM
	DKIM int
	// number of pages or messages that stay although references should change: because of
	// Rewriter.KeepDKIM, or for a reason that Problems gives
	Kept     int
	Problems []document.Problem // of all messages; offsets and lines refer to the input
}

// Page reads a page into memory and writes it with edits. url is the URI from which it was
// retrieved, or empty if that is unknown. A page whose format is not recognised is read as HTML. An
// error comes from in or w.
func (r *Rewriter) Page(w io.Writer, in io.Reader, url string) (*Result, error) {
	src, err := readSource(in)
	if err != nil {
		return nil, err
	}
	src.Format = extract.Detect(src.Data, "")
	if src.Format == extract.Unknown {
		src.Format = extract.HTML
	}
	return r.single(w, src, retrievalLayer(url))
}

// Message reads an Internet message or an MHTML archive into memory and writes it with edits. url
// is the URI from which it was retrieved, or empty if that is unknown. That URI is the base unless
// the message itself gives one. References between parts of the message stay unchanged. An error
// comes from in or w.
func (r *Rewriter) Message(w io.Writer, in io.Reader, url string) (*Result, error) {
	src, err := readSource(in)
	if err != nil {
		return nil, err
	}
	src.Message = true
	return r.single(w, src, retrievalLayer(url))
}

// Mailbox reads a mailbox of variant v and writes it with edits, message by message, each as
// [Rewriter.Message] would. If a message cannot be edited safely, Mailbox writes it unchanged and
// continues. url is the URI from which the mailbox was retrieved, or empty if that is unknown. An
// error comes from in or w.
func (r *Rewriter) Mailbox(w io.Writer, in io.Reader, v mbox.Variant, url string) (*Result, error) {
	outer := retrievalLayer(url)
	var (
		res Result
		b   Mailbox
	)
	messages := mbox.NewReader(in, mbox.Options{Variant: v, Lengths: true})
	for m, err := range messages.All() {
		if err == nil {
			err = r.mailboxMessage(w, &b, m, &res, outer)
			m.Release()
		}
		if err != nil {
			return nil, err
		}
	}
	return &res, nil
}

// retrievalLayer returns the layer of a source that was retrieved from url, or nil if url is empty.
func retrievalLayer(url string) *base.Layer {
	if url == "" {
		return nil
	}
	return &base.Layer{Source: base.URL, Value: url}
}

// readSource reads a page or message into memory.
func readSource(in io.Reader) (*document.Source, error) {
	data, err := io.ReadAll(in)
	return &document.Source{At: bytes.NewReader(data), Size: int64(len(data)), Data: data}, err
}

// single rewrites src, a page or a single message.
func (r *Rewriter) single(w io.Writer, src *document.Source, outer *base.Layer) (*Result, error) {
	var res Result
	if src.Message {
		res.Messages = 1
	}
	p, err := r.planVerified(src, outer, nil)
	if err != nil {
		return nil, err
	}
	res.add(p)
	if err := p.Write(w); err != nil {
		return nil, err
	}
	return &res, nil
}

// mailboxMessage rewrites the next message of a mailbox.
func (r *Rewriter) mailboxMessage(w io.Writer, b *Mailbox, m *mbox.Message, res *Result, outer *base.Layer) error {
	res.addDefects(m)
	if m.Number == 0 { // bytes of the mailbox that are not a message
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
	p, err := r.planVerified(src, outer, m)
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

// planVerified plans the rewriting of src and verifies its output. If m is not nil, src is the
// content of m. References that are not read back as planned stay as they are written. If they
// cannot be found, the plan has no edits. An error comes from reading src.
func (r *Rewriter) planVerified(src *document.Source, outer *base.Layer, m *mbox.Message) (*Plan, error) {
	p, err := r.Plan(src, outer)
	if err != nil {
		return nil, err
	}
	why := r.check(p, m)
	if why == nil {
		return p, nil
	}
	if q := p.Mend(func(q *Plan) bool { return r.check(q, m) == nil }); q != nil {
		return q, nil
	}
	if p.WhyUnchanged != Unsafe { // an unsafe plan already has a problem that says why
		p.refuse(why)
	}
	return p, nil
}

// refuse drops the edits of p, and adds a problem with the reason err.
func (p *Plan) refuse(err error) {
	p.drop()
	p.WhyUnchanged = Unsafe
	p.Problems = append(p.Problems, document.Problem{Kind: Unsafe, Offset: p.src.Origin, Detail: err.Error()})
	p.src.Place(p.Problems[len(p.Problems)-1:])
}

// addDefects adds problems for the defects of m as a message of its mailbox.
func (r *Result) addDefects(m *mbox.Message) {
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
	if p.WhyUnchanged != "" {
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
