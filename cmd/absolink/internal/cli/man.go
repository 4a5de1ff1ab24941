package cli

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/manual"
)

func (p *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the man pages",
		Long: "Write the man pages to DIR, which is made if it is missing: in section 1 one for each command,\nin " +
			"section 7 one for each topic of \"absolink help\".",
		Example: "  absolink man pages && man pages/absolink.1\n  absolink man pages && man pages/" +
			"absolink-rewrite.1\n  absolink man pages && man pages/absolink-base.7",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("absolink man takes one argument, the directory that gets the pages")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return manual.Write(c.Root(), args[0]) },
	}
}
