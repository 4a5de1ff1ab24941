package main

import (
	"context"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
)

// explanation is the command base.
type explanation struct {
	options
	format record.Format
}

func (p *program) baseCommand() *cobra.Command {
	x := &explanation{}
	c := &cobra.Command{
		Use:         "base [INPUT...]",
		Short:       "Show which layer gives each document its base, and why",
		Annotations: help.Needed("base root default-base trust-base mime-base type format files-from report jobs"),
		Long: `Print for each document the boxes of RFC 2396 Section 5.1 with what fills them, the one that gives
the base marked with *, and why those inside it do not. "absolink help layers" explains them. The
figure shows 200 characters of a value. With --format jsonl the first line of an input that has a
layer has its values whole, later ones cut ("cut":true). Flags of extract and rewrite that choose
references are taken, and change nothing.
` + inputHelp + exitHelp,
		Example: "  absolink base message.eml\n  absolink base --format jsonl --base http://example.com/ page.html",
		RunE: p.listed(&x.options, func(c *cobra.Command, args []string) error {
			return p.base(c.Context(), x, args)
		}),
	}
	x.register(c)
	takeIdly(c, new(options).registerReading, new(rewriting).registerShared)
	x.registerSharing(c)
	flag.Enum(c, &x.format, "format", "Output: print `F`: text (the figure) or jsonl", record.Text, record.JSONL)
	return c
}

func (p *program) base(ctx context.Context, x *explanation, args []string) error {
	x.checkFormat(&x.format)
	x.run.Prints = true
	r, err := p.newRun(&x.options, args)
	if err != nil {
		return err
	}
	return p.do(ctx, &x.options, r, p.out, &list.Bases{Find: &x.links, Format: x.format})
}
