package flag

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// elsewhere is the annotation of a flag that has an effect in other commands only: their names.
const elsewhere = "absolink_elsewhere"

// Elsewhere adds flags to c that have an effect in other commands only, such as "extract or
// rewrite". They are hidden, and [CheckElsewhere] refuses them.
func Elsewhere(c *cobra.Command, commands string, register func(*cobra.Command)) {
	idle := new(cobra.Command)
	register(idle)
	idle.Flags().VisitAll(func(f *pflag.Flag) {
		c.Flags().AddFlag(f)
		Withhold(c, f.Name, commands)
	})
}

// Withhold marks a flag of c as one that has an effect in other commands only.
func Withhold(c *cobra.Command, name, commands string) {
	f := c.Flags().Lookup(name)
	f.Hidden = true
	f.Annotations = map[string][]string{elsewhere: {commands}}
}

// CheckElsewhere refuses a flag that has no effect in c, and names the commands where it has one.
func CheckElsewhere(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if commands := f.Annotations[elsewhere]; len(commands) > 0 {
			err = Errorf("--%s changes nothing in %s: leave it out, or use absolink %s", f.Name, c.Name(), commands[0])
		}
	})
	return err
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
