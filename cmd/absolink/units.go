package main

import (
	"context"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/cut"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/source"
)

// cutting is the command units.
type cutting struct {
	options
	cut.Cutter
}

func (p *program) unitsCommand() *cobra.Command {
	x := &cutting{Cutter: cut.Cutter{Size: 64 << 20}}
	c := &cobra.Command{
		Use:   "units [INPUT...]",
		Short: "Cut large containers into units of work",
		Long: `Print units, one a line, for --units of extract and base: the path of a file, or of
a part of a mailbox or web archive its path, offset and length in bytes, and number
and line of its first item, separated by tabs. Parts begin and end with messages and
records, and none is larger than --size unless one of these is. What is compressed
as a whole is one unit. In directories what is no document is left out.
` + exitHelp + `130 interrupted.`,
		Example: "  absolink units --size 256M mail/ crawl/ > units\n" +
			"  parallel -k --pipe -N1 absolink extract --units - < units > links.jsonl",
		RunE: func(c *cobra.Command, args []string) error {
			return p.cut(c.Context(), x, args)
		},
	}
	x.options.register(c)
	keep(c, "type", "mbox", "include", "exclude", "follow", "jobs", "max-size", "progress", "quiet", "verbose")
	c.Flags().BoolVar(&x.Absolute, "absolute", false, "print absolute paths, for processes in other directories")
	c.Flags().Var(&x.Size, "size", "largest unit, in bytes or with K, M, G")
	return c
}

// keep takes all flags but these away from c.
func keep(c *cobra.Command, names ...string) {
	all := c.Flags()
	c.ResetFlags()
	c.Flags().SortFlags = false
	for _, name := range names {
		c.Flags().AddFlag(all.Lookup(name))
	}
}

func (p *program) cut(ctx context.Context, x *cutting, args []string) error {
	if len(args) == 0 {
		return usagef("an input is missing; standard input has no name that a unit could bear")
	}
	for _, a := range args {
		if a == input.Stdin || source.IsURL(a) {
			return usagef("%s cannot be cut into units; a file or a directory is needed", a)
		}
	}
	x.run.Peek, x.run.Prints = true, true
	r, err := p.newRun(&x.options, args)
	if err != nil {
		return err
	}
	x.Mbox, x.MaxSize = x.run.Mbox, x.run.MaxSize
	return p.do(ctx, r, p.out, x)
}
