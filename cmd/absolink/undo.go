package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/inplace"
)

// undoFlags are those that say something about an undo.
var undoFlags = map[string]bool{"undo": true, "report": true, "quiet": true, "verbose": true, "progress": true}

// checkUndo refuses inputs and flags that an undo does not look at.
func checkUndo(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("--undo puts back all files of the journal; leave %s out", args[0])
	}
	other := ""
	c.Flags().Visit(func(f *pflag.Flag) {
		if !undoFlags[f.Name] {
			other = f.Name
		}
	})
	if other != "" {
		return usagef("--undo takes all from the journal; leave --%s out", other)
	}
	return nil
}

// putBack puts back what a journal tells.
func (p *program) putBack(c *cobra.Command, x *rewriting, args []string) error {
	if err := checkUndo(c, args); err != nil {
		return err
	}
	r, err := p.newRun(&x.options, nil)
	if err != nil {
		return err
	}
	err = inplace.Undo(c.Context(), r, x.undo, x.run.Quiet)
	if r.Totals.Defects {
		p.code = exitDefects
	}
	return err
}
