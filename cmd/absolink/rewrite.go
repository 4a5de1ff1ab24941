package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/write"
	"absolink/extract"
	"absolink/resolve/move"
)

// rewriting is the command rewrite.
type rewriting struct {
	options
	write  write.Options
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
			return p.rewrite(c, x, args)
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
	x.registerFiles(c)
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
	fs.Var((*flag.Text)(&w.Undo), "undo", "Rewriting: put back what the run with --journal `FILE` replaced")
	flag.Enum(c, &w.DKIM, "dkim", "Mail: `WHAT` to do with messages whose DKIM signature edits break: rewrite or skip (default: rewrite; with --in-place: skip)", "rewrite", "skip")
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

// rewrite does what the command line asks for, if it can mean something.
func (p *program) rewrite(c *cobra.Command, x *rewriting, args []string) error {
	w := &x.write
	if w.Undo != "" {
		return p.undo(c, x, args)
	}
	w.Terminal, w.Color = console.IsTerminal(p.out), console.Colors(p.out)
	w.Decide(c.Flags())
	if err := x.prepare(args); err != nil {
		return err
	}
	r, err := p.newRun(&x.options, args)
	if err != nil {
		return err
	}
	x.links.Envelopes = x.links.Envelopes || w.DryRun
	command, err := write.Begin(c.Context(), r, w)
	if err != nil {
		return err
	}
	if err := errors.Join(p.do(c.Context(), &x.options, r, p.out, command), command.End()); err != nil {
		return err
	}
	command.SumUp()
	p.judge(x.strict, r)
	return nil
}

// prepare checks the flags that are those of rewrite alone.
func (x *rewriting) prepare(args []string) error {
	x.write.Run, x.write.Links, x.links.Moving = &x.run, &x.links, x.gave("to")
	return x.write.Prepare(args)
}

// undo puts back what a journal tells.
func (p *program) undo(c *cobra.Command, x *rewriting, args []string) error {
	x.write.Run = &x.run
	if err := x.write.PrepareUndo(c.Flags(), args); err != nil {
		return err
	}
	r, err := p.newRun(&x.options, nil)
	if err != nil {
		return err
	}
	err = inplace.Undo(c.Context(), r, x.write.Undo, x.run.Quiet)
	if r.Totals.Defects {
		p.code = exitDefects
	}
	return err
}
