package flag

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// CompleteBash writes cobra's completion script for bash to w, without the backslashes before the
// commas of a list.
func CompleteBash(w io.Writer, c *cobra.Command) error {
	const quote, unquote = `COMPREPLY[0]=$(printf "%q" `, `COMPREPLY[0]=${COMPREPLY[0]//\\,/,}`
	plain, err := c.Flags().GetBool("no-descriptions")
	if err != nil {
		return err
	}
	var script strings.Builder
	if err := c.Root().GenBashCompletionV2(&script, !plain); err != nil {
		return err
	}
	for line := range strings.Lines(script.String()) {
		indent, _, single := strings.Cut(line, quote)
		if single {
			line += indent + unquote + "\n"
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}
