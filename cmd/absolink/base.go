package main

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
		Long: `Print, for one document, the boxes of RFC 2396 Section 5.1: what fills each, a * at the one that
gives the base, and why those inside it do not. "absolink help layers" explains them. Several
documents get a line each, with the base; --figure draws the boxes of each. --summary counts the
documents and messages for each base, and names one of them. A figure shows the first 200
characters of a value. With --format jsonl the first line of an input that has a layer has its
values whole, later ones cut ("cut":true).
` + inputHelp + exitHelp,
		Example: "  absolink base message.eml\n  absolink base --summary list.mbox\n  absolink base --format jsonl " +
			"--base http://example.com/ page.html",
		RunE: p.listed(&x.Common, func(c *cobra.Command, args []string) error {
			return p.base(c.Context(), x, args)
		}),
	}
	x.Register(c)
	return c
}

func (p *program) base(ctx context.Context, x *command.Base, args []string) error {
	if err := x.Prepare(); err != nil {
		return err
	}
	out, header, err := x.List.Output(p.out)
	if err != nil {
		return err
	}
	x.Run.Account.Prints, x.Run.Header = true, header
	r, err := x.Start(p.streams(), args)
	if err != nil {
		return err
	}
	return errors.Join(p.do(ctx, r, out, &x.List, false), x.List.End())
}
