package cli

import (
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
)

// helpCommand is "absolink help": topics, and the help of commands. If a topic and a command have
// the same name, the topic is printed, since COMMAND --help prints the other.
func (p *program) helpCommand() *cobra.Command {
	var schema bool
	c := &cobra.Command{
		Use:   "help [TOPIC]",
		Short: "Print a topic, or all about a command",
		RunE: func(c *cobra.Command, args []string) error {
			if schema {
				return p.schema(args)
			}
			return p.help(c.Root(), args)
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return help.Subjects(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().BoolVar(&schema, "schema", false, "Output: with records: print the JSON Schema of records")
	return c
}

// schema prints the schema of records.
func (p *program) schema(args []string) error {
	if len(args) != 1 || args[0] != "records" {
		return usagef("--schema is that of records: type absolink help records --schema")
	}
	_, err := p.out.Write(record.Schema())
	return err
}

// help prints the topic or the command that the arguments name.
func (p *program) help(root *cobra.Command, args []string) error {
	text, err := help.Renderer{Width: 80, Bold: console.Colors(p.out)}.About(root, args)
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.out, text)
	return err
}

// showHelp prints one screen about a command, or everything for --help. The command help calls it
// without arguments.
func (p *program) showHelp(c *cobra.Command, args []string) {
	text := help.Brief(c)
	if len(args) == 0 || slices.Contains(args, "--help") {
		text = help.Full(c)
	}
	if _, err := p.out.Write([]byte(text)); err != nil {
		p.code = p.exit(err)
	}
}

// explain is flag.Explain, and names the topics for a value of --help.
func explain(c *cobra.Command, err error) error {
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

// noTerminal refuses to wait for input from a keyboard, and prints one screen about the command
// instead.
func (p *program) noTerminal(c *cobra.Command) error {
	if !console.IsTerminal(p.in) {
		return nil
	}
	io.WriteString(p.err, help.Brief(c)+"\n")
	return usagef("an INPUT is missing: name one, or give - to type a document here, up to Ctrl-D")
}
