package write

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/mime"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// plan is what is to be done to one input.
type plan struct {
	rewrite.Plan
	before report.Entry // the account of the input without the plan
	shown  []byte       // what --dry-run or --diff prints
	sum    maphash.Hash // of what was written, before the coding
}

// newRewriter returns what plans and verifies as the flags say.
func (c *Command) newRewriter() *rewrite.Rewriter {
	return &rewrite.Rewriter{
		Resolver: extract.Resolver{
			Policy:    c.o.Links.Policy,
			Fragments: c.o.Fragments, Normalize: c.o.Normalize, BaseElement: c.o.BaseElement,
		},
		Options:         c.o.Links.Documents(),
		Site:            &c.site,
		Chooses:         !c.o.Links.Choice.All(),
		BreakSignatures: c.o.BreakSignatures,
		KeepDKIM:        c.o.skipDKIM,
		MaxEdits:        cmp.Or(c.o.MaxEdits, int64(c.o.Run.MaxSize)),
	}
}

// plan finds all edits of in. Whatever keeps a document from being edited is noted in e, and
// the document stays as it is.
func (w *worker) plan(ctx context.Context, in *input.Document, e *report.Entry) (*plan, error) {
	p, err := w.planWithout(ctx, in, nil, e)
	if err == nil && p.Kept == rewrite.Unsafe {
		w.mend(ctx, in, p, e, nil)
	}
	return p, err
}

// planWithout is plan with the references that stay as they are written, see [rewrite.Plan.Leave].
func (w *worker) planWithout(ctx context.Context, in *input.Document,
	leave func(n int) bool, e *report.Entry) (*plan, error) {
	p := &plan{before: *e}
	p.Leave = leave
	w.Until(ctx)
	if err := w.begin(p, in, e); err != nil {
		return nil, err
	}
	for d := range p.Documents() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		how := w.enter(d, e)
		for l := range p.Links(d) {
			p.tell(e)
			if ctx.Err() != nil {
				l.Keep = true // nothing is made of the plan
				continue
			}
			w.choose(d, l, how, e)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if w.c.o.shows() {
			w.LookFurther(d)
		}
		p.show(w.c, in, d, e)
		p.tell(e)
	}
	p.End()
	w.account(p, in, e)
	return p, nil
}

// begin begins p, the plan of in.
func (w *worker) begin(p *plan, in *input.Document, e *report.Entry) error {
	w.rewriter.NoVerify = !w.c.verifies(in)
	w.rewriter.AnyDepth = w.c.atAnyDepth(in.Rel)
	around, err := w.aroundTwin(in)
	if err != nil {
		return err
	}
	if err := p.Begin(w.rewriter, in.DocumentSource(w.c.o.Links.Charset), around); err != nil {
		return err
	}
	p.Written = w.c.written(in, p.Message)
	w.written = p.Written
	w.Identify(e, p.Message)
	return nil
}

// manner says what becomes of the links of a document.
type manner struct {
	formed bool // they may have the form of the site
	stays  bool // all stay as they are
}

// enter counts d in e, and returns what becomes of its links.
func (w *worker) enter(d *document.Document, e *report.Entry) manner {
	w.Enter(d, e)
	formed := w.c.site.Form != move.Absolute && d.Entity == nil
	m := manner{formed, formed && w.c.disk != nil && w.rewriter.AnyDepth}
	w.noteForm(d, m, e)
	return m
}

// choose counts l, a link of d, in e, and keeps it if it was not asked for.
func (w *worker) choose(d *document.Document, l *rewrite.Link, how manner, e *report.Entry) {
	l.Keep = how.stays || !w.c.o.Links.Choice.All() && !w.Chooses(&l.Link)
	if most := w.c.o.MaxMatched; most > 0 && len(l.URI) > most && !l.Keep {
		l.Keep = true
		e.Problems.NoteAt(d, l.Span,
			fmt.Sprintf("a URI of %d bytes is too long for --map-regex here, at most %d are tried: it stays as written",
				len(l.URI), most))
	}
	l.Absolute = how.formed && w.c.o.Keep.Has(d.Data, &l.Link)
	original := ""
	if l.Status == extract.Unresolved && !l.Unsure() {
		original = w.c.site.Map.Original(string(l.Value))
	}
	if w.c.o.Links.CheckFiles {
		moves := w.moved
		if !l.Keep && w.c.site.Form != move.Relative && w.c.site.Form != move.Disk {
			moves = nil
		}
		w.Look(d, &l.Link, w.leadsTo(l, original), moves, e)
	}
	w.Count(d, &l.Link, e)
	if original != "" {
		// a path of a web archive says which URI is meant
		e.Links.Recount(extract.Unresolved, extract.AbsoluteRef)
	}
}

// leadsTo returns the URI to which l leads as it will be written, "" if there is none. original is
// what it stands for in a web archive, if it has no base.
func (w *worker) leadsTo(l *rewrite.Link, original string) string {
	uri := cmp.Or(string(l.URI), original)
	if l.Keep || uri == "" || l.Unsafe || l.ListOnly && l.Doubtful {
		return string(l.URI)
	}
	to, err := w.c.site.Map.Move(uri, w.written)
	if err != nil {
		return string(l.URI) // it stays as it is written
	}
	return to
}

// moved returns where the rules move a URI: to itself if no result can be written.
func (w *worker) moved(uri string) string {
	to, err := w.c.site.Map.Move(uri, w.written)
	if err != nil {
		return uri
	}
	return to
}

// noteForm notes in e what keeps the links of d from having the form of the site, or from
// working in it.
func (w *worker) noteForm(d *document.Document, m manner, e *report.Entry) {
	switch {
	case m.stays:
		e.Problems.NoteAt(d, extract.Span{}, sayAnyDepth)
	case w.rewriter.Chooses && m.formed && d.Base() != d.Layer:
		e.Problems.NoteAt(d, extract.Span{}, w.c.sayBase())
	}
	if w.c.disk != nil {
		noteRefused(d, e)
	}
}

// tell notes in e the problems that were found since.
func (p *plan) tell(e *report.Entry) {
	if len(p.Problems) > 0 {
		e.Problems.Found(p.Problems...)
		p.Problems = p.Problems[:0]
	}
}

// account notes in e what p, the plan of in, comes to, and the problems of its end.
func (w *worker) account(p *plan, in *input.Document, e *report.Entry) {
	list, last := p.Problems, []document.Problem(nil)
	if p.Kept == rewrite.Unsafe {
		list, last = list[:len(list)-1], list[len(list)-1:]
	}
	w.Tell(e, in, list)
	e.Problems.Found(last...)
	if p.Kept != "" {
		p.shown = nil
	}
	if p.Kept == rewrite.DKIM {
		e.Result.Skip("dkim: its signature would break")
	}
	e.Edits.Count(&p.Plan)
}

// outcome returns what becomes of what e is about, if the plan can be carried out.
func (p *plan) outcome(e *report.Entry) report.Outcome {
	switch {
	case p.Edited():
		return report.Rewritten
	case e.Result.Reason() != "":
		return report.Skipped
	}
	return report.Unchanged
}

// write streams the input with the edits made, in the coding that it was in.
func (p *plan) write(ctx context.Context, w io.Writer, in *input.Document) error {
	if !p.Edited() {
		return copyAll(ctx, w, in)
	}
	out, err := in.Coding.Writer(output.Interruptible(ctx, w))
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
	if err := p.writeWhole(buf, in); err != nil {
		return err
	}
	return errors.Join(buf.Flush(), out.Close())
}

// writeWhole writes all that in is stored around its content, too, if there is anything.
func (p *plan) writeWhole(w io.Writer, in *input.Document) error {
	if in.Kind != input.Emlx {
		return p.Write(w)
	}
	whole, size := in.Whole()
	return mime.Write(w, whole, size, slices.Collect(in.Edits(p.Edits())))
}

// buffers gather the many small pieces between edits.
var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 64<<10) }}

var seed = maphash.MakeSeed()

// decodes compares the content of what was written under a coding, and read again,
// with what was put into it.
func (p *plan) decodes(again *input.Document) error {
	var sum maphash.Hash
	sum.SetSeed(seed)
	whole, size := again.Whole()
	if _, err := io.Copy(&sum, io.NewSectionReader(whole, 0, size)); err != nil {
		return err
	}
	if sum.Sum64() != p.sum.Sum64() {
		return &output.Refusal{Reason: "verify: the output does not decode to what was written; it stays as written"}
	}
	return nil
}

// appendHeading appends a line with the subject, sender and date of the message that e is about,
// nothing if it has none of them.
func appendHeading(dst []byte, e *report.Entry) []byte {
	m := &e.Subject.Message
	known := slices.DeleteFunc([]string{m.Subject, m.From, m.Date}, func(s string) bool { return s == "" })
	if len(known) == 0 {
		return dst
	}
	heading := strings.Join(known, ", ")
	return fmt.Appendf(dst, "%s: %s\n", console.Printable(e.Subject.Name()), console.Printable(heading))
}

// show adds what --dry-run or --diff prints of d, the document of in whose links are planned.
func (p *plan) show(c *Command, in *input.Document, d *document.Document, e *report.Entry) {
	if !c.o.shows() || c.o.DiffSize > 0 && len(p.shown) >= c.o.DiffSize {
		return
	}
	edits := p.edits(c.o.DiffSize - len(p.shown))
	switch {
	case len(edits) == 0:
	case c.o.DiffSize > 0:
		p.shown = appendHunks(p.shown, console.Printable(partOf(in, d)), d.Data, edits, c.o.DiffSize-len(p.shown))
	case c.o.Diff:
		p.shown = append(p.shown, c.difference(partOf(in, d), d.Data, edits)...)
	default:
		if len(p.shown) == 0 {
			p.shown = appendHeading(p.shown, e)
		}
		p.shown = appendEdits(p.shown, in, d, edits)
	}
}

// edits returns the edits of the document that is planned: all of them, or with a positive size as
// many as differences of that many bytes need.
func (p *plan) edits(size int) (list []extract.Edit) {
	n := 0
	for e := range p.DocumentEdits() {
		list = append(list, e)
		n += len(e.New) + e.End - e.Start
		if size > 0 && n > size {
			break
		}
	}
	return list
}

// appendEdits appends a line for each edit of d.
func appendEdits(dst []byte, in *input.Document, d *document.Document, edits []extract.Edit) []byte {
	for _, e := range edits {
		line, column := d.Position(d.Source(e.Span).Start)
		dst = fmt.Appendf(dst, "%s:%d:%d: %s -> %s\n", console.Printable(in.Source), line, column,
			printable(d.Data[e.Start:e.End]), printable(e.New))
	}
	return dst
}

// printable returns the bytes of a document on one line.
func printable(b []byte) string {
	return console.Printable(string(bytes.TrimSpace(b)))
}

// partOf names a document for a user.
func partOf(in *input.Document, d *document.Document) string {
	name := in.Source
	name += in.Label()
	if s := d.Section(); s != "" {
		name += " part " + s
	}
	return name
}
