package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/source"
)

// Functions that the commands which read documents share.

// listed returns a function that runs a command with its arguments and the arguments of
// --files-from.
func (p *program) listed(o *command.Common,
	run func(c *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		args, err := o.Run.Inputs.ReadFilesFrom(c.Context(), args, p.in)
		if in := &o.Run.Inputs; err == nil && len(args) == 0 && in.URLs == "" &&
			in.Units == "" && in.FilesFrom == "" && !c.Flags().Changed("undo") {
			if err := p.noTerminal(c); err != nil {
				return err
			}
		}
		if errors.Is(err, source.ErrNoInput) {
			if !o.Run.Account.Quiet {
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

// exits are the exit codes of the statuses.
var exits = map[account.Status]int{account.Done: ExitDone, account.Misused: ExitUsage, account.Unread: ExitUnread,
	account.Faulty: ExitDefects, account.Strict: ExitStrict}

// do has c take all inputs, and sets the exit code by their outcomes. strict is --strict.
func (p *program) do(ctx context.Context, r *run.Run, out io.Writer, c run.Command, strict bool) error {
	if err := r.Do(ctx, out, c); err != nil {
		return err
	}
	p.code = exits[r.Account.Status(strict)]
	return nil
}

// streams returns the streams of the program, for a run.
func (p *program) streams() run.Streams { return run.Streams{In: p.in, Out: p.out, Err: p.err} }
