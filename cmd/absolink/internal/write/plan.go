package write

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// plan holds the edits of one input and the text about them.
type plan struct {
	*rewrite.Plan
	shown []byte       // output of --dry-run or --diff
	sum   maphash.Hash // of the written bytes before they are encoded
}

// visitor chooses and counts the links of the input at hand, for each plan that is made of it.
type visitor struct {
	w      *worker
	ctx    context.Context
	in     *input.Document
	before report.Entry  // the entry of in before it was planned
	entry  *report.Entry // the entry of in with the last plan
	plan   *plan         // the last plan; nil before the first one
}

// planAll is like [worker.plan], but does not mend an unsafe plan.
func (w *worker) planAll(ctx context.Context, in *input.Document, e *report.Entry) (*plan, error) {
	v := &w.visitor
	*v = visitor{w: w, ctx: ctx, in: in, before: *e, entry: e}
	w.SetContext(ctx)
	w.rewriter.NoVerify = !w.c.verifies(in)
	w.anyDepth = w.c.atAnyDepth(in.Rel)
	around, err := w.aroundTwin(in)
	if err != nil {
		return nil, err
	}
	src := in.DocumentSource(w.c.o.Links.Reading.Charset)
	src.Signed = w.isSigned(in)
	p, err := w.rewriter.Visit(src, around, w.visit)
	if err != nil {
		return nil, err
	}
	v.begin(p)
	w.account(v.plan, in, e)
	return v.plan, nil
}

// begin resets the entry if p is not the last plan.
func (v *visitor) begin(p *rewrite.Plan) {
	if v.plan != nil && v.plan.Plan == p {
		return
	}
	v.plan = &plan{Plan: p}
	*v.entry = v.before
	if v.w.c.dated {
		p.Written = written(v.in, p.Message)
	}
	v.w.DescribeMessage(v.entry, p.Message)
}

// visit chooses and counts the links of d, and shows their edits. The error comes from the context.
func (v *visitor) visit(made *rewrite.Plan, d *document.Document, links iter.Seq[*rewrite.Link]) error {
	v.begin(made)
	w, p, e := v.w, v.plan, v.entry
	if v.ctx.Err() != nil {
		return v.ctx.Err()
	}
	how := w.enter(d, e)
	for l := range links {
		p.tell(e)
		if v.ctx.Err() != nil {
			l.Keep = true // the plan is dropped below
			continue
		}
		w.choose(p, d, l, how, e)
	}
	if v.ctx.Err() != nil {
		return v.ctx.Err()
	}
	if w.c.o.Show.On() {
		w.TryMoreOptions(d)
	}
	p.show(&w.c.o.Show, v.in, d, e)
	p.tell(e)
	return nil
}

// locate returns the place of d, the document at hand, in the site, and the form of its links.
func (w *worker) locate(d *document.Document) (*move.Page, error) {
	uri := cmp.Or(w.place, d.Layer.Retrieval(&w.c.o.Links.Bases.Policy))
	if uri == "" {
		return nil, nil
	}
	page, err := w.c.site.Page(uri)
	if err != nil {
		return nil, err
	}
	if w.anyDepth && page.Form != move.AsWritten {
		page.Form = move.RootRelative
	}
	if w.keepsBase(d) {
		page.Form = move.Absolute
	}
	return page, nil
}

// keepsBase reports whether the BASE of d stays because not all of its references are rewritten.
func (w *worker) keepsBase(d *document.Document) bool {
	return !w.c.o.Links.Choice.ChoosesAll() && d.Base() != d.Layer
}

// manner says how the links of a document are written.
type manner struct {
	formed bool // the links may have the form of the site
	stays  bool // all links stay as they are
}

// enter counts d in e and returns how its links are written.
func (w *worker) enter(d *document.Document, e *report.Entry) manner {
	w.Enter(d, e)
	form := w.c.site.Form
	formed := form != move.Absolute && form != move.AsWritten && d.Entity == nil
	m := manner{formed, formed && w.c.disk != nil && w.anyDepth}
	w.noteForm(d, m, e)
	return m
}

// choose counts l, a link of d, in e, and keeps it as written if it was not chosen. p is the
// current plan.
func (w *worker) choose(p *plan, d *document.Document, l *rewrite.Link, how manner, e *report.Entry) {
	seen := &l.Link
	wrapped := false
	if !w.c.o.Links.Cleaning.Empty() {
		cleaned := l.Link
		seen = &cleaned
		wrapped = w.Clean(d, seen)
	}
	l.Keep = how.stays || !w.c.o.Links.Choice.ChoosesAll() && !w.Chosen(seen)
	if l.Keep {
		w.c.unchosen.note(l, &w.c.site.Map)
	}
	if wrapped && !l.Keep {
		links.NoteWrapped(seen, e)
	}
	if most := w.c.o.Move.MaxMatched; most > 0 && len(l.URI) > most && !l.Keep {
		l.Keep = true
		e.Problems.NoteAt(d, l.Span,
			fmt.Sprintf("a URI of %d bytes is too long for --map-regex here, at most %d are tried: it stays as written",
				len(l.URI), most))
	}
	l.Absolute = how.formed && w.c.o.Move.Keep.Has(d.Data, &l.Link)
	original := ""
	if l.Status == extract.Unresolved && !l.Unsure() {
		original = w.c.site.Map.Original(string(l.Value))
	}
	if w.c.o.Links.Targets.Check {
		moves := func(uri string) string { return w.moved(p, uri) }
		if !l.Keep && w.c.site.Form != move.Relative && w.c.site.Form != move.Disk {
			moves = nil
		}
		w.CheckTarget(d, &l.Link, w.leadsTo(p, l, original), moves, e)
	}
	w.Count(d, &l.Link, e)
	if original != "" {
		// a path of a web archive contains the original URI
		e.Links.Recount(extract.Unresolved, extract.AbsoluteRef)
	}
}

// leadsTo returns the target of l after p is written, or "". original is the URI that l stands for
// in a web archive, if l has no base.
func (w *worker) leadsTo(p *plan, l *rewrite.Link, original string) string {
	uri := cmp.Or(string(l.URI), original)
	if l.Keep || uri == "" || l.Unsafe || l.ListOnly && l.Doubtful {
		return string(l.URI)
	}
	to, err := w.c.site.Map.Move(uri, p.Written)
	if err != nil {
		return string(l.URI) // the link stays as written
	}
	return to
}

// moved returns the new URI of a URI by the rules. It returns uri if p could not write the result.
func (w *worker) moved(p *plan, uri string) string {
	to, err := w.c.site.Map.Move(uri, p.Written)
	if err != nil {
		return uri
	}
	return to
}

// noteForm records in e why the links of d cannot have the form of the site, or will not work in
// it.
func (w *worker) noteForm(d *document.Document, m manner, e *report.Entry) {
	switch {
	case m.stays:
		e.Problems.NoteAt(d, extract.Span{}, "shown at any depth (--any-depth): its links stay as they are")
	case m.formed && w.keepsBase(d):
		e.Problems.NoteAt(d, extract.Span{},
			fmt.Sprintf("has a BASE, which stays since not all references are chosen: its links are absolute, not %v",
				w.c.site.Form))
	}
	if w.c.disk != nil {
		noteRefused(d, e)
	}
}

// tell moves the problems that p has found to e.
func (p *plan) tell(e *report.Entry) {
	if len(p.Problems) > 0 {
		e.Problems.AddFound(p.Problems...)
		p.Problems = p.Problems[:0]
	}
}

// account records in e the counts and the last problems of p, the plan of in.
func (w *worker) account(p *plan, in *input.Document, e *report.Entry) {
	list, last := p.Problems, []document.Problem(nil)
	if p.WhyUnchanged == rewrite.Unsafe {
		list, last = list[:len(list)-1], list[len(list)-1:]
	}
	w.NoteProblems(e, in, list)
	e.Problems.AddFound(last...)
	if p.WhyUnchanged != "" {
		p.shown = nil
	}
	if p.WhyUnchanged == rewrite.DKIM {
		e.Result.Skip("dkim: its signature would break")
	}
	e.Edits.SetPlan(p.Plan)
}

// outcome returns the outcome for the input of e if the plan succeeds.
func (p *plan) outcome(e *report.Entry) report.Outcome {
	switch {
	case p.Edited():
		return report.Rewritten
	case e.Result.Reason() != "":
		return report.Skipped
	}
	return report.Unchanged
}

// appendHeading appends a line with the subject, sender and date of the message in e. It appends
// nothing if all are empty.
func appendHeading(dst []byte, e *report.Entry) []byte {
	m := &e.Subject.Message
	known := slices.DeleteFunc([]string{m.Subject, m.From, m.Date}, func(s string) bool { return s == "" })
	if len(known) == 0 {
		return dst
	}
	heading := strings.Join(known, ", ")
	return fmt.Appendf(dst, "%s: %s\n", console.Printable(e.Subject.Name()), console.Printable(heading))
}

// show appends the output of --dry-run or --diff for d, the current document of in.
func (p *plan) show(s *Show, in *input.Document, d *document.Document, e *report.Entry) {
	if !s.On() || s.DiffSize > 0 && len(p.shown) >= s.DiffSize {
		return
	}
	edits := p.edits(s.DiffSize - len(p.shown))
	switch {
	case len(edits) == 0:
	case s.DiffSize > 0:
		p.shown = appendHunks(p.shown, console.Printable(partOf(in, d)), d.Data, edits, s.DiffSize-len(p.shown))
	case s.Diff:
		p.shown = append(p.shown, s.difference(partOf(in, d), d.Data, edits)...)
	default:
		if len(p.shown) == 0 {
			p.shown = appendHeading(p.shown, e)
		}
		p.shown = appendEdits(p.shown, in, d, edits)
	}
}

// edits returns the edits of the current document. If size is positive, it stops once the edits
// fill a diff of size bytes.
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
		before := printable(d.Data[e.Start:e.End])
		if len(e.New) == 0 {
			before = withoutMiddle(before)
		}
		dst = fmt.Appendf(dst, "%s:%d:%d: %s -> %s\n", console.Printable(in.Source), line, column, before,
			printable(e.New))
	}
	return dst
}

// withoutMiddle returns a text that is removed. It leaves out the middle of a long text.
func withoutMiddle(s string) string {
	const most = 60 // characters at each end
	r := []rune(s)
	if len(r) <= 3*most {
		return s
	}
	return fmt.Sprintf("%s… %d characters …%s", string(r[:most]), len(r)-2*most, string(r[len(r)-most:]))
}

// printable returns the bytes of a document on one line.
func printable(b []byte) string {
	return console.Printable(string(bytes.TrimSpace(b)))
}

// partOf returns the name of a document for messages.
func partOf(in *input.Document, d *document.Document) string {
	name := in.Source
	name += in.ItemLabel()
	if s := d.Section(); s != "" {
		name += " part " + s
	}
	return name
}
