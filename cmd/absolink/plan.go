package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"sync"

	"github.com/rogpeppe/go-internal/diff"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/mime"
)

// plan is what is to be done to one input: all edits, in its bytes, and what the
// output must then list.
type plan struct {
	edits  []mime.Edit
	prints []uint64     // fingerprints of the links of the output, where it is verified
	shown  []byte       // what --dry-run or --diff prints
	sum    maphash.Hash // of what was written, before the coding
}

// write streams the input with the edits made, in the coding that it was in.
func (p *plan) write(ctx context.Context, w io.Writer, in *input.Document) error {
	if len(p.edits) == 0 {
		return copyAll(ctx, w, in)
	}
	out, err := in.Coding.Writer(&stopping{ctx, w})
	if err != nil {
		return err
	}
	buf := buffers.Get().(*bufio.Writer)
	defer buffers.Put(buf)
	buf.Reset(out)
	if in.Coding != coding.None {
		p.sum.SetSeed(seed)
		buf.Reset(io.MultiWriter(out, &p.sum))
	}
	if err := mime.Write(buf, in.At, in.Size, p.edits); err != nil {
		return err
	}
	return errors.Join(buf.Flush(), out.Close())
}

// buffers gather the many small pieces between edits.
var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 64<<10) }}

// decodes compares the content of what was written under a coding, and read again,
// with what was put into it.
func (p *plan) decodes(again *input.Document) error {
	var sum maphash.Hash
	sum.SetSeed(seed)
	if _, err := io.Copy(&sum, io.NewSectionReader(again.At, 0, again.Size)); err != nil {
		return err
	}
	if sum.Sum64() != p.sum.Sum64() {
		return &output.Refusal{Reason: "verify: the output does not decode to what was written; it stays as written"}
	}
	return nil
}

// outcome returns what becomes of what e is about, if the plan can be carried out.
func (p *plan) outcome(e *report.Entry) report.Outcome {
	switch {
	case len(p.edits) > 0:
		return report.Rewritten
	case e.Reason != "":
		return report.Skipped
	}
	return report.Unchanged
}

var seed = maphash.MakeSeed()

// fingerprint stands for a link in comparisons within one run.
func fingerprint(s extract.Status, uri []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	h.WriteByte(byte(s))
	h.Write(uri)
	return h.Sum64() &^ writtenPrint
}

// planner makes the plan of one input.
type planner struct {
	x      *rewriting
	w      *worker
	in     *input.Document
	e      *report.Entry
	set    *document.Set
	plan   plan
	change *mime.Change // nil for a page
	root   *mime.Entity // nil for a page
	proven bool         // the output is compared with the prints
	first  int          // where the prints of the document at hand begin
	before []uint64     // they, if it is not edited after all
	room   int64        // how many bytes the edits of documents may hold yet
}

// plan finds all edits of in. Whatever keeps a document from being edited is
// noted in e, and the document stays as it is.
func (x *rewriting) plan(ctx context.Context, w *worker, in *input.Document, e *report.Entry) (*plan, error) {
	set, err := x.r.documents(w, in)
	if err != nil {
		return nil, err
	}
	p := &planner{x: x, w: w, in: in, set: set, e: e, proven: x.verifies(in), room: int64(x.maxSize)}
	x.r.identify(e, set)
	if set.Message != nil {
		p.change, p.root = set.Message.Change(), set.Message.Root
		p.change.BreakSignatures = x.breakSignatures
	}
	for d := range set.All() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.document(d)
	}
	e.Add(set.Problems()...)
	leftInvalid(e)
	p.finish()
	return &p.plan, nil
}

// document adds the edits of one document.
func (p *planner) document(d *document.Document) {
	edits := p.links(d)
	if len(edits) == 0 {
		return
	}
	if !p.add(d, edits) {
		p.plan.prints = append(p.plan.prints[:p.first], p.before...)
		return
	}
	p.e.Edits += len(edits)
	p.e.DKIM = p.e.DKIM || d.Entity != nil && d.Entity.DKIM()
	if p.x.shows() {
		p.show(d, edits)
	}
}

// links takes the links of d and returns their edits, as long as there is room for
// them, and notes what the output must list, if all of them are made.
func (p *planner) links(d *document.Document) []extract.Edit {
	var edits []extract.Edit
	p.first, p.before = len(p.plan.prints), p.before[:0]
	m := p.x.mover(p.w, d)
	for l := range p.w.links(d, p.e) {
		if p.proven {
			p.before = append(p.before, printOf(&l, m != nil))
		}
		text := p.decide(m, d, &l)
		if l.Change {
			edits = p.edit(edits, &l, text)
			l.Status = m.status(&l, text)
			if name := p.w.resolver.InMessage; p.proven && l.Status == extract.AbsoluteRef && name != nil && name(text, l.URI) {
				l.Status = extract.InMessage
			}
		}
		if !l.Drop && p.proven {
			p.plan.prints = append(p.plan.prints, printOf(&l, m != nil && !l.Change))
		}
	}
	extract.SortEdits(edits)
	return edits
}

// decide settles whether l is changed, and returns what is written for it then, to
// which l.URI is the URI. A link that was not asked for, or whose place cannot hold what
// it is to be, keeps the URI that it has.
func (p *planner) decide(m *mover, d *document.Document, l *extract.Link) (text []byte) {
	if o := p.w.o; o.filters() && !p.w.chooses(l) {
		l.Change, l.Drop = false, false
		return l.URI
	}
	was := l.URI
	if text = was; m != nil {
		text = m.move(l)
	}
	switch {
	case !l.Change || l.Drop:
	case l.Holds(text):
		l.URI, text = l.Fit(l.URI), l.Fit(text)
	default:
		l.Change, l.URI = false, was
		problem := d.Problem(l.Span, "stays as written: its place cannot hold "+printable(text))
		problem.Minor = false
		p.e.Add(problem)
	}
	return text
}

// edit appends the edits of l, which text is written for, as long as there is room
// for them.
func (p *planner) edit(edits []extract.Edit, l *extract.Link, text []byte) []extract.Edit {
	if p.room < 0 {
		return edits
	}
	n := len(edits)
	if l.Drop {
		edits = p.w.resolver.AppendEdits(edits, l)
	} else {
		edits = append(edits, l.Edit(text))
	}
	for _, e := range edits[n:] {
		p.room -= int64(len(e.New))
	}
	return edits
}

// printOf stands for a link in the comparison of input and output. What an identifier
// would be resolved to may change with a BASE, and means nothing. Where a document
// moves, what is relative and stays as written is compared as it is written, since
// it means something else in the new place.
func printOf(l *extract.Link, written bool) uint64 {
	switch {
	case l.Status == extract.IdentifierRef:
		return fingerprint(l.Status, nil)
	case written && l.Status != extract.AbsoluteRef:
		return fingerprint(l.Status, l.Value) | writtenPrint
	}
	return fingerprint(l.Status, l.URI)
}

// writtenPrint is the bit of a fingerprint that says that it is one of what is written.
const writtenPrint = 1

// add turns the edits of a document into edits of the input. It reports whether
// they can be made; the reason why not goes into the account.
func (p *planner) add(d *document.Document, edits []extract.Edit) bool {
	if p.room < 0 {
		for _, e := range edits {
			p.room += int64(len(e.New))
		}
		p.e.Add(document.Problem{Part: d.Section(), Offset: -1, Text: "stays as written: absolute, its links are more bytes than --max-size allows"})
		return false
	}
	if p.change == nil {
		for _, e := range edits {
			p.plan.edits = append(p.plan.edits, mime.Edit{Span: mime.Span{Start: int64(e.Start), End: int64(e.End)}, New: e.New})
		}
		return true
	}
	reason := d.Leaf.Protected()
	if reason == "signed" && p.x.breakSignatures {
		p.e.Broken++
	} else if reason != "" {
		p.e.Signed++
		p.e.Add(d.Problem(extract.Span{}, reason+": stays as written"))
		return false
	}
	if err := p.change.Edit(d.Leaf, edits); err != nil {
		p.untouched(d.Entity, err)
		return false
	}
	return true
}

// untouched notes why e, or what it belongs to, is not edited.
func (p *planner) untouched(e *mime.Entity, err error) {
	problem := p.set.Failure(e, err)
	problem.Text = "stays as written: " + problem.Text
	p.e.Add(problem)
}

// finish has the edits of a message verified together, and drops them where
// they must not be made.
func (p *planner) finish() {
	if p.change != nil {
		edits, err := p.change.Edits()
		if err != nil {
			p.untouched(p.root, err)
			p.drop()
			return
		}
		p.plan.edits = edits
	}
	if p.e.DKIM && p.x.skipsDKIM() {
		p.e.Reason = "dkim: its signature would break"
		p.drop()
	}
}

func (p *planner) drop() {
	p.plan.edits, p.plan.shown, p.e.Edits, p.e.Broken = nil, nil, 0, 0
}

// show appends what --dry-run or --diff prints of one document.
func (p *planner) show(d *document.Document, edits []extract.Edit) {
	if p.x.diff {
		name := console.Printable(partOf(p.in, d))
		text := diff.Diff(name, d.Data, name+" (absolute)", extract.Apply(nil, d.Data, edits))
		if p.x.terminal {
			text = []byte(console.PrintableLines(string(text)))
		}
		p.plan.shown = append(p.plan.shown, text...)
		return
	}
	for _, e := range edits {
		at := d.Source(e.Span).Start
		line, column := d.Position(at)
		p.plan.shown = fmt.Appendf(p.plan.shown, "%s:%d:%d: %s -> %s\n", console.Printable(p.in.Source), line, column,
			printable(d.Data[e.Start:e.End]), printable(e.New))
	}
}

// printable returns the bytes of a document on one line.
func printable(b []byte) string {
	return console.Printable(string(bytes.TrimSpace(b)))
}
