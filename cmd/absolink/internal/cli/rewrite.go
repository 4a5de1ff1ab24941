package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/inplace"
	"absolink/cmd/absolink/internal/write"
)

func (p *program) rewriteCommand() *cobra.Command {
	x := new(command.Rewrite)
	c := &cobra.Command{
		Use:         "rewrite [INPUT...]",
		Short:       "Write the documents with absolute links",
		Annotations: help.Needed("base root map to output in-place journal undo dry-run diff"),
		Long:        rewriteHelp,
		Example: "  absolink rewrite --base http://example.com/dir/ page.html > absolute.html\n" +
			"  absolink rewrite --root mirror=http://example.com/ -o absolute mirror\n  absolink rewrite --in-place " +
			"--journal run.journal mail/\n" +
			"  absolink rewrite --in-place --journal run.journal --resume mail/\n  absolink rewrite --undo " +
			"run.journal\n" +
			"  absolink rewrite --root old=http://old.test/ --map http://old.test/=https://new.test/ -o new old",
		RunE: p.listed(&x.Common, func(c *cobra.Command, args []string) error {
			return p.rewrite(c, x, args)
		}),
	}
	x.Register(c)
	return c
}

const rewriteHelp = `Write the documents with absolute links. Every reference that has a base is
made absolute, and every other byte stays as it was. One input goes to standard output; several
inputs, and directories, need -o DIR or --in-place.
` + inputHelp + `
-o DIR copies these other files, and it copies web archives and responses, which are only read.
Existing files are replaced only with --overwrite, and nothing is written through a symbolic link in
DIR. With --resume an existing file with the time of its input is finished; one with another time is
named and stays. If the input is one file, -o may name a file: -o new.html, or another name with the
ending of a document, a message or an archive. A name with a slash at its end is a directory.

To move a site, give --root DIR=URI, the place that its files were retrieved from, and --map
OLD=NEW, the place that they move to. --to relative and root-relative write links without the host,
--to disk writes links that a browser follows without a server. With --to as-written each link keeps
its form, which is the default in messages with --map. Moved documents are always read back and
compared. See "absolink help sites".

Encrypted parts are never edited, signed parts only with --break-signatures. If the edits would
break a DKIM, ARC or DomainKeys signature, a message is edited on standard output and with -o, and
left alone with --in-place; --dkim rewrite or skip decides otherwise. See "absolink help mail", also
for locks, Maildirs and backups.

With --in-place each file is written, read back, and then replaced by a rename. With --journal every
edit is on the disk before it counts. After a crash the same command with --resume continues the
run. --undo puts all old bytes back, in files that are as the run left them. With files or
directories as arguments it puts back these alone; the others can be put back later. --undo
--dry-run lists the files. You must own the journal, it must not be a link, and nobody else may be
able to write to it or a directory above it.
` + exitHelp

// rewrite carries out the command line if it makes sense.
func (p *program) rewrite(c *cobra.Command, x *command.Rewrite, args []string) error {
	w := &x.Write
	if w.To.Undo != "" {
		return p.undo(c, x, args)
	}
	w.Show.Terminal = console.IsTerminal(p.out)
	w.Show.Color = console.Colors(p.out)
	w.SetOutputFlags(c.Flags())
	if err := x.Prepare(args); err != nil {
		return err
	}
	r, err := x.Start(p.streams(), args)
	if err != nil {
		return err
	}
	x.Links.Envelopes = x.Links.Envelopes || w.Show.DryRun
	rewriting, err := write.Begin(c.Context(), r, w)
	if err != nil {
		return err
	}
	if err := errors.Join(p.do(c.Context(), r, p.out, rewriting, x.Strict), rewriting.End()); err != nil {
		return err
	}
	rewriting.SumUp()
	return nil
}

// undo puts back the files of a journal.
func (p *program) undo(c *cobra.Command, x *command.Rewrite, args []string) error {
	x.Write.Run = &x.Run
	if err := x.Write.PrepareUndo(c.Flags(), args); err != nil {
		return err
	}
	r, err := x.Start(p.streams(), nil)
	if err != nil {
		return err
	}
	o := inplace.UndoOptions{Journal: x.Write.To.Undo, Paths: args, Quiet: x.Run.Account.Quiet}
	if x.Write.Show.DryRun {
		o.List = p.out
	}
	err = inplace.Undo(c.Context(), r, o)
	if r.Account.Totals.Defects {
		p.code = ExitDefects
	}
	return err
}
