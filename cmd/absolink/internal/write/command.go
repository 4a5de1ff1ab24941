package write

import (
	"cmp"
	"iter"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/copies"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/run"
	"absolink/mime/document"
	"absolink/mime/rewrite"
)

// Command rewrites inputs. It is a [run.Command]. Several runs may use it at once if all of them
// write to standard output.
type Command struct {
	o         *Options
	run       *run.Run // the run that was passed to Begin
	moves              // the rules by which the site moves, from --map, --to and similar flags
	redirects redirects
	unchosen  keptLinks // links that flags such as --kind leave out
	anyDepth  keptLinks // links of pages that stay because of --any-depth
	elsewhere elsewhere

	copies  *copies.Tree // nil unless the output goes below a directory
	inPlace *inplace.Run // nil unless files are replaced in place
}

// verifies reports whether the output for the input is read back before it is accepted. It is read
// back in each of these cases: --verify or --in-place is given, the input is compressed, or the
// site moves.
func (c *Command) verifies(in *input.Document) bool {
	return c.o.Verify || c.o.To.InPlace || c.site.Moves() || in.Coding != coding.None
}

// worker rewrites inputs.
type worker struct {
	*links.Finder
	c        *Command
	run      *run.Run
	rewriter *rewrite.Rewriter

	visitor visitor
	visit   func(*rewrite.Plan, *document.Document, iter.Seq[*rewrite.Link]) error // visitor.visit, allocated once

	anyDepth bool // servers show the current page at any path (--any-depth)
	// retrieved is the retrieval URI of the current page if outerLayers returned the layers of its
	// twin (see twin.go). Otherwise it is empty.
	retrieved string

	lastSigned struct { // the last result of isSigned
		path   string
		signed bool
	}
}

// NewWorker returns a worker that rewrites inputs.
func (c *Command) NewWorker(r *run.Run) container.Worker {
	w := &worker{Finder: links.NewFinder(c.o.Links), c: c, run: r, rewriter: c.newRewriter()}
	w.rewriter.Locate = w.locate
	w.visit = w.visitor.visit
	return w
}

// newRewriter returns a rewriter for one worker.
func (c *Command) newRewriter() *rewrite.Rewriter {
	f := &c.o.Form
	resolver := c.o.Links.Bases.Resolver()
	resolver.Fragments = f.Fragments
	resolver.Normalize = f.Normalize
	resolver.BaseElement = f.BaseElement
	return &rewrite.Rewriter{
		Resolver:        resolver,
		Options:         c.o.Links.DocumentOptions(),
		Site:            &c.site,
		RemoveAdditions: c.o.Move.RemoveAdditions,
		Partial:         !c.o.Links.Choice.ChoosesAll(),
		KeepText:        c.o.Move.NoText,
		SkipFooters:     c.o.Move.SkipFooters,
		BreakSignatures: c.o.Mail.BreakSignatures,
		KeepDKIM:        c.o.skipsDKIM(),
		MaxNewBytes:     cmp.Or(f.MaxNewBytes, int64(c.o.Run.Reading.MaxSize)),
	}
}
