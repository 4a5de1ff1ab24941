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

// The commands that read documents share these functions.

// withInputs returns a function that calls run with the arguments and the inputs of --files-from.
// If there are none, the function refuses to read from a terminal. With --pipe the function answers
// frames instead, with the options that pipeOptions returns.
func (p *program) withInputs(o *command.Common, pipeOptions preparePipe,
	run func(c *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if o.Pipe {
			return p.pipe(c, args, pipeOptions)
		}
		args, err := source.Expand(args)
		if err != nil {
			return err
		}
		inputs := &o.Run.Inputs
		args, err = inputs.ReadFilesFrom(c.Context(), args, p.in)
		if errors.Is(err, source.ErrNoInput) {
			if !o.Run.Account.Quiet {
				p.say("--files-from %s %v", inputs.FilesFrom, err)
			}
			return nil
		}
		if err != nil {
			return err
		}
		fromStdin := len(args) == 0 && inputs.URLs == "" && inputs.Units == "" && inputs.FilesFrom == ""
		if fromStdin && !c.Flags().Changed("undo") {
			if err := p.refuseTerminal(c); err != nil {
				return err
			}
		}
		return run(c, args)
	}
}

// exitCodes are the exit codes for the statuses of a run.
var exitCodes = map[account.Status]int{account.Done: ExitDone, account.Misused: ExitUsage, account.Unread: ExitUnread,
	account.Faulty: ExitDefects, account.Strict: ExitStrict}

// do runs c on all inputs of r, and sets the exit code by their outcomes. strict is --strict.
func (p *program) do(ctx context.Context, r *run.Run, out io.Writer, c run.Command, strict bool) error {
	if err := r.Do(ctx, out, c); err != nil {
		return err
	}
	p.code = exitCodes[r.Account.Status(strict)]
	return nil
}

// streams returns the standard streams.
func (p *program) streams() run.Streams { return run.Streams{In: p.in, Out: p.out, Err: p.err} }
