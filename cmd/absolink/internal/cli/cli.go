// Package cli has the commands of absolink. It holds the help text of each command, and calls the
// package that does the work of the command.
//
//	cli.go       the program, from its arguments to its exit code
//	commands.go  the tree of commands
//	run.go       functions for the commands that read documents
//
// Each other file is named after the command that it has.
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
	ExitDefects     = 1 // an input is damaged or unreadable, or a file was refused; everything else is done
	ExitUsage       = 2 // the command line cannot be carried out
	ExitStrict      = 3 // with --strict: a reference is unresolved or invalid, or its file is missing
	ExitUnread      = 4 // with --units: a unit could not be opened, or does not fit its file
	ExitInterrupted = 130
)

// Run runs the command that args name, and returns the exit code. args do not include the name of
// the program. Results go to out and messages to err. If ctx ends or a signal arrives, Run stops
// early.
func Run(ctx context.Context, args []string, in io.Reader, out, err io.Writer) int {
	if len(args) <= 1 && hasOwnWindow(in, out) {
		do := func(args []string) int { return runCommand(ctx, args, in, out, err) }
		return runInWindow(args, out, do, waitForKey)
	}
	return runCommand(ctx, args, in, out, err)
}

// runCommand is Run for a console that stays open.
func runCommand(ctx context.Context, args []string, in io.Reader, out, err io.Writer) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &program{in: in, out: out, err: err, args: args}
	args = p.addCommand(args)
	if !endsAtOnce(args) {
		p.listening = cancelAtSignal(ctx, cancel)
	}
	root := p.command(args)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(err)
	return p.exit(root.ExecuteContext(ctx))
}

// addCommand returns args with the command extract in front if they begin with an input instead of
// a command. It names the command in a message, unless args have -q.
func (p *program) addCommand(args []string) []string {
	if len(args) == 0 || !isInput(args[0]) || p.isCommand(args[0]) {
		return args
	}
	if !slices.Contains(args, "-q") && !slices.Contains(args, "--quiet") {
		p.say("no command is given: this is absolink extract %s", secret.URL(args[0]))
	}
	return append([]string{"extract"}, args...)
}

// endsAtOnce reports whether args name a command that reads no input. It ends at once, so a signal
// may kill it.
func endsAtOnce(args []string) bool {
	return len(args) > 0 && slices.Contains([]string{"version", "--version", "help", "--help", "-h"}, args[0])
}

// cancelAtSignal calls cancel at the first signal that ends a run. A second signal kills the
// program. The returned channel is closed once the program listens to signals. The start takes as
// long as the parsing of the flags, so it runs in a goroutine.
func cancelAtSignal(ctx context.Context, cancel context.CancelFunc) <-chan struct{} {
	listening := make(chan struct{})
	go func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, endSignals()...)
		defer signal.Stop(signals)
		close(listening)
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
		}
	}()
	return listening
}

// endSignals returns the signals at which a run completes its current work and ends: interrupt,
// terminate, and hangup. A hangup that nohup has disabled is left out.
func endSignals() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// program is the state that the commands share.
type program struct {
	in        io.Reader
	out, err  io.Writer
	code      int // exit code, if the command returns no error
	args      []string
	listening <-chan struct{} // the result of cancelAtSignal; nil if a signal kills the program
}

// usagef returns a *flag.Error, which says that the command line cannot be carried out.
func usagef(format string, a ...any) error { return flag.Errorf(format, a...) }

// exit returns the exit code for the error of a command, and prints the error.
func (p *program) exit(err error) int {
	var usage *flag.Error
	switch {
	case err == nil, errors.Is(err, versionPrinted{}):
		return p.code
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.As(err, &usage):
		p.printError(err)
		return ExitUsage
	}
	p.printError(err)
	return ExitDefects
}

// printError prints err. It hides the passwords in the arguments.
func (p *program) printError(err error) {
	hide := secret.Arguments(p.args)
	p.say("%s", hide(err.Error()))
}

// say prints a message that begins with the name of the program.
func (p *program) say(format string, a ...any) {
	console.New(p.err, "absolink", console.Never, false).Printf(format, a...)
}
