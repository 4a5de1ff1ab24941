package cli

import (
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
)

// helpCommand returns the command help, which prints topics and the help of commands. If a topic
// and a command have the same name, it prints the topic: COMMAND --help prints the help of the
// command.
func (p *program) helpCommand() *cobra.Command {
	var schema, clauses bool
	c := &cobra.Command{
		Use:   "help [TOPIC]",
		Short: "Print a topic, all about a command, or the topics that contain a word",
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case schema:
				return p.schema(args)
			case clauses:
				return p.clauses(args)
			}
			return p.help(c.Root(), args)
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return help.Subjects(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().BoolVar(&schema, "schema", false, "Output: with links: print the JSON Schema of records")
	c.Flags().BoolVar(&clauses, "clauses", false,
		"Output: with rules: name the clauses of the RFCs that absolink does not follow to the letter")
	return c
}

// schema prints the JSON Schema of records.
func (p *program) schema(args []string) error {
	if !isTopic(args, "links") {
		return usagef("--schema prints the schema of records only: type absolink help links --schema")
	}
	_, err := p.out.Write(record.Schema())
	return err
}

// clauses prints the exceptions to the clauses of the rule sets.
func (p *program) clauses(args []string) error {
	if !isTopic(args, "rules") {
		return usagef("--clauses prints clauses of the rule sets only: type absolink help rules --clauses")
	}
	_, err := io.WriteString(p.out, p.renderer().Render(help.Clauses().Markdown()))
	return err
}

// isTopic reports whether args name one topic: by its name or by an alias.
func isTopic(args []string, name string) bool {
	if len(args) != 1 {
		return false
	}
	t, ok := help.Find(args[0])
	return ok && t.Name == name
}

// renderer returns the renderer of topics for standard output.
func (p *program) renderer() help.Renderer {
	return help.Renderer{Width: 80, Bold: console.Colors(p.out)}
}

// help prints the topic or the command that the arguments name.
func (p *program) help(root *cobra.Command, args []string) error {
	text, err := p.renderer().About(root, args)
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.out, text)
	return err
}

// showHelp prints the help of c: all of it if args have --help or are empty, and otherwise one
// screen. For a command that does not exist it prints an error. Cobra calls it for the flags -h and
// --help.
func (p *program) showHelp(c *cobra.Command, args []string) {
	if !c.HasParent() && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		p.printError(unknownCommand(c, args))
		p.code = ExitUsage
		return
	}
	text := help.Brief(c)
	if len(args) == 0 || slices.Contains(args, "--help") {
		text = p.renderer().Full(c)
	}
	if _, err := p.out.Write([]byte(text)); err != nil {
		p.code = p.exit(err)
	}
}

// explainFlag is flag.Explain, and also explains a value of --help, such as --help=sites.
func explainFlag(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) || invalid.GetFlag().Name != "help" {
		return flag.Explain(c, err)
	}
	name := invalid.GetValue()
	if _, err := (help.Renderer{}).About(c.Root(), []string{name}); err != nil {
		return err
	}
	return usagef("--help takes no value: type absolink help %s", name)
}

// refuseTerminal returns an error if standard input is a terminal, so that no command waits for
// input from a keyboard. Before that it prints one screen of help.
func (p *program) refuseTerminal(c *cobra.Command) error {
	if !console.IsTerminal(p.in) {
		return nil
	}
	io.WriteString(p.err, help.Brief(c)+"\n")
	return usagef("an INPUT is missing: name one, or give - to type a document here, up to %s",
		console.EndKeys(runtime.GOOS))
}
