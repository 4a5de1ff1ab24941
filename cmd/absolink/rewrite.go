package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
	"absolink/cmd/absolink/internal/write"
	"absolink/extract"
	"absolink/resolve/move"
)

// rewriting is the command rewrite.
type rewriting struct {
	options
	write write.Options
	dkim  string // rewrite, skip or, in place the second and else the first, ""
	undo  string // --undo
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
		RunE: p.listed(&x.options, func(c *cobra.Command, args []string) error {
			return p.rewriteOrUndo(c, x, args)
		}),
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
ones, and so do canonical URIs and others that --keep names. What moves is always read
back and compared.

--to relative is for trees that a server serves, at any place: a link to a directory
ends in "/". --to disk is for trees that a browser opens without one: a link leads to
the file that is there, to index.html for a directory (--index), to about.html for
about, to page%3Fx=1 for page?x=1. What has no file is absolute. What a browser will
not load from a disk whatever the links say (module scripts, crossorigin, manifests,
workers, fetch) is named.

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

// register adds the flags to c.
func (x *rewriting) register(c *cobra.Command) {
	x.options.register(c)
	x.registerReading(c)
	x.registerShared(c)
	fs, w := c.Flags(), &x.write
	fs.BoolVar(&w.Normalize, "normalize", false, "also write absolute references anew, as the rules have it")
	flag.Enum(c, &w.BaseElement, "base-element", "`WHAT` becomes of the BASE of a document: keep, drop (its href) or absolutize", extract.KeepBase, extract.DropBase, extract.AbsolutizeBase)
	fs.Var((*flag.List)(&w.Maps), "map", "write NEW for the longest prefix OLD of absolute URIs, also of those that were absolute: `OLD=NEW` (repeatable)")
	fs.Var((*flag.Text)(&w.MapFile), "map-file", "`FILE` with one OLD=NEW a line")
	flag.Enum(c, &w.Form, "to", "`FORM` of links to what lies below a --root or --map: absolute, root-relative, relative (for a server) or disk (to the files that are there, for a browser without a server); all but the first drop BASE", move.Absolute, move.RootRelative, move.Relative, move.Disk)
	fs.Var(&w.Keep, "keep", "with --to, `LIST` of the links that stay absolute: "+strings.Join(site.KeepNames(), " ")+", or none")
	fs.Var((*flag.List)(&w.AnyDepth), "any-depth", "with --to, pages that match `GLOB` are shown at any depth: their links are root-relative, and with disk stay as they are (repeatable; default 404.html and 50x.html)")
	fs.VarP((*flag.Text)(&w.Dir), "output", "o", "`DIR` that gets the same tree")
	fs.BoolVar(&w.Overwrite, "overwrite", false, "with -o, replace files that are there, but write nothing through symbolic links in DIR")
	fs.BoolVarP(&w.InPlace, "in-place", "i", false, "replace the files")
	fs.Var((*flag.Text)(&w.Backup), "backup", "with --in-place, keep the old files under their names with `SUFFIX`; messages of a Maildir are refused")
	fs.Var((*flag.Text)(&w.Journal), "journal", "with --in-place, `FILE` that keeps what is replaced, to resume and to undo")
	fs.BoolVar(&w.Resume, "resume", false, "go on with an interrupted run, in place by its --journal, with -o by what is in DIR: what it finished stays, and so do other files, which are named")
	fs.Var((*flag.Text)(&x.undo), "undo", "put back what the run of `JOURNAL` replaced")
	flag.Enum(c, &x.dkim, "dkim", "`WHAT` becomes of messages whose DKIM signature edits break: rewrite or skip (default: rewrite, with --in-place skip)", "rewrite", "skip")
	fs.Lookup("dkim").DefValue = ""
	fs.BoolVar(&w.BreakSignatures, "break-signatures", false, "also edit what is signed (S/MIME, PGP); what is encrypted stays")
	fs.BoolVarP(&w.DryRun, "dry-run", "n", false, "print the edits, write nothing; places in a compressed file are those in what it holds")
	fs.BoolVar(&w.Diff, "diff", false, "print a unified diff of the decoded text, write nothing; on a terminal its control characters are shown as escapes")
	fs.BoolVar(&w.Verify, "verify", false, "scan the output again before it counts: the same links in the same order (always with --in-place)")
}

// registerShared adds those flags to c that extract and base take as well.
func (x *rewriting) registerShared(c *cobra.Command) {
	c.Flags().BoolVar(&x.write.Fragments, "absolutize-fragments", false, "also make links to the page itself absolute: \"#top\" becomes \"http://host/page#top\" and \"\" \"http://host/page\"; what names a map or a part of a picture, as usemap does, stays")
	flag.Enum(c, &x.write.Maildir, "maildir-size", "`WHAT` becomes of a Maildir message whose name, or Dovecot's index beside, knows a size that changes, in place: refuse, rename or keep; with -o only keep keeps its name", inplace.RefuseSize, inplace.RenameSize, inplace.KeepSize)
}

// rewriteOrUndo does what the command line asks for, if it can mean something.
func (p *program) rewriteOrUndo(c *cobra.Command, x *rewriting, args []string) error {
	if strings.ContainsRune(x.write.Backup, os.PathSeparator) {
		return usagef("--backup %q: a suffix such as .orig is needed", x.write.Backup)
	}
	if err := x.checkReport(); err != nil {
		return err
	}
	if x.undo != "" {
		return p.putBack(c, x, args)
	}
	x.write.Decides = decides(c.Flags())
	return p.rewrite(c.Context(), x, args)
}

// checkReport refuses a report in the place of a file that it would overwrite.
func (x *rewriting) checkReport() error {
	for _, path := range []string{x.write.Journal, x.undo} {
		if x.run.Report != "" && path != "" && output.Same(x.run.Report, path) {
			return usagef("--report %s is the journal; give another name", x.run.Report)
		}
	}
	return nil
}

func (p *program) rewrite(ctx context.Context, x *rewriting, args []string) error {
	if err := x.checkModes(args); err != nil {
		return err
	}
	if err := x.links.Choice.CheckStatus("to write: absolink extract --format jsonl lists them"); err != nil {
		return err
	}
	w, files := &x.write, !x.shows() && (x.write.InPlace || x.write.Dir != "")
	w.Run, w.Links, w.Terminal = &x.run, &x.links, console.IsTerminal(p.out)
	w.SkipDKIM = x.dkim == "skip" || x.dkim == "" && w.InPlace
	x.run.Inputs.Once, x.links.Moving = w.InPlace, x.gave("to")
	x.run.Prints, x.run.Lengths, x.run.SumUp, x.run.SumUpMail = !files, true, files, !x.shows()
	if x.run.Copies = files && !w.InPlace; w.InPlace {
		x.run.OutHint = "name it as an input"
	}
	r, err := p.newRun(&x.options, args)
	if err != nil {
		return err
	}
	command, err := write.Begin(ctx, r, w)
	if err != nil {
		return err
	}
	if err := errors.Join(p.do(ctx, &x.options, r, p.out, command), command.End()); err != nil {
		return err
	}
	command.SumUp()
	return nil
}

// shows reports whether edits are printed and nothing is written.
func (x *rewriting) shows() bool { return x.write.DryRun || x.write.Diff }

// checkModes refuses flags that do not go together, or not with the inputs.
func (x *rewriting) checkModes(args []string) error {
	stdin := len(args) == 0 && x.run.Inputs.URLs == ""
	for _, a := range args {
		stdin = stdin || a == input.Stdin
	}
	switch {
	case x.write.InPlace && x.write.Dir != "":
		return usagef("-o and --in-place exclude each other")
	case x.write.Journal != "" && !x.write.InPlace:
		return usagef("--journal goes with --in-place")
	case x.write.Resume && x.write.Journal == "" && x.write.Dir == "":
		return usagef("--resume goes with --in-place --journal FILE, or with -o DIR")
	case x.write.Overwrite && x.write.Dir == "":
		return usagef("--overwrite goes with -o DIR")
	case x.write.Overwrite && x.write.Resume:
		return usagef("--overwrite writes all anew, --resume leaves what is finished: leave one of them out")
	case x.write.Backup != "" && !x.write.InPlace:
		return usagef("--backup goes with --in-place")
	case x.write.InPlace && x.run.Inputs.Follow:
		return usagef("--follow does not go with --in-place; name the files outside of a directory as inputs")
	case x.write.InPlace && (x.run.Inputs.URLs != "" || slices.ContainsFunc(args, source.IsURL)):
		return usagef("a URL cannot be replaced in place; use -o DIR")
	case stdin && x.write.InPlace:
		return usagef("standard input cannot be replaced in place; leave --in-place out")
	case stdin && x.write.Dir != "":
		return usagef("standard input has no name to write below %s; use > FILE", x.write.Dir)
	case x.shows() || x.write.InPlace || x.write.Dir != "":
		return nil
	case x.run.Inputs.URLs != "":
		return usagef("the URLs of a list do not fit on standard output; use -o DIR")
	case len(args) > 1:
		return usagef("%d inputs do not fit on standard output; use -o DIR or --in-place", len(args))
	case len(args) == 1 && input.IsDir(args[0]):
		return usagef("the directory %s does not fit on standard output; use -o DIR or --in-place", args[0])
	}
	return nil
}

// undeciding are the flags that do not decide what is written.
var undeciding = map[string]bool{"in-place": true, "journal": true, "resume": true, "jobs": true, "progress": true,
	"report": true, "quiet": true, "verbose": true, "verify": true, "dead-letter": true}

// decides returns the values of the flags that are given and decide what is written.
func decides(flags *pflag.FlagSet) map[string]string {
	values := make(map[string]string)
	flags.Visit(func(f *pflag.Flag) {
		if value := f.Value.String(); !undeciding[f.Name] && value != f.DefValue {
			values[f.Name] = value
		}
	})
	return values
}
