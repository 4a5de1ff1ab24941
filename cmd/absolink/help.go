package main

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
)

// helpCommand is "absolink help": topics, and the help of commands. A topic that has the name of
// a command is meant first, since COMMAND --help shows the other.
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
			return subjects(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().BoolVar(&schema, "schema", false, "Output: of records: print their JSON Schema")
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
	name := strings.Join(args, " ")
	if t, ok := help.Find(name); ok {
		_, err := p.out.Write([]byte(p.renderer().Render(t.Markdown())))
		return err
	}
	c, rest, err := root.Find(args)
	if len(rest) == 0 && err == nil {
		return c.Help()
	}
	all := subjects(root)
	hint := "there is help on " + flag.Or(all)
	near := flag.Nearest(name, func(yield func(string) bool) {
		for _, s := range all {
			yield(s)
		}
	})
	if near != "" {
		hint = "did you mean absolink help " + near + "?"
	}
	return usagef("there is no help on %q; %s", name, hint)
}

// showHelp prints one screen on a command, or all of it: for --help, and for the command help,
// which comes here without arguments.
func (p *program) showHelp(c *cobra.Command, args []string) {
	text := help.Brief(c)
	if len(args) == 0 || slices.Contains(args, "--help") {
		text = help.Full(c)
	}
	if _, err := p.out.Write([]byte(text)); err != nil {
		p.code = p.exit(err)
	}
}

// noTerminal refuses to wait for what somebody types, and shows one screen on the command instead.
func (p *program) noTerminal(c *cobra.Command) error {
	if !console.IsTerminal(p.in) {
		return nil
	}
	io.WriteString(p.err, help.Brief(c)+"\n")
	return usagef("an input is missing, and standard input is a terminal: - reads what is typed there, up to Ctrl-D")
}

// renderer returns how topics look on standard output: bold on a terminal that has bold letters.
func (p *program) renderer() help.Renderer {
	return help.Renderer{Width: 80, Bold: p.colors()}
}

// subjects returns what there is help on: topics, then commands.
func subjects(root *cobra.Command) (names []string) {
	for _, t := range help.Topics() {
		names = append(names, t.Name)
	}
	for _, c := range root.Commands() {
		if _, topic := help.Find(c.Name()); !topic && !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// colors reports whether standard output is a terminal that shows more than letters, and
// NO_COLOR does not forbid it.
func (p *program) colors() bool {
	return console.IsTerminal(p.out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
