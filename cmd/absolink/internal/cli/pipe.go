package cli

import (
	"io"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/pipe"
)

// reserveSize is the size in bytes of memory that is never used. Without it, the few bytes that are
// in use would make the garbage collector run after every few frames. Memory that is never used
// takes no space.
const reserveSize = 16 << 20

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
	reserve := make([]byte, reserveSize)
	defer runtime.KeepAlive(reserve)
	return pipe.Run(c.Context(), p.in, p.out, o)
}
