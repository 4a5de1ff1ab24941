package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// command builds the tree of commands for the arguments. The command that they begin with
// stands alone in it: the flags of all take longer to make than a small file to read.
func (p *program) command(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:           "absolink",
		Short:         "Make the references of HTML documents and messages absolute",
		Long:          rootHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },

		PersistentPreRunE: p.begin,
	}
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%v; see %s --help", err, c.CommandPath())
	})
	commands := map[string]func() *cobra.Command{"extract": p.extractCommand, "rewrite": p.rewriteCommand, "base": p.baseCommand,
		"resolve": p.resolveCommand, "units": p.unitsCommand, "version": p.versionCommand}
	if len(args) > 0 && commands[args[0]] != nil {
		root.AddCommand(commands[args[0]]())
		root.CompletionOptions.DisableDefaultCmd = true
		return root
	}
	for _, build := range commands {
		root.AddCommand(build())
	}
	root.AddCommand(p.constructsTopic())
	addHelpers(root)
	return root
}

// addHelpers adds the commands help and completion.
func addHelpers(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = unknownCommand
			c.RunE = func(c *cobra.Command, _ []string) error {
				return usagef("a shell is missing: bash, zsh, fish or powershell")
			}
		}
	}
}

// unknownCommand refuses an argument where a command is expected.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see " + c.CommandPath() + " --help"
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usagef("there is no command %q; %s", args[0], hint)
}

// begin is what comes before every command.
func (p *program) begin(c *cobra.Command, _ []string) error {
	<-p.listens
	return noEmptyFlag(c)
}

// noEmptyFlag refuses a flag that is given without a value, as a script does
// whose variable is not set: to leave it out would be another command.
func noEmptyFlag(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			err = usagef("--%s is empty: give a value or leave it out", f.Name)
		}
	})
	return err
}

const rootHelp = `absolink works out the base URI of every HTML document and message by the layers
of RFC 2396 Section 5.1, finds every reference, resolves it, and lists the
absolute links or writes them back so that every other byte stays as it was.`

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(p.out, version())
			return err
		},
	}
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments", c.CommandPath())
	}
	return nil
}

// version returns the version of the module and the toolchain, as the build recorded them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "absolink (unknown)"
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	return "absolink " + v + " " + info.GoVersion
}
