package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
)

// rewriting is the command rewrite.
type rewriting struct {
	options
	dir      string
	inPlace  bool
	backup   string
	dryRun   bool
	diff     bool
	terminal bool // standard output is one
	verify   bool

	overwrite bool
	outputs   outputs
	durable

	dkim            string // rewrite, skip or, in place the second and else the first, ""
	breakSignatures bool

	fragments, normalize bool
	baseElement          extract.BaseElement
	moving
	r    *runner
	tree *output.Tree
}

func (p *program) rewriteCommand() *cobra.Command {
	x := &rewriting{}
	c := &cobra.Command{
		Use:   "rewrite [INPUT...]",
		Short: "Write the documents with absolute links",
		Long:  rewriteHelp,
		Example: "  absolink rewrite --base http://example.com/dir/ page.html > absolute.html\n" +
			"  absolink rewrite --root mirror=http://example.com/ -o absolute mirror\n  absolink rewrite --in-place --backup .orig mail/\n" +
			"  absolink rewrite --in-place --journal run.jsonl --resume mail/\n  absolink rewrite --undo run.jsonl",
		RunE: func(c *cobra.Command, args []string) error {
			return p.rewriteOrUndo(c, x, args)
		},
	}
	x.register(c)
	return c
}

const rewriteHelp = `Write the documents with every reference that has a base made absolute, and every
other byte as it was. One input goes to standard output; more of them, and
directories, need -o DIR or --in-place.
` + inputHelp + `
With -o DIR these other files are copied, and so are web archives and responses,
which are only read. No file that is there is replaced, unless --overwrite is given,
and nothing is written through a symbolic link in DIR. In a Maildir --overwrite also
replaces a copy whose name tells the size or flags of before.
With --resume a file that is there with the time of its input is taken as finished,
and one with another time is named and stays.

A site moves with --root DIR=URI, which says where its files were retrieved from,
and --map OLD=NEW: links lead to NEW then, the absolute ones too. --to relative and
root-relative write links within the site without its host; sitemaps, feeds,
outlines, messages and what has an xml:base or codebase of its own keep absolute
ones. What moves is always read back and compared.

What is encrypted is never edited, what is signed only with --break-signatures. A
message whose DKIM, ARC or DomainKeys signature the edits would break is edited on
standard output and with -o, where the original stays, and left alone with
--in-place; --dkim rewrite or skip decides otherwise. All of them are reported. A
message of a mailbox that cannot be edited safely is copied as it is and named.

NAME.orig beside NAME is a backup, and so it is with ~, .bak, .old, .backup, .save and
the suffix of --backup: it is left as it is in place, and copied as it is with -o.
A backup that is there is never written over: its file is refused.

In place a mailbox is locked (fcntl, then FILE.lock) from reading to renaming; one
that others hold locked for more than five seconds is left alone and named.
With --journal every edit is on the disk before it counts: after a crash the same
command with --resume goes on, which takes no other inputs or options, and --undo
puts all old bytes back, in files that are still what the run left. A file that the
run does not finish is as it was. The journal must be your own and no link, and
others must not be able to write it or a directory above it (sticky ones such as
/tmp apart).
` + reportHelp + `
` + exitHelp + `130 interrupted.`

// rewriteOrUndo does what the command line asks for, if it can mean something.
func (p *program) rewriteOrUndo(c *cobra.Command, x *rewriting, args []string) error {
	if strings.ContainsRune(x.backup, os.PathSeparator) {
		return usagef("--backup %q: a suffix such as .orig is needed", x.backup)
	}
	if err := x.durable.checkReport(x.report); err != nil {
		return err
	}
	if x.undoPath != "" {
		if err := checkUndo(c, args); err != nil {
			return err
		}
		return p.undo(c.Context(), x)
	}
	return p.rewrite(c.Context(), x, args)
}

func (p *program) rewrite(ctx context.Context, x *rewriting, args []string) error {
	if err := x.checkModes(args); err != nil {
		return err
	}
	if err := x.checkStatus("to write: absolink extract --format jsonl lists them"); err != nil {
		return err
	}
	x.terminal = isTerminal(p.out)
	files := !x.shows() && (x.inPlace || x.dir != "")
	r, err := p.newRunner(&x.options, args, !files)
	if err != nil {
		return err
	}
	if err := x.checkMoving(r); err != nil {
		return err
	}
	x.r, r.sumUp, r.whole, x.single = r, files, true, x.inPlace
	r.sumUpMail, r.copies = !x.shows(), files && !x.inPlace
	r.policy = func(r *extract.Resolver) {
		r.Fragments, r.Normalize, r.BaseElement = x.fragments, x.normalize, x.baseElement
	}
	if err := x.target(args); err != nil {
		return err
	}
	if x.inPlace {
		r.outHint = "name it as an input"
	}
	if x.replaces() {
		r.sweep = x.sweepBeside
		if err := x.begin(ctx, r, args); err != nil {
			return err
		}
	}
	if err := errors.Join(r.run(ctx, args, p.out, x.handle), x.end(), x.finishTree()); err != nil {
		return err
	}
	x.sumUpSignatures()
	x.sumUpBackups()
	x.sumUpRules()
	x.sumUpStale(r)
	return nil
}

// replaces reports whether files are replaced in place.
func (x *rewriting) replaces() bool { return x.inPlace && !x.shows() }

// shows reports whether edits are printed and nothing is written.
func (x *rewriting) shows() bool { return x.dryRun || x.diff }

// checkModes refuses flags that do not go together, or not with the inputs.
func (x *rewriting) checkModes(args []string) error {
	stdin := len(args) == 0 && x.urls == ""
	for _, a := range args {
		stdin = stdin || a == input.Stdin
	}
	switch {
	case x.inPlace && x.dir != "":
		return usagef("-o and --in-place exclude each other")
	case x.journalPath != "" && !x.inPlace:
		return usagef("--journal goes with --in-place")
	case x.resume && x.journalPath == "" && x.dir == "":
		return usagef("--resume goes with --in-place --journal FILE, or with -o DIR")
	case x.overwrite && x.dir == "":
		return usagef("--overwrite goes with -o DIR")
	case x.overwrite && x.resume:
		return usagef("--overwrite writes all anew, --resume leaves what is finished: leave one of them out")
	case x.backup != "" && !x.inPlace:
		return usagef("--backup goes with --in-place")
	case x.inPlace && x.follow:
		return usagef("--follow does not go with --in-place; name the files outside of a directory as inputs")
	case x.inPlace && (x.urls != "" || slices.ContainsFunc(args, isURL)):
		return usagef("a URL cannot be replaced in place; use -o DIR")
	case stdin && x.inPlace:
		return usagef("standard input cannot be replaced in place; leave --in-place out")
	case stdin && x.dir != "":
		return usagef("standard input has no name to write below %s; use > FILE", x.dir)
	case x.shows() || x.inPlace || x.dir != "":
		return nil
	case x.urls != "":
		return usagef("the URLs of a list do not fit on standard output; use -o DIR")
	case len(args) > 1:
		return usagef("%d inputs do not fit on standard output; use -o DIR or --in-place", len(args))
	case len(args) == 1 && isDir(args[0]):
		return usagef("the directory %s does not fit on standard output; use -o DIR or --in-place", args[0])
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// handle rewrites one input.
func (x *rewriting) handle(ctx context.Context, w *worker, in *input.Document, out io.Writer, e *report.Entry) {
	if original := x.original(in); original != "" {
		x.passBackup(ctx, in, original, out, e)
		return
	}
	if x.replaces() && x.settled(in, e) {
		return
	}
	if in.Kind == input.Mbox {
		x.lockedMailbox(ctx, w, in, out, e)
		return
	}
	if unwritten(in, e) || unread(in, e) {
		x.copy(ctx, in, out, e)
		return
	}
	p, err := x.plan(ctx, w, in, e)
	if err != nil {
		e.Fail(report.Failed, err)
		return
	}
	x.r.left(e, &e.Links, e.NoPart)
	if err := x.put(ctx, w, in, p, out, e); err != nil {
		settle(e, err)
	}
}

// unwritten settles an input of a kind that is only read.
func unwritten(in *input.Document, e *report.Entry) bool {
	if in.Kind != input.WARC && in.Kind != input.HTTP {
		return false
	}
	e.Outcome, e.Reason = report.Skipped, "a web archive, which is only read"
	e.Note("", "web archives and responses are only read: it stays as it is")
	return true
}

// settle turns an error of writing into the outcome.
func settle(e *report.Entry, err error) {
	e.Edits = 0
	var refusal *output.Refusal
	if errors.As(err, &refusal) {
		e.Fail(report.Refused, err)
		return
	}
	e.Fail(report.Failed, err)
}

// copy passes an input through that is not edited.
func (x *rewriting) copy(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) {
	if x.shows() || x.inPlace {
		return // skipped, as it is
	}
	e.Outcome = report.Copied
	if err := x.pass(ctx, in, out, e); err != nil {
		settle(e, err)
	}
}

// pass writes in as it is.
func (x *rewriting) pass(ctx context.Context, in *input.Document, out io.Writer, e *report.Entry) error {
	if x.tree == nil {
		return copyAll(ctx, out, in)
	}
	path, err := x.place(in.Rel, in, e)
	if err != nil {
		return err
	}
	return x.create(path, in, func(f *os.File) error { return copyFile(ctx, f, in) })
}

// itemOf names an item of a container for a user, behind its source.
func itemOf(in *input.Document) string {
	what := " message "
	if in.Kind == input.HTTP {
		what = " record "
	}
	if in.Item == 0 {
		return ""
	}
	return what + strconv.Itoa(in.Item)
}

// partOf names a document for a user.
func partOf(in *input.Document, d *document.Document) string {
	name := in.Source
	name += itemOf(in)
	if s := d.Section(); s != "" {
		name += " part " + s
	}
	return name
}
