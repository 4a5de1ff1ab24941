package flag

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// elsewhere is the annotation of a flag without effect in its command. It names the commands in
// which the flag has an effect.
const elsewhere = "absolink_elsewhere"

// Elsewhere adds flags to c that have an effect only in other commands, such as "extract or
// rewrite". They are hidden, and [CheckElsewhere] refuses them.
func Elsewhere(c *cobra.Command, commands string, register func(*cobra.Command)) {
	idle := new(cobra.Command)
	register(idle)
	idle.Flags().VisitAll(func(f *pflag.Flag) {
		c.Flags().AddFlag(f)
		Withhold(c, f.Name, commands)
	})
}

// Withhold marks a flag of c as a flag that has an effect only in other commands.
func Withhold(c *cobra.Command, name, commands string) {
	f := c.Flags().Lookup(name)
	f.Hidden = true
	f.Annotations = map[string][]string{elsewhere: {commands}}
}

// CheckElsewhere refuses a flag that has no effect in c. The error names the commands in which it
// has an effect.
func CheckElsewhere(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if commands := f.Annotations[elsewhere]; len(commands) > 0 {
			err = Errorf("--%s changes nothing in %s: leave it out, or use absolink %s", f.Name, c.Name(), commands[0])
		}
	})
	return err
}

// Keep removes all other flags from c.
func Keep(c *cobra.Command, names ...string) {
	all := c.Flags()
	c.ResetFlags()
	c.Flags().SortFlags = false
	for _, name := range names {
		c.Flags().AddFlag(all.Lookup(name))
	}
}
