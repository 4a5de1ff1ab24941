package flag

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Ignore adds flags to c that change nothing there, so that the commands that read documents can be
// called alike.
func Ignore(c *cobra.Command, register ...func(*cobra.Command)) {
	idle := new(cobra.Command)
	for _, r := range register {
		r(idle)
	}
	idle.Flags().VisitAll(func(f *pflag.Flag) {
		f.Hidden = true
		c.Flags().AddFlag(f)
	})
}

// Keep takes all flags but these away from c.
func Keep(c *cobra.Command, names ...string) {
	all := c.Flags()
	c.ResetFlags()
	c.Flags().SortFlags = false
	for _, name := range names {
		c.Flags().AddFlag(all.Lookup(name))
	}
}
