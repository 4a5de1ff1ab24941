// Package write rewrites inputs. It plans the edits of their references (package mime/rewrite), and
// writes the output to standard output, below a directory (package copies), or in place (package
// inplace). It can also only show the edits.
//
//	c, err := write.Begin(ctx, run, &options)
//	if err != nil {
//		return err
//	}
//	err = errors.Join(run.Do(ctx, out, c), c.End())
//	c.SumUp()
//
// Files in reading order:
//
//	options.go  options of a user, with the flags
//	check.go    options that exclude each other
//	diff.go     a whole diff, for a terminal or patch(1)
//	hunk.go     the beginning of a diff, for the command serve
//	output.go   the file or directory of -o
//	written.go  the time when a document was written
//	signed.go   signature files beside inputs
//	refused.go  features that browsers refuse in pages that are opened from a disk
//	disk.go     the target files of links, for --to disk
//	redirect.go redirects from old to new addresses, for a server
//	kept.go     links that a rule would move, but that flags keep
//	elsewhere.go documents in which the OLD of an unused rule OLD=NEW is only outside of links
//	moves.go    the rules by which a site moves
//	command.go  the command and its workers
//	twin.go     pages that a mirror holds twice
//	plan.go     the edits of an input
//	mend.go     another plan if references would be misread
//	put.go      writes the output of a plan, and verifies it
//	old.go      old addresses that are left in the output
//	backups.go  backups of earlier runs, which are not edited
//	follower.go a writer whose output is read back while it is written
//	mailbox.go  a mailbox, message by message
//	sum.go      messages at the end of a run
//	write.go    the steps of rewriting an input
package write

import (
	"context"
	"errors"
	"io"

	"absolink/cmd/absolink/internal/coding"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/copies"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
)

var _ run.Settler = (*Command)(nil)

// Begin returns a command for the run r, and opens the destination of the output. The error is a
// [*flag.Error] if the options contradict each other or do not fit the inputs.
func Begin(ctx context.Context, r *run.Run, o *Options) (*Command, error) {
	c := &Command{o: o, run: r}
	c.redirects.links = o.Links
	c.redirects.rules = &c.site.Map
	if err := c.moves.read(o); err != nil {
		return nil, err
	}
	if err := checkRedirects(o, &c.site.Map); err != nil {
		return nil, err
	}
	c.warnOfClashes()
	dest := &o.To
	var err error
	switch {
	case o.Show.On():
	case dest.InPlace:
		c.inPlace, err = inplace.Begin(ctx, r, inplace.Options{Args: o.Run.Inputs.Args(), Backup: dest.Backup,
			Maildir: o.Mail.Maildir, Journal: dest.Journal, Resume: dest.Resume,
			OutputFlags: dest.OutputFlags, Quiet: o.Run.Account.Quiet})
	case dest.Dir != "":
		c.copies, err = c.openCopies(dest)
	}
	return c, err
}

// openCopies opens the destination of -o, which is a directory for all outputs, or the file of the
// only output.
func (c *Command) openCopies(dest *Destination) (*copies.Tree, error) {
	inputs := &c.o.Run.Inputs
	dir, name := dest.outputFile(inputs)
	if name != "" {
		if err := checkCoding(inputs.Args()[0], dest.Dir); err != nil {
			return nil, err
		}
	}
	o := copies.Options{Dir: dir, Name: name, Overwrite: dest.Overwrite, Resume: dest.Resume,
		KeepNames: c.o.Mail.Maildir == inplace.KeepSize, Report: c.o.Run.Account.Report}
	if c.layout != nil {
		o.Layout = c.layout.OutputPath
	}
	return copies.New(inputs, o)
}

// warnOfClashes prints the messages of moves.clashes. Clashes count as defects. Nested rules do
// not, and --quiet hides their messages.
func (c *Command) warnOfClashes() {
	clashes, nested := c.moves.clashes()
	c.run.Account.Doubt("--map", clashes)
	if c.o.Run.Account.Quiet {
		return
	}
	for _, text := range nested {
		c.run.Account.Console.Printf("--map: %s", text)
	}
}

// End completes the destination and writes the redirects. Call it after the run.
func (c *Command) End() error { return errors.Join(c.finishDestination(), c.writeRedirects()) }

// finishDestination closes the journal, or completes the directory of -o.
func (c *Command) finishDestination() error {
	switch {
	case c.inPlace != nil:
		return c.inPlace.End()
	case c.copies != nil:
		return c.copies.Finish(func(path, target string) {
			c.run.Account.Console.Printf("%s: left out: a link to %s, which has no copy", path, target)
		})
	}
	return nil
}

// writeRedirects writes the file of --redirects, if the flag is given.
func (c *Command) writeRedirects() error {
	if c.o.Move.Redirects == "" {
		return nil
	}
	n, inexpressible, err := c.redirects.write(&c.o.Move)
	if err != nil {
		return err
	}
	for _, r := range inexpressible {
		c.run.Account.Console.Printf("--redirects: left out, since %s cannot hold it: %s",
			c.o.Move.RedirectFormat, r.Old)
	}
	if n == 0 && !c.o.Run.Account.Quiet {
		c.run.Account.Console.Printf("--redirects: no rule moves the address of a document")
	} else if c.o.Run.Account.Verbose {
		c.run.Account.Console.Printf("--redirects: %s", console.Plural(n-len(inexpressible), "address", "addresses"))
	}
	return nil
}

// Unmatched returns messages about the values of --root, --kind, --select and similar flags that
// matched nothing in any input.
func (c *Command) Unmatched() []string { return c.o.Links.Unmatched() }

// Settle returns true if f need not be read. Then it has set the outcome of f in e. With -o, this
// is so for a symbolic link, which End copies, and with --resume for an input whose output is
// there already. In place, Settle also removes f if it is a temporary file of a killed run.
func (c *Command) Settle(f *input.File, e *report.Entry) bool {
	switch {
	case f.IsInput():
		return c.o.To.Resume && c.copies != nil && c.copies.SkipExisting(f, e)
	case f.Skip.Target != "" && c.copies != nil:
		e.Result.Skip(f.Skip.Why)
		c.copies.AddLink(*f, e)
		return true
	case f.Skip.Cause == input.Temporary && c.inPlace != nil:
		c.inPlace.Sweep(f.Path)
	}
	return false
}

// Work rewrites one input, and records the outcome in e.
func (w *worker) Work(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	c := w.c
	if original := c.originalOf(in); original != "" {
		c.skipBackup(ctx, in, original, out, e)
		return
	}
	if c.inPlace != nil && !c.inPlace.Prepare(in, e) {
		return
	}
	if in.Kind == input.Mbox && in.Coding != coding.Bzip2 {
		w.rewriteMailbox(ctx, in, out, e)
		return
	}
	if skipUnwritable(in, e) || e.SkipUnread(in) {
		if c.disk != nil {
			noteRefusedScript(in, e)
		}
		c.writeUnedited(ctx, in, out, e)
		c.findOld(ctx, in, nil, e)
		return
	}
	p, err := w.plan(ctx, in, e)
	if err != nil {
		e.Result.Fail(err)
		return
	}
	w.run.Account.NoteUnresolved(e, e.Links.Unresolved())
	if err := w.carryOut(ctx, in, p, out, e); err != nil {
		e.FailWrite(err)
	}
	c.findOld(ctx, in, p, e)
	if c.o.Move.Redirects != "" && !e.Result.Lost() {
		c.redirects.addDocument(w.InputURI(in), in.Kind == input.HTML)
	}
}

// skipUnwritable returns true if absolink can read the input, but cannot write its kind or coding.
// Then it has set the outcome to Skipped and added a problem.
func skipUnwritable(in *input.Document, e *report.Entry) bool {
	if in.Coding == coding.Bzip2 && in.Kind != input.Other {
		e.Result.Skip("in bzip2, which is only read")
		e.Problems.Note("", "bzip2 is only read: the file stays as it is; \"bunzip2 -k FILE\" (package bzip2) makes a "+
			"decompressed file, which can be rewritten")
		return true
	}
	if in.Kind != input.WARC && in.Kind != input.WACZ && in.Kind != input.HTTP {
		return false
	}
	e.Result.Skip("a web archive, which is only read")
	e.Problems.Note("", "web archives and responses are only read: the file stays as it is")
	return true
}
