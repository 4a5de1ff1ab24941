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
	"unicode/utf8"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
	"absolink/mime/document"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// plan holds the edits of one input, and the text that shows them.
type plan struct {
	*rewrite.Plan
	shown    []byte       // output of --dry-run or --diff
	decoded  maphash.Hash // hash of the output before it is compressed
	searched bool         // old addresses in the output are already recorded
}

// visitor chooses and counts the links of one input. If [worker.mend] makes several plans of the
// input, the entry of the input describes only the last plan.
type visitor struct {
	w         *worker
	ctx       context.Context
	in        *input.Document
	unplanned report.Entry  // a copy of the entry of in, as it was before the first plan
	entry     *report.Entry // the entry of in, with the counts of the last plan
	plan      *plan         // the last plan; nil before the first one
	plans     int           // number of plans
}

// firstPlan plans all edits of the input. The plan may be [rewrite.Unsafe]: see [worker.plan]. A
// document that cannot be edited stays unchanged, and firstPlan records the reason in e.
func (w *worker) firstPlan(ctx context.Context, in *input.Document, e *report.Entry) (*plan, error) {
	v := &w.visitor
	*v = visitor{w: w, ctx: ctx, in: in, unplanned: *e, entry: e}
	w.SetContext(ctx)
	w.rewriter.NoVerify = !w.c.verifies(in)
	w.anyDepth = w.c.atAnyDepth(in.Rel)
	src := in.DocumentSource(w.c.o.Links.Reading.Charset)
	src.Signed = w.isSigned(in)
	p, err := w.rewriter.Visit(src, w.outerLayers(in), w.visit)
	if err != nil {
		return nil, err
	}
	v.setPlan(p)
	w.record(v.plan, in, e)
	return v.plan, nil
}

// setPlan makes p the last plan. If p replaces another plan, setPlan removes the counts and
// problems of that plan from the entry.
func (v *visitor) setPlan(p *rewrite.Plan) {
	if v.plan != nil && v.plan.Plan == p {
		return
	}
	v.plan = &plan{Plan: p}
	v.plans++
	*v.entry = v.unplanned
	if v.w.c.dated {
		p.Written = timeWritten(v.in, p.Message)
	}
	v.w.DescribeMessage(v.entry, p.Message)
}

// visit chooses and counts the links of d, and shows their edits. It returns only errors of the
// context.
func (v *visitor) visit(current *rewrite.Plan, d *document.Document, links iter.Seq[*rewrite.Link]) error {
	v.setPlan(current)
	w, p, e := v.w, v.plan, v.entry
	if v.plans == 1 {
		w.c.elsewhere.look(d.Data, &w.c.site.Map)
	}
	if v.ctx.Err() != nil {
		return v.ctx.Err()
	}
	style := w.enter(d, e)
	dropsBase := false
	for l := range links {
		p.reportProblems(e)
		if v.ctx.Err() != nil {
			l.Keep = true // the plan is dropped: visit returns an error below
			continue
		}
		w.visitLink(p, d, l, style, e)
		dropsBase = dropsBase || l.Drop
	}
	if v.ctx.Err() != nil {
		return v.ctx.Err()
	}
	if dropsBase {
		w.noteDrop(d, e)
	}
	if w.c.o.Show.On() {
		w.TryMoreOptions(d)
	}
	p.show(&w.c.o.Show, v.in, d, e)
	p.reportProblems(e)
	return nil
}

// locate returns the page of the site for d, the current document, or nil if the URI of d is
// unknown. The Form of the page decides the form of the links of d.
func (w *worker) locate(d *document.Document) (*move.Page, error) {
	uri := cmp.Or(w.retrieved, d.Layer.Retrieval(&w.c.o.Links.Bases.Policy))
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

// keepsBase reports whether d has a BASE that stays. It stays if only some references are chosen,
// because the other references still need it.
func (w *worker) keepsBase(d *document.Document) bool {
	return !w.c.o.Links.Choice.ChoosesAll() && d.Base() != d.Layer
}

// linkStyle says how the links of a document are written.
type linkStyle struct {
	inSiteForm bool // links within the site get the form of --to: root-relative, relative or disk
	unchanged  bool // no link changes, because of --any-depth with --to disk
}

// enter makes d the current document, counts it in e, and returns how its links are written.
func (w *worker) enter(d *document.Document, e *report.Entry) linkStyle {
	w.Enter(d, e)
	form := w.c.site.Form
	inSiteForm := form != move.Absolute && form != move.AsWritten && d.Entity == nil
	style := linkStyle{inSiteForm: inSiteForm, unchanged: inSiteForm && w.c.disk != nil && w.anyDepth}
	w.noteForm(d, style, e)
	return style
}

// visitLink decides how l, a link of d, is written, and counts it in e. p is the current plan.
func (w *worker) visitLink(p *plan, d *document.Document, l *rewrite.Link, style linkStyle, e *report.Entry) {
	w.choose(d, l, style, e)
	w.keepInvalid(p, d, l, e)
	l.Absolute = style.inSiteForm && w.c.o.Move.Keep.Covers(d.Data, &l.Link)
	original := "" // the absolute URI that an unresolved link contains: see [move.Map.Original]
	if l.Status == extract.Unresolved && !l.Unsure() {
		original = w.c.site.Map.Original(string(l.Value))
	}
	if w.c.o.Links.Targets.Check {
		w.checkTarget(p, d, l, original, e)
	}
	first := e.Links.WithoutBase
	w.Count(d, &l.Link, e)
	if original != "" {
		e.Links.ChangeStatus(extract.Unresolved, extract.AbsoluteRef) // l needs no base
		e.Links.WithoutBase = first
	}
}

// choose sets l.Keep if l, a link of d, stays unchanged: all links of d do, l is not chosen, or its
// URI is too long for --map-regex.
func (w *worker) choose(d *document.Document, l *rewrite.Link, style linkStyle, e *report.Entry) {
	cleaned := &l.Link // l with its cleaned URI, by which it is chosen: see [links.Finder.Clean]
	stillWrapped := false
	if !w.c.o.Links.Cleaning.Empty() {
		linkCopy := l.Link // the URI of l itself does not change
		cleaned = &linkCopy
		stillWrapped = w.Clean(d, cleaned)
	}
	switch {
	case style.unchanged:
		l.Keep = true
		w.c.anyDepth.add(l, &w.c.site.Map)
		return
	case !w.c.o.Links.Choice.ChoosesAll() && !w.Chosen(cleaned):
		l.Keep = true
		w.c.unchosen.add(l, &w.c.site.Map)
		return
	case stillWrapped:
		links.NoteWrapped(cleaned, e)
	}
	if longest := w.c.o.Move.MaxMatched; longest > 0 && len(l.URI) > longest {
		l.Keep = true
		e.Problems.NoteAt(d, l.Span,
			fmt.Sprintf("a URI of %d bytes is too long for --map-regex, which accepts %d bytes here: "+
				"it stays as written", len(l.URI), longest))
	}
}

// keepInvalid sets l.Keep if l, a link of a message that would change, has bytes that are invalid
// in its charset, and reports it. The URI of l has U+FFFD for these bytes, as in browsers. In a
// message nobody could repair that later. In running text only the start of a URL changes.
func (w *worker) keepInvalid(p *plan, d *document.Document, l *rewrite.Link, e *report.Entry) {
	if d.Entity == nil || l.Keep || l.Unsure() || d.Format == extract.Plain || d.Format == extract.Enriched {
		return
	}
	raw := d.Data[l.Start:l.End]
	lost := []byte("\ufffd")
	if !bytes.Contains(l.Value, lost) || bytes.Contains(raw, lost) {
		return
	}
	if !bytes.ContainsFunc(raw, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return // character references stand for U+FFFD
	}
	moved, err := w.c.site.Map.Move(string(l.URI), p.Written)
	if !l.Change && (err != nil || moved == string(l.URI)) {
		return
	}
	l.Keep = true
	e.Problems.NoteAt(d, l.Span, fmt.Sprintf("%.200q has bytes that are invalid in the charset of the document: "+
		"it stays as written; --charset NAME sets the charset", raw))
}

// checkTarget records a problem in e if the target file of l, a link of d, is missing: see
// [links.Finder.CheckTarget]. If l is unresolved, original is the absolute URI that it contains, or
// "". p is the current plan.
func (w *worker) checkTarget(p *plan, d *document.Document, l *rewrite.Link, original string, e *report.Entry) {
	form := w.c.site.Form
	var newURI func(uri string) string // returns the new URI for an old one; nil if l cannot stay relative
	if l.Keep || form == move.Relative || form == move.Disk || form == move.AsWritten {
		newURI = func(uri string) string {
			moved, _ := w.c.site.Map.Move(uri, p.Written) // with an error, moved is uri
			return moved
		}
	}
	w.CheckTarget(d, &l.Link, w.targetAfter(p, l, original), newURI, e)
}

// targetAfter returns the URI to which l leads in the output, or "" if it is unknown. If l never
// moves, it is the URI of l. Otherwise the rules are applied to the URI of l, or to original if l
// has no URI. If l is unresolved, original is the absolute URI that it contains, or "".
func (w *worker) targetAfter(p *plan, l *rewrite.Link, original string) string {
	before := string(l.URI)
	uri := cmp.Or(before, original)
	neverMoves := l.Keep || l.Unsafe || l.ListOnly && l.Doubtful
	if neverMoves || uri == "" {
		return before
	}
	moved, err := w.c.site.Map.Move(uri, p.Written)
	if err != nil {
		return before
	}
	return moved
}

// noteForm adds a problem to e if the links of d cannot have the form of the site. With --to disk
// it also adds the problem of noteRefused.
func (w *worker) noteForm(d *document.Document, style linkStyle, e *report.Entry) {
	switch {
	case style.unchanged:
		e.Problems.NoteAt(d, extract.Span{}, "shown at any depth (--any-depth): its links stay as they are")
	case style.inSiteForm && w.keepsBase(d):
		e.Problems.NoteAt(d, extract.Span{},
			fmt.Sprintf("has a BASE, which stays because not all links are chosen: "+
				"its links become absolute, not %v", w.c.site.Form))
	}
	if w.c.disk != nil {
		noteRefused(d, e)
	}
}

// noteDrop adds a problem to e if d loses its BASE, and links that only more flags find need it.
func (w *worker) noteDrop(d *document.Document, e *report.Entry) {
	uri := cmp.Or(w.retrieved, d.Layer.Retrieval(&w.c.o.Links.Bases.Policy))
	flags, at := w.FlagsForBase(d, uri)
	if len(flags) > 0 {
		e.Problems.NoteAt(d, at, "a link needs the BASE, which is removed: add "+strings.Join(flags, " ")+
			" to rewrite such links")
	}
}

// reportProblems adds the problems that p has found so far to e, and removes them from p.
func (p *plan) reportProblems(e *report.Entry) {
	e.Problems.AddFound(p.Problems...)
	p.Problems = p.Problems[:0]
}

// record adds the counts of p, the complete plan of in, and its remaining problems to e.
func (w *worker) record(p *plan, in *input.Document, e *report.Entry) {
	found := p.Problems
	var unsafe []document.Problem // the reason why the plan is unsafe, which is its last problem
	if p.WhyUnchanged == rewrite.Unsafe {
		n := len(found) - 1
		unsafe = found[n:]
		found = found[:n]
	}
	w.NoteProblems(e, in, found)
	e.Problems.AddFound(unsafe...)
	if p.WhyUnchanged != "" {
		p.shown = nil
	}
	if p.WhyUnchanged == rewrite.DKIM {
		e.Result.Skip("dkim: its signature would break")
	}
	e.Edits.SetPlan(p.Plan)
}

// outcome returns the outcome of an input whose output can be written. e is the entry of the input.
func (p *plan) outcome(e *report.Entry) report.Outcome {
	switch {
	case p.Edited():
		return report.Rewritten
	case e.Result.Reason() != "":
		return report.Skipped
	}
	return report.Unchanged
}

// heading returns a line with the subject, sender and date of the message of e, or nil if all three
// are empty.
func heading(e *report.Entry) []byte {
	m := &e.Subject.Message
	known := slices.DeleteFunc([]string{m.Subject, m.From, m.Date}, func(s string) bool { return s == "" })
	if len(known) == 0 {
		return nil
	}
	about := strings.Join(known, ", ")
	return fmt.Appendf(nil, "%s: %s\n", console.Printable(e.Subject.Name()), console.Printable(about))
}

// show adds the output of --dry-run or --diff for d, the current document of in, to p.shown.
func (p *plan) show(s *Show, in *input.Document, d *document.Document, e *report.Entry) {
	if !s.On() || s.DiffSize > 0 && len(p.shown) >= s.DiffSize {
		return
	}
	edits := p.documentEdits(s.DiffSize - len(p.shown))
	switch {
	case len(edits) == 0:
	case s.DiffSize > 0:
		p.shown = appendHunks(p.shown, console.Printable(partName(in, d)), d.Data, edits, s.DiffSize-len(p.shown))
	case s.Diff:
		p.shown = append(p.shown, s.unifiedDiff(partName(in, d), d.Data, edits)...)
	default:
		if len(p.shown) == 0 {
			p.shown = heading(e)
		}
		p.shown = appendEdits(p.shown, in, d, edits)
	}
}

// documentEdits returns the edits of the current document. If size is positive, it stops after the
// edits that fill a diff of size bytes.
func (p *plan) documentEdits(size int) (list []extract.Edit) {
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

// appendEdits appends a line of --dry-run for each edit of d.
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

// withoutMiddle returns s. If s is long, a note such as "900 characters" replaces its middle.
func withoutMiddle(s string) string {
	const end = 60 // characters that stay at each end
	r := []rune(s)
	if len(r) <= 3*end {
		return s
	}
	return fmt.Sprintf("%s… %d characters …%s", string(r[:end]), len(r)-2*end, string(r[len(r)-end:]))
}

// printable returns b as text on one line, without surrounding blanks.
func printable(b []byte) string {
	return console.Printable(string(bytes.TrimSpace(b)))
}

// partName returns the name of d in the diff: the name of the input, the number of the item, and
// the section number of the part.
func partName(in *input.Document, d *document.Document) string {
	name := in.Source
	name += in.ItemLabel()
	if s := d.Section(); s != "" {
		name += " part " + s
	}
	return name
}
