package cli

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/build"
	"absolink/cmd/absolink/internal/flag"
)

func (p *program) versionCommand() *cobra.Command {
	format := versionText
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: "Print the version, the version of Go and the system. If the build recorded the commit and its\n" +
			"date, print them too.",
		Example: "  absolink version\n  absolink version --format json\n  absolink --version",
		Args:    flag.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			line := build.This().Text()
			if format == versionJSON {
				line = string(build.This().JSON())
			}
			_, err := p.out.Write([]byte(line + "\n"))
			return err
		},
	}
	flag.Enum(c, &format, "format", "Output: print `F`: text or json", versionText, versionJSON)
	return c
}

// versionFormat is the format of the output.
type versionFormat string

const (
	versionText versionFormat = "text"
	versionJSON versionFormat = "json"
)

func (f versionFormat) String() string { return string(f) }
