package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/output"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
	"absolink/cmd/absolink/internal/write"
	"absolink/extract"
	"absolink/resolve/move"
)

// rewriting is the command rewrite.
type rewriting struct {
	options
	write  write.Options
	dkim   string // rewrite, skip or, in place the second and else the first, ""
	undo   string // --undo
	strict bool
}

func (p *program) rewriteCommand() *cobra.Command {
	x := &rewriting{}
	c := &cobra.Command{
		Use:         "rewrite [INPUT...]",
		Short:       "Write the documents with absolute links",
		Annotations: help.Needed("base root map to output in-place journal undo dry-run diff"),
		Long:        rewriteHelp,
		Example: "  absolink rewrite --base http://example.com/dir/ page.html > absolute.html\n" +
			"  absolink rewrite --root mirror=http://example.com/ -o absolute mirror\n  absolink rewrite --in-place --journal run.journal mail/\n" +
			"  absolink rewrite --in-place --journal run.journal --resume mail/\n  absolink rewrite --undo run.journal\n" +
			"  absolink rewrite --root old=http://old.test/ --map http://old.test/=https://new.test/ -o new old",
		RunE: p.listed(&x.options, func(c *cobra.Command, args []string) error {
			return p.rewriteOrUndo(c, x, args)
		}),
	}
	x.register(c)
	return c
}

const rewriteHelp = `Write the documents with every reference that has a base made absolute, and every other byte as it
was. One input goes to standard output; more of them, and directories, need -o DIR or --in-place.
` + inputHelp + `
With -o DIR these other files are copied, and so are web archives and responses, which are only
read. No file that is there is replaced, unless --overwrite is given, and nothing is written through
a symbolic link in DIR. With --resume a file that is there with the time of its input counts as
finished; one with another time is named and stays.

A site moves with --root DIR=URI, which says where its files were retrieved from, and --map OLD=NEW,
which says where they go. --to relative and root-relative write links that do not name the host,
--to disk links that a browser follows without a server. What moves is always read back and
compared. "absolink help sites" says more.

What is encrypted is never edited, what is signed only with --break-signatures. A message whose
DKIM, ARC or DomainKeys signature the edits would break is edited on standard output and with -o,
and left alone with --in-place; --dkim rewrite or skip decides otherwise. "absolink help mail" says
more, also of locks, Maildirs and backups.

With --in-place a file is replaced by a rename, after what was written has been read back. With
--journal every edit is on the disk before it counts: after a crash the same command with --resume
goes on, and --undo puts all old bytes back, in files that are still what the run left. The journal
must be your own and no link, and others must not be able to write it or a directory above it.
` + exitHelp

// register adds the flags to c.
func (x *rewriting) register(c *cobra.Command) {
	x.options.register(c)
	x.registerReading(c)
	x.registerShared(c)
	fs, w := c.Flags(), &x.write
	fs.BoolVar(&w.Normalize, "normalize", false, "Rewriting: write also absolute references anew, as the rule set has them")
	flag.Enum(c, &w.BaseElement, "base-element", "Rewriting: `WHAT` to do with the BASE of a document: keep, drop (its href) or absolutize", extract.KeepBase, extract.DropBase, extract.AbsolutizeBase)
	fs.Var((*flag.List)(&w.Maps), "map", "Moving: replace the longest prefix OLD of a URI by NEW, also where it was absolute: `OLD=NEW` (repeatable)")
	fs.Var((*flag.List)(&w.Patterns), "map-regex", "Moving: where no --map holds, replace the first match in a URI: `RE=REPLACEMENT` (RE2, $1, {date}; repeatable, the first that matches counts; \\x3d is = in RE)")
	fs.BoolVar(&w.Unwayback, "unwayback", false, "Moving: take the prefixes of web archives away first, such as http://web.archive.org/web/20160102030405im_/")
	fs.BoolVar(&w.FindOld, "find-old", false, "Moving: name what still says an OLD of --map in what is written: scripts, JSON, robots.txt, comments, text")
	fs.Var((*flag.Text)(&w.Redirects), "redirects", "Moving: write to `FILE` which document moved where, a line for each, for the server at the old addresses")
	flag.Enum(c, &w.RedirectFormat, "redirects-format", "Moving: write --redirects for `SERVER`: csv (the default), nginx, apache or netlify", site.CSV, site.Nginx, site.Apache, site.Netlify)
	fs.Var((*flag.Text)(&w.MapFile), "map-file", "Moving: read one OLD=NEW a line from `FILE`")
	flag.Enum(c, &w.Form, "to", "Moving: `FORM` of links within the site, below a --root or --map: absolute, root-relative, relative (for a server) or disk (to the files that are there, for a browser without a server); all but the first drop BASE", move.Absolute, move.RootRelative, move.Relative, move.Disk)
	fs.Var(&w.Keep, "keep", "Moving: with --to, keep these links absolute, `LIST`: "+strings.Join(site.KeepNames(), " ")+", or none")
	fs.Var((*flag.List)(&w.AnyDepth), "any-depth", "Moving: with --to, pages that match `GLOB` are shown at any depth: their links are root-relative, and with disk stay as they are (repeatable; default 404.html and 50x.html)")
	registerStrict(c, &x.strict)
	fs.VarP((*flag.Text)(&w.Dir), "output", "o", "Rewriting: write the same tree below `DIR`")
	fs.BoolVar(&w.Overwrite, "overwrite", false, "Rewriting: with -o, replace files that are there; nothing is written through symbolic links in DIR")
	fs.BoolVarP(&w.InPlace, "in-place", "i", false, "Rewriting: replace the files, each by a rename; keep a --journal to undo")
	fs.Var((*flag.Text)(&w.Backup), "backup", "Rewriting: with --in-place, keep each old file as its name with `SUFFIX`; messages of a Maildir are refused")
	fs.Var((*flag.Text)(&w.Journal), "journal", "Rewriting: with --in-place, keep in `FILE` what is replaced, to resume and to undo")
	fs.BoolVar(&w.Resume, "resume", false, "Rewriting: go on with an interrupted run: in place by its --journal, with -o by what is in DIR")
	fs.Var((*flag.Text)(&x.undo), "undo", "Rewriting: put back what the run with --journal `FILE` replaced")
	flag.Enum(c, &x.dkim, "dkim", "Mail: `WHAT` to do with messages whose DKIM signature edits break: rewrite or skip (default: rewrite; with --in-place: skip)", "rewrite", "skip")
	fs.Lookup("dkim").DefValue = ""
	fs.BoolVar(&w.BreakSignatures, "break-signatures", false, "Mail: edit also what is signed (S/MIME, PGP); what is encrypted stays")
	fs.BoolVarP(&w.DryRun, "dry-run", "n", false, "Rewriting: print the edits, write nothing")
	fs.BoolVar(&w.Diff, "diff", false, "Rewriting: print a unified diff of the decoded text, on a terminal in colours and of long lines what changed; write nothing")
	fs.BoolVar(&w.Verify, "verify", false, "Rewriting: read the output again before it counts: it has the same links in the same order (always with --in-place)")
}

// registerShared adds those flags to c that extract and base take as well.
func (x *rewriting) registerShared(c *cobra.Command) {
	c.Flags().BoolVar(&x.write.Fragments, "absolutize-fragments", false, "Rewriting: make also links to the page itself absolute, \"#top\" and \"\"; what names a map or a part of a picture, as usemap does, stays")
	flag.Enum(c, &x.write.Maildir, "maildir-size", "Mail: `WHAT` to do in place with a Maildir message whose name, or Dovecot's index, has a size that changes: refuse, rename or keep; with -o only keep keeps its name", inplace.RefuseSize, inplace.RenameSize, inplace.KeepSize)
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
	if err := x.prepare(args, console.IsTerminal(p.out)); err != nil {
		return err
	}
	x.write.Color = console.Colors(p.out)
	r, err := p.newRun(&x.options, args)
	if err != nil {
		return err
	}
	x.links.Envelopes = x.links.Envelopes || x.write.DryRun
	return p.write(ctx, x, r, &x.write)
}

// write has r, a run under the options of x, write the inputs as w says.
func (p *program) write(ctx context.Context, x *rewriting, r *run.Run, w *write.Options) error {
	command, err := write.Begin(ctx, r, w)
	if err != nil {
		return err
	}
	if err := errors.Join(p.do(ctx, &x.options, r, p.out, command), command.End()); err != nil {
		return err
	}
	command.SumUp()
	p.judge(x.strict, r)
	return nil
}

// prepare checks the flags that are those of rewrite alone, and sets by them how a run goes.
func (x *rewriting) prepare(args []string, terminal bool) error {
	if err := x.checkModes(args); err != nil {
		return err
	}
	if strings.HasPrefix(x.links.DefaultBase, "thismessage:") {
		return usagef("--default-base %s means nothing outside of a message: it is for extract and base", x.links.DefaultBase)
	}
	if err := x.links.Choice.CheckStatus("to write: absolink extract --format jsonl lists them"); err != nil {
		return err
	}
	w, files := &x.write, !x.shows() && (x.write.InPlace || x.write.Dir != "")
	w.Run, w.Links, w.Terminal = &x.run, &x.links, terminal
	w.SkipDKIM = x.dkim == "skip" || x.dkim == "" && w.InPlace
	x.run.Finds = x.shows()
	x.run.Inputs.Once, x.links.Moving = w.InPlace, x.gave("to")
	x.run.Prints, x.run.Lengths, x.run.SumUp, x.run.SumUpMail = !files, true, files, !x.shows()
	if x.run.Copies = files && !w.InPlace; w.InPlace {
		x.run.OutHint = "name it as an input"
	}
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
		return usagef("-o and --in-place exclude each other: give one of them")
	case x.write.Journal != "" && !x.write.InPlace:
		return usagef("--journal needs --in-place: add it")
	case x.write.Resume && x.write.Journal == "" && x.write.Dir == "":
		return usagef("--resume needs --in-place --journal FILE, or -o DIR: add them")
	case x.write.Overwrite && x.write.Dir == "":
		return usagef("--overwrite needs -o DIR: add it")
	case x.write.Overwrite && x.write.Resume:
		return usagef("--overwrite writes all anew, --resume leaves what is finished: leave one of them out")
	case x.write.Backup != "" && !x.write.InPlace:
		return usagef("--backup needs --in-place: add it")
	case x.write.InPlace && x.run.Inputs.Follow:
		return usagef("--follow cannot be used with --in-place; name the files outside of a directory as inputs")
	case x.write.InPlace && (x.run.Inputs.URLs != "" || slices.ContainsFunc(args, source.IsURL)):
		return usagef("a URL cannot be replaced in place; use -o DIR")
	case stdin && x.write.InPlace:
		return usagef("standard input cannot be replaced in place; leave --in-place out")
	case stdin && x.write.Dir != "":
		return usagef("standard input has no name to write below %s; use > FILE", x.write.Dir)
	case x.shows() || x.write.InPlace || x.write.Dir != "":
		return nil
	case x.run.Inputs.URLs != "":
		return usagef("standard output takes one document, and --urls is a list: use -o DIR")
	case len(args) > 1:
		return usagef("standard output takes one document, and %d inputs are given: use -o DIR or --in-place", len(args))
	case len(args) == 1 && input.IsDir(args[0]):
		return usagef("standard output takes one document, and %s is a directory: use -o DIR or --in-place", args[0])
	}
	return nil
}

// undeciding are the flags that do not decide what is written.
var undeciding = map[string]bool{"in-place": true, "journal": true, "resume": true, "jobs": true, "progress": true,
	"report": true, "strict": true, "quiet": true, "verbose": true, "verify": true, "dead-letter": true}

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
