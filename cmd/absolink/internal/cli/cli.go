// Package cli has the commands of absolink: the help of each, and the call that does its work.
//
//	cli.go       the program, from its arguments to its exit code
//	commands.go  the tree of commands
//	run.go       shared by the commands that read documents
//
// Each other file is one command, with the name of the command.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/secret"
)

// Exit codes. The code of an interrupted run is 128 plus the number of SIGINT.
const (
	ExitDone        = 0
	ExitDefects     = 1 // defects, unreadable inputs, refused files; all others are done
	ExitUsage       = 2
	ExitStrict      = 3
	ExitUnread      = 4 // with --units: a unit could not be opened, or not be read as it says
	ExitInterrupted = 130
)

// Run carries out the arguments, which do not include the name of the program. Results go to out
// and messages to err. Run ends with ctx, or at a signal, and returns the exit code.
func Run(ctx context.Context, args []string, in io.Reader, out, err io.Writer) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &program{in: in, out: out, err: err, args: args}
	if !ends(args) {
		p.listens = listen(ctx, cancel)
	}
	root := p.command(args)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(err)
	return p.exit(root.ExecuteContext(ctx))
}

// ends reports whether the arguments are for a command that reads no input and ends at once. A
// signal ends it as it ends any program.
func ends(args []string) bool {
	return len(args) > 0 && slices.Contains([]string{"version", "--version", "help", "--help", "-h"}, args[0])
}

// listen makes the signals that end a run cancel its context; a second signal ends the program at
// once. The channel is closed once the signals have this effect, which takes as long as reading the
// flags.
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

// endings returns the signals that end a run in good order: an interrupt, kill, and the end of the
// session, unless the program was started to outlive the session (nohup).
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// program is the state that the commands share.
type program struct {
	in       io.Reader
	out, err io.Writer
	code     int // exit code of a command that ran
	args     []string
	listens  <-chan struct{} // closed once signals end the run in good order; nil if they end the program
}

// usagef returns the error of a command line that cannot be carried out.
func usagef(format string, a ...any) error { return flag.Errorf(format, a...) }

// exit turns the error of a command into the exit code of the program.
func (p *program) exit(err error) int {
	var usage *flag.Error
	switch {
	case err == nil, errors.Is(err, versionPrinted{}):
		return p.code
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.As(err, &usage):
		p.sayHidden(err)
		return ExitUsage
	}
	p.sayHidden(err)
	return ExitDefects
}

// sayHidden prints an error without the passwords of the command line.
func (p *program) sayHidden(err error) {
	hide := secret.Arguments(p.args)
	p.say("%s", hide(err.Error()))
}

func (p *program) say(format string, a ...any) {
	console.New(p.err, "absolink", console.Never, false).Printf(format, a...)
}
