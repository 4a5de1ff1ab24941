package main

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

// rewrite does what the command line asks for, if it can mean something.
func (p *program) rewrite(c *cobra.Command, x *command.Rewrite, args []string) error {
	w := &x.Write
	if w.To.Undo != "" {
		return p.undo(c, x, args)
	}
	w.Show.Terminal = console.IsTerminal(p.out)
	w.Show.Color = console.Colors(p.out)
	w.Decide(c.Flags())
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

// undo puts back what a journal tells.
func (p *program) undo(c *cobra.Command, x *command.Rewrite, args []string) error {
	x.Write.Run = &x.Run
	if err := x.Write.PrepareUndo(c.Flags(), args); err != nil {
		return err
	}
	r, err := x.Start(p.streams(), nil)
	if err != nil {
		return err
	}
	err = inplace.Undo(c.Context(), r, x.Write.To.Undo, x.Run.Account.Quiet)
	if r.Account.Totals.Defects {
		p.code = exitDefects
	}
	return err
}
