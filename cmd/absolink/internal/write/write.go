// Package write rewrites inputs: it plans what becomes of their references (package
// mime/rewrite) and carries that out, to standard output, below a directory (package copies)
// or in place (package inplace), or shows what would be done.
//
//	c, err := write.Begin(ctx, run, &options)
//	if err != nil {
//		return err
//	}
//	err = errors.Join(run.Do(ctx, out, c), c.End())
//	c.SumUp()
//
//	check.go    what cannot be carried out
//	write.go    the command, and one input on its way
//	plan.go     what is to be done to an input
//	diff.go     how that is shown
//	put.go      carrying that out, and verifying it
//	mend.go     a plan without the references that are not read back
//	mailbox.go  the same for a mailbox, message by message
//	site.go     where links lead after a move
//	disk.go     which files they lead to on a disk
//	written.go  when what has links was written
//	old.go      what still names an old address
//	redirect.go what moved where, for a server
//	twin.go     pages that a mirror holds twice
//	refused.go  what a browser does not load from there
//	backups.go  files that hold the only original
//	sum.go      what is said in the end
package write

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/copies"
	"absolink/cmd/absolink/internal/glob"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
	"absolink/mime/rewrite"
	"absolink/resolve/move"
)

// Options say what is written, and where. Of DryRun, Diff, InPlace and Dir at most one is
// set; without them everything goes to standard output.
type Options struct {
	Run   *run.Options   // those of the run
	Links *links.Options // how references are found and chosen; checked

	Fragments, Normalize bool // as in extract.Resolver
	BaseElement          extract.BaseElement
	Maps                 []string  // rules OLD=NEW by which links move
	Patterns             []string  // rules RE=REPLACEMENT for what no rule of Maps holds for
	Unwayback            bool      // the prefixes of web archives are taken away first
	MapFile              string    // file of more of them; "" = none
	Form                 move.Form // of links to what lies below a root or a NEW
	Keep                 site.Keep // which of these are absolute whatever Form is
	// patterns of pages that are shown at any depth; nil = of those that servers show for errors
	AnyDepth        []string
	Redirects       string // file that says what moved where; "" = none
	RedirectFormat  site.RedirectFormat
	FindOld         bool // what still names an OLD in what is written is said
	BreakSignatures bool // what is signed is edited, too
	// messages whose DKIM signature edits would break: rewrite, skip, or in place the second and
	// else the first, ""
	DKIM   string
	Verify bool // all output is read again before it counts

	DryRun   bool // edits are printed, nothing is written
	Diff     bool // so are differences
	DiffSize int  // bytes of the differences of an input that are wanted; 0 = all
	Terminal bool // standard output is one
	Color    bool // that shows colours

	MaxMatched int   // bytes of a URI that Patterns are tried on, a longer one stays as written; 0 = all
	MaxEdits   int64 // bytes that the new references of an input may have; 0 = as many as a document

	Dir       string // directory of the outputs; "" = none
	Overwrite bool   // files that are there are replaced
	InPlace   bool   // the inputs are replaced
	Backup    string // in place, suffix of the names under which old files stay; "" = they do not
	Journal   string // in place, file that keeps what is replaced; "" = none
	Resume    bool   // an interrupted run is gone on with
	Maildir   inplace.MaildirSize
	Undo      string            // journal of the run that is put back, and nothing else is done; "" = none
	Decides   map[string]string // the values of flags that decide what is written, for the journal; MapFile is added to

	skipDKIM bool // once Prepare is done
}

// shows reports whether edits are printed and nothing is written.
func (o *Options) shows() bool { return o.DryRun || o.Diff }

// Command rewrites inputs. It is a run.Command.
type Command struct {
	o         *Options
	run       *run.Run
	site      move.Site
	disk      *disk // nil unless links lead to files
	redirects redirects
	old       *site.Old // nil unless old addresses are looked for

	anyDepth []glob.Pattern
	tree     *copies.Tree // nil unless outputs are written below a directory
	in       *inplace.Run // nil unless files are replaced
}

var _ run.Settler = (*Command)(nil)

// Begin reads the rules of o, and makes what outputs are written by. A *[flag.Error] says why
// nothing is done.
func Begin(ctx context.Context, r *run.Run, o *Options) (*Command, error) {
	c := &Command{o: o, run: r}
	if err := c.readSite(); err != nil {
		return nil, err
	}
	args := o.Run.Inputs.Args()
	var err error
	switch {
	case o.shows():
	case o.InPlace:
		c.in, err = inplace.Begin(ctx, r, inplace.Options{Args: args, Backup: o.Backup, Maildir: o.Maildir,
			Journal: o.Journal, Resume: o.Resume, Decides: o.Decides, Quiet: o.Run.Quiet})
	case o.Dir != "":
		c.tree, err = copies.New(&o.Run.Inputs, copies.Options{Dir: o.Dir, Overwrite: o.Overwrite,
			Resume: o.Resume, KeepNames: o.Maildir == inplace.KeepSize, Report: o.Run.Report})
	}
	return c, err
}

// End completes what is written.
func (c *Command) End() error { return errors.Join(c.finish(), c.writeRedirects()) }

func (c *Command) finish() error {
	switch {
	case c.in != nil:
		return c.in.End()
	case c.tree != nil:
		return c.tree.Finish(func(path, target string) {
			c.run.Console.Printf("%s: left out: a link to %s, of which there is no copy", path, target)
		})
	}
	return nil
}

// worker rewrites inputs.
type worker struct {
	*links.Finder
	c        *Command
	rewriter *rewrite.Rewriter
	written  time.Time // when the input at hand was written
}

// NewWorker returns a worker.
func (c *Command) NewWorker(*run.Run) run.Worker {
	return &worker{Finder: links.NewFinder(c.o.Links), c: c, rewriter: c.newRewriter()}
}

// Unmatched says which roots and choices matched nothing.
func (c *Command) Unmatched() []string { return c.o.Links.Unmatched() }

// Settle settles in e what is not to be read: a link, of which a copy is made when all is
// written, and an input whose output is there already. What killed runs left goes.
func (c *Command) Settle(f *input.File, e *report.Entry) bool {
	switch {
	case f.IsInput():
		return c.o.Resume && c.tree != nil && c.tree.Finished(f, e)
	case f.Skip.Target != "" && c.tree != nil:
		e.Result.Skip(f.Skip.Why)
		c.tree.Link(*f, e)
		return true
	case f.Skip.Cause == input.Temporary && c.in != nil:
		c.in.Sweep(f.Path)
	}
	return false
}

// Work rewrites one input.
func (w *worker) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	c := w.c
	if original := c.original(in); original != "" {
		c.passBackup(ctx, in, original, out, e)
		return
	}
	if c.in != nil && c.in.Settled(in, e) {
		return
	}
	if in.Kind == input.Mbox && in.Coding != coding.Bzip2 {
		c.mailbox(ctx, in, out, e)
		return
	}
	if unwritten(in, e) || e.Unread(in) {
		c.noteRefusedScript(in, e)
		c.copy(ctx, in, out, e)
		c.findOld(ctx, in, nil, e)
		return
	}
	p, err := w.plan(ctx, in, e)
	if err != nil {
		e.Result.Fail(err)
		return
	}
	c.run.NoteUnresolved(e, e.Links.Unresolved())
	if err := w.put(ctx, in, p, out, e); err != nil {
		e.Unwritten(err)
	}
	c.findOld(ctx, in, p, e)
	w.noteRedirect(in, e)
}

// unwritten settles an input of a kind, or in a coding, that is only read.
func unwritten(in *input.Document, e *report.Entry) bool {
	if in.Coding == coding.Bzip2 && in.Kind != input.Other {
		e.Result.Skip("in bzip2, which is only read")
		e.Problems.Note("", "bzip2 is only read: it stays as it is; \"bunzip2 -k FILE\" (package bzip2) makes a file "+
			"of it that can be rewritten")
		return true
	}
	if in.Kind != input.WARC && in.Kind != input.WACZ && in.Kind != input.HTTP {
		return false
	}
	e.Result.Skip("a web archive, which is only read")
	e.Problems.Note("", "web archives and responses are only read: it stays as it is")
	return true
}

// copy passes an input through that is not edited.
func (c *Command) copy(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if c.o.shows() || c.o.InPlace {
		return // skipped, as it is
	}
	e.Result.Set(report.Copied)
	if err := c.pass(ctx, in, out, e); err != nil {
		e.Unwritten(err)
	}
}

// pass writes in as it is.
func (c *Command) pass(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) error {
	if c.tree == nil {
		return copyAll(ctx, out, in)
	}
	path, err := c.tree.Place(in.Rel, in, e)
	if err != nil {
		return err
	}
	return c.tree.Create(path, in, func(f *os.File) error { return copyFile(ctx, f, in) })
}
