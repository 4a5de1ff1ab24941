package cli

import (
	"context"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/cut"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
)

// unitsOptions holds the flags of the command units.
type unitsOptions struct {
	command.Common
	cut.Cutter
}

const unitsCommandHelp = `Print units of work, one a line, for --units of extract and base.
Engines may spread the units over processes and machines, and kill and repeat any of them: all units
together yield the same records as one run. A web archive or mailbox may be a URL: absolink asks the
server for its size, and cuts by the size alone. "absolink help units" defines units, and shows
command lines for several engines.
` + exitHelp

func (p *program) unitsCommand() *cobra.Command {
	x := &unitsOptions{Cutter: cut.Cutter{Size: 64 << 20}}
	c := &cobra.Command{
		Use:   "units [INPUT...]",
		Short: "Cut large containers into units of work",
		Long:  unitsCommandHelp,
		Example: "  absolink units --size 64M mail/ crawl/ > units\n  absolink extract --units units > " +
			"links.jsonl\n  parallel -k --pipe -N1 absolink extract --jobs 1 --units - < units > links.jsonl",
		Annotations: help.Needed("size blind absolute type mbox include exclude files-from jobs max-size header " +
			"allow-private"),
		RunE: p.withInputs(&x.Common, nil, func(c *cobra.Command, args []string) error {
			return p.units(c.Context(), x, args)
		}),
	}
	x.Common.Register(c)
	flag.Keep(c, "type", "mbox", "include", "exclude", "follow",
		"files-from", "jobs", "max-size", "progress", "quiet", "verbose",
		"user-agent", "header", "max-redirects", "timeout", "allow-private", "proxy")
	c.Flags().BoolVar(&x.Links.Reading.Options.Scripts, "scripts", false,
		"Inputs: read scripts as documents, as extract --scripts does")
	c.Flags().BoolVar(&x.Blind, "blind", false,
		"Processes: cut by sizes alone: read at most the first 1 MiB of each file, and print units without items and "+
			"lines")
	c.Flags().BoolVar(&x.Absolute, "absolute", false,
		"Processes: print absolute paths, for processes in other directories")
	c.Flags().Var(&x.Size, "size", "Processes: size of the largest unit, in bytes or with K, M or G")
	return c
}

// units prints the units of the inputs.
func (p *program) units(ctx context.Context, x *unitsOptions, args []string) error {
	if len(args) == 0 {
		return usagef("an input is missing: give a file or a directory")
	}
	for _, arg := range args {
		if arg == input.Stdin {
			return usagef("%s cannot be cut into units: give a file or a directory", arg)
		}
	}
	x.Run.Reading.Peek = true
	x.Run.Account.ResultsOnStdout = true
	r, err := x.Start(p.streams(), args)
	if err != nil {
		return err
	}
	x.Mbox = x.Run.Mail.Mbox
	x.MaxSize = x.Run.Reading.MaxSize
	x.Jobs = x.Run.Jobs
	return p.do(ctx, r, p.out, x, false)
}
