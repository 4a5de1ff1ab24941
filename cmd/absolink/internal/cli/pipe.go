package cli

import (
	"io"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/pipe"
)

// preparePipe checks the flags of a command and its arguments. It returns the options for answering
// frames.
type preparePipe func(c *cobra.Command, args []string, stderr io.Writer) (*pipe.Options, error)

// pipe answers the frames of standard input, with the options that prepare returns. If the client
// closes standard output, the program ends without an error.
func (p *program) pipe(c *cobra.Command, args []string, prepare preparePipe) error {
	o, err := prepare(c, args, p.err)
	if err != nil {
		return err
	}
	if console.IsTerminal(p.in) {
		return usagef("--pipe answers a program that writes frames, and standard input is a terminal; see \"absolink " +
			"help pipe\"")
	}
	signal.Ignore(syscall.SIGPIPE)
	return pipe.Run(c.Context(), p.in, p.out, o)
}
