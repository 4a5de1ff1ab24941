package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
)

// explanation is the command base.
type explanation struct {
	options
	list.Bases
}

func (p *program) baseCommand() *cobra.Command {
	x := &explanation{}
	c := &cobra.Command{
		Use:         "base [INPUT...]",
		Short:       "Show which layer gives each document its base, and why",
		Annotations: help.Needed("base root default-base trust-base mime-base summary figure format files-from report jobs"),
		Long: `Print, for one document, the boxes of RFC 2396 Section 5.1: what fills each, a * at the one that
gives the base, and why those inside it do not. "absolink help layers" explains them. Several
documents get a line each, with the base; --figure draws the boxes of each. --summary counts the
documents and messages for each base, and names one of them. A figure shows the first 200
characters of a value. With --format jsonl the first line of an input that has a layer has its
values whole, later ones cut ("cut":true). Flags of extract and rewrite that say how references are
read, chosen, resolved or written are accepted and change nothing.
` + inputHelp + exitHelp,
		Example: "  absolink base message.eml\n  absolink base --summary list.mbox\n  absolink base --format jsonl --base http://example.com/ page.html",
		RunE: p.listed(&x.options, func(c *cobra.Command, args []string) error {
			return p.base(c.Context(), x, args)
		}),
	}
	x.register(c)
	return c
}

// register adds the flags to c.
func (x *explanation) register(c *cobra.Command) {
	x.Find = &x.links
	x.options.register(c)
	c.Flags().Lookup("same-scheme").Hidden = true // references alone are resolved otherwise by it
	flag.Ignore(c, new(options).registerReading, new(rewriting).registerShared)
	x.registerSharing(c)
	flag.Enum(c, &x.Format, "format", "Output: print `F`: text, jsonl (all layers), csv or tsv", record.Formats...)
	c.Flags().BoolVar(&x.Figure, "figure", false, "Output: draw the figure of each document, also of many")
	c.Flags().BoolVar(&x.Summary, "summary", false, "Output: print a line for each base that would count, with an example")
}

func (p *program) base(ctx context.Context, x *explanation, args []string) error {
	switch text := x.Format == record.Text; {
	case x.Summary && x.Figure:
		return usagef("--summary and --figure exclude each other: give one of them")
	case x.Summary && x.Format == record.JSONL:
		return usagef("--summary needs --format text, csv or tsv")
	case x.Figure && !text:
		return usagef("--figure needs --format text")
	case !x.Summary && !x.Figure:
		x.checkFormat(&x.Format)
	}
	out, header, err := x.Output(p.out)
	if err != nil {
		return err
	}
	x.run.Prints, x.run.Header = true, header
	r, err := p.newRun(&x.options, args)
	if err != nil {
		return err
	}
	return errors.Join(p.do(ctx, &x.options, r, out, &x.Bases), x.End())
}
