package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/command"
)

func (p *program) baseCommand() *cobra.Command {
	x := new(command.Base)
	c := &cobra.Command{
		Use:   "base [INPUT...]",
		Short: "Show which layer gives each document its base, and why",
		Annotations: help.Needed("base root default-base trust-base mime-base summary figure format files-from " +
			"report jobs"),
		Long: `Show where the base of a document comes from: the four layers of RFC 2396 Section 5.1 as boxes, a *
at the layer that gives the base, and the reason why the layers inside it do not. See "absolink help
base".

For several documents, print one line with the base of each; --figure draws the boxes of each.
--summary counts the documents and messages for each base, and names an example. A figure shows the
first 200 characters of a value. With --format jsonl the first line with a layer of an input has
whole values, and later lines with this layer have cut values ("cut":true).
` + inputHelp + exitHelp,
		Example: "  absolink base message.eml\n  absolink base --summary list.mbox\n  absolink base --format jsonl " +
			"--base http://example.com/ page.html",
		RunE: p.withInputs(&x.Common, x.PipeOptions, func(c *cobra.Command, args []string) error {
			return p.base(c.Context(), x, args)
		}),
	}
	x.Register(c)
	return c
}

// base prints the bases of the inputs.
func (p *program) base(ctx context.Context, x *command.Base, args []string) error {
	if err := x.Prepare(); err != nil {
		return err
	}
	out, header, err := x.List.Output(p.out)
	if err != nil {
		return err
	}
	x.Run.Account.ResultsOnStdout = true
	x.Run.Header = header
	r, err := x.Start(p.streams(), args)
	if err != nil {
		return err
	}
	return errors.Join(p.do(ctx, r, out, &x.List, false), x.List.End())
}
