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
		RunE: p.withInputs(&x.Common, x.PipeOptions, func(c *cobra.Command, args []string) error {
			return p.rewrite(c, x, args)
		}),
	}
	x.Register(c)
	return c
}

const rewriteHelp = `Write the documents with absolute links, so that nothing but the links changes. Relative links with
no known base are left alone and reported. One input goes to standard output; several inputs, and
directories, need -o DIR or --in-place. --dry-run lists the edits.
` + inputHelp + `
-o DIR also copies files of other kinds, web archives and responses, unchanged. Existing files are
replaced only with --overwrite, and nothing is written through a symbolic link in DIR. If the input
is one file, -o may name a file: -o new.html. A name with a slash at its end is a directory.

To move a site, give the URI that its files were retrieved from, with --root DIR=URI, and the URI
that they move to, with --map OLD=NEW. --to relative and root-relative write links without the host.
--to disk writes links that a browser follows without a server. With --to as-written each link keeps
its form; in messages this is the default with --map. Moved documents are always read back and
compared. See "absolink help sites", and "absolink help rescue" for pages of a web archive.

Encrypted parts are never edited, and signed parts only with --break-signatures. If edits would
break a DKIM, ARC or DomainKeys signature, a message is edited on standard output and with -o, but
left unchanged with --in-place. --dkim rewrite or --dkim skip changes this. See "absolink help
mail", also for locks, Maildirs and backups.

With --in-place each file is written, read back, and then replaced by a rename. Without --jobs at
least sixteen files are worked on at once, because each waits for the disk. With --journal every
edit is on the disk before the file is replaced. After a crash the same command with --resume
continues the run, and --undo puts the old bytes back. "absolink help safety" says more, also about
copies, backups, symbolic links and permissions.
` + exitHelp + `
With --strict: 3 a link is unresolved or invalid, --check-files does not find its file, or
--find-old finds something.`

// rewrite rewrites the inputs, or undoes a run with --undo.
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
	rewrite, err := write.Begin(c.Context(), r, w)
	if err != nil {
		return err
	}
	if err := errors.Join(p.do(c.Context(), r, p.out, rewrite, x.Strict), rewrite.End()); err != nil {
		return err
	}
	rewrite.SumUp()
	return nil
}

// undo restores the files of a journal.
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
