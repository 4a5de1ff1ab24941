package viewer

import (
	"cmp"
	"context"
	"io"
	"iter"

	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/serve/sheet"
	"absolink/extract"
	"absolink/mime/document"
)

// reading reads an upload into a View, or opens an item of it. It is a run.Command with one worker.
type reading struct {
	*sheet.View
	find *links.Options
	open int // number of the item to open, from 1; 0 means no item

	opened     *upload
	unopened   error // why the item could not be stored
	openedKind string
	openedURI  string
}

// finder is the sheet.Finder of an input.
type finder struct {
	*links.Finder
	entry *report.Entry // counts the links
}

// Links yields the links of d that [links.Finder.Accept] accepts.
func (f *finder) Links(d *document.Document, first bool) iter.Seq[*extract.Link] {
	e := f.entry
	if !first {
		e = new(report.Entry)
	}
	return func(yield func(*extract.Link) bool) {
		for l := range f.Finder.Links(d, e) {
			if f.Accept(d, &l, e) && !yield(&l) {
				return
			}
		}
	}
}

// command sets the options of v and returns v as the command of a run.
func (v *reading) command(find *links.Options) run.Command { v.find = find; return v }

// Unmatched returns nil: a view has no filters of its own.
func (v *reading) Unmatched() []string { return nil }

// NewWorker returns the worker of v. Only one goroutine reads the input, so there is only one
// worker.
func (v *reading) NewWorker(r *run.Run) container.Worker {
	return &viewWorker{v, links.NewFinder(v.find), r}
}

type viewWorker struct {
	v    *reading
	find *links.Finder
	run  *run.Run
}

// Work reads an input, or an item of it.
func (w *viewWorker) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	v := w.v
	if in.Kind.Container() {
		v.Container = true
		v.Kind = in.Kind.String()
		w.run.Containers.List(ctx, in, out, e)
		return
	}
	if v.Container {
		w.item(in, e)
		return
	}
	v.Kind = in.Kind.String()
	if !w.find.Open(in, e) {
		v.AddRemark("", cmp.Or(e.Result.Reason(), "cannot be read"), false)
		return
	}
	for d := range w.find.Docs.All() {
		if ctx.Err() != nil {
			return
		}
		v.AddDocument(ctx, &finder{w.find, e}, d)
	}
	w.find.NoteProblems(e, in, w.find.Docs.Problems())
	for _, p := range e.Problems.All() {
		v.AddRemark(p.Part, p.Text, p.Minor)
	}
}

// item adds an item of a container to the page. With reading.open it opens the item with that
// number instead.
func (w *viewWorker) item(in *input.Document, e *report.Entry) {
	v := w.v
	shows := v.ShowsNextItem()
	if v.open > 0 {
		if v.ItemCount == v.open && in.At != nil {
			v.opened, v.unopened = newUpload(in.Reader(), "", in.Size)
			v.openedKind = in.Kind.String()
			v.openedURI = in.Record.Target
		}
		return
	}
	if !shows {
		return
	}
	it := sheet.Item{Title: in.Record.Target}
	if w.find.Open(in, e) {
		m := record.MessageOf(w.find.Docs.Message, true)
		it.Title = cmp.Or(it.Title, m.Subject, m.ID)
		it.From = m.From
		it.Date = m.Date
		f := &finder{w.find, e}
		for d := range w.find.Docs.All() {
			for range f.Links(d, true) {
				it.Links++
			}
		}
	}
	v.AddItem(it)
}

// close closes an opened item that was not stored.
func (v *reading) close() {
	if v.opened != nil {
		v.opened.file.Close()
	}
}
