package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/source"
	"absolink/extract"
)

// What the commands that read documents have in common.

// listed returns what runs a command with its arguments and those of --files-from.
func (p *program) listed(o *command.Common,
	run func(c *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		args, err := o.Run.Inputs.Join(c.Context(), args, p.in)
		if in := &o.Run.Inputs; err == nil && len(args) == 0 && in.URLs == "" &&
			in.Units == "" && in.FilesFrom == "" && !c.Flags().Changed("undo") {
			if err := p.noTerminal(c); err != nil {
				return err
			}
		}
		if errors.Is(err, source.ErrNone) {
			if !o.Run.Quiet {
				p.say("--files-from %s %v", o.Run.Inputs.FilesFrom, err)
			}
			return nil
		}
		if err != nil {
			return err
		}
		return run(c, args)
	}
}

// do has c take all inputs, and sets the exit code by what became of them.
func (p *program) do(ctx context.Context, o *command.Common, r *run.Run, out io.Writer, c run.Command) error {
	if err := r.Do(ctx, out, c); err != nil {
		return err
	}
	switch {
	case r.Totals.Class&report.Usage != 0:
		p.code = exitUsage
	case o.Run.Inputs.Units != "" && r.Totals.Class&report.Unavailable != 0:
		p.code = exitUnread
	case r.Totals.Faults, r.Totals.Defects && o.Run.Inputs.Units == "":
		p.code = exitDefects
	}
	return nil
}

// judge sets the exit code of --strict by what a run has found.
func (p *program) judge(strict bool, r *run.Run) {
	t := &r.Totals
	n := t.Links.ByStatus[extract.Unresolved] + t.Links.ByStatus[extract.Invalid] + t.Links.NoFile + t.Edits.Old
	if strict && n > 0 && p.code == exitDone {
		p.code = exitStrict
	}
}

// streams are those of the program, for a run.
func (p *program) streams() run.Streams { return run.Streams{In: p.in, Out: p.out, Err: p.err} }
