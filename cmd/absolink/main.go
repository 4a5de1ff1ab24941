// The command absolink lists the references of HTML documents and of messages,
// absolute, or writes the documents with absolute links so that every other byte
// stays as it was.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"absolink/cmd/absolink/internal/console"
)

// Exit codes. A run that was interrupted ends with 128 and the number of SIGINT.
const (
	exitDone        = 0
	exitDefects     = 1 // defects, unreadable inputs, refused files; all others are done
	exitUsage       = 2
	exitStrict      = 3
	exitInterrupted = 130
)

func main() {
	log.SetOutput(io.Discard) // net/http would tell what it thinks of servers
	ballast = sync.OnceValue(func() []byte { return make([]byte, 16<<20) })
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program: args without its name, results to out, everything else to
// err, and the exit code.
func run(args []string, in io.Reader, out, err io.Writer) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := &program{in: in, out: out, err: err, listens: listen(ctx, cancel)}
	root := p.command(args)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(err)
	return p.exit(root.ExecuteContext(ctx))
}

// listen makes the signals that end a run cancel its context; a second one ends the
// program at once. The channel is closed when they do, which takes as long as to read
// the flags.
func listen(ctx context.Context, cancel context.CancelFunc) <-chan struct{} {
	listens := make(chan struct{})
	go func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, endings()...)
		defer signal.Stop(signals)
		close(listens)
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
		}
	}()
	return listens
}

// endings are the signals that end a run in good order: an interrupt, kill, and the
// end of the session, unless the program was started to outlive that (nohup).
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// program is what the commands share.
type program struct {
	in       io.Reader
	out, err io.Writer
	code     int             // exit code of a command that ran
	listens  <-chan struct{} // closed when signals end the run in good order
}

// usageError says that the command line cannot be carried out, and what to type instead.
type usageError struct{ text string }

func (u *usageError) Error() string { return u.text }

func usagef(format string, a ...any) error { return &usageError{fmt.Sprintf(format, a...)} }

// exit turns the error of a command into the exit code of the program.
func (p *program) exit(err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return p.code
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		p.say("%v", err)
		return exitUsage
	}
	p.say("%v", err)
	return exitDefects
}

func (p *program) say(format string, a ...any) {
	console.New(p.err, "absolink", console.Never, false).Printf(format, a...)
}
