package cli

import (
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/build"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/secret"
	"absolink/cmd/absolink/internal/source"
)

// Command returns the tree of commands that [Run] builds for args, with the flags and the help of
// each command.
func Command(args []string) *cobra.Command { return new(program).command(args) }

// command builds the tree of commands for args. If args begin with the name of a command, the tree
// has only that command, because making all flags takes longer than reading a small file.
func (p *program) command(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:           "absolink",
		Short:         "List the links of web pages, mail and web archives, or make them absolute",
		Long:          rootHelp,
		Example:       examples(nil),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			if entries, err := os.ReadDir("."); err == nil {
				c.Example = examples(entries)
			}
			p.showHelp(c, []string{"-h"})
			return nil
		},

		PersistentPreRunE: p.checkFlags,
	}
	root.SuggestionsMinimumDistance = 2
	root.SetHelpFunc(p.showHelp)
	root.SetFlagErrorFunc(explainFlag)
	commands := p.commands()
	if len(args) > 0 && commands[args[0]] != nil {
		root.AddCommand(commands[args[0]]())
		root.CompletionOptions.DisableDefaultCmd = true
	} else {
		for _, build := range commands {
			root.AddCommand(build())
		}
		root.AddCommand(p.manCommand())
		p.addHelpers(root)
	}
	addVersion(root)
	completing := len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)
	for _, c := range root.Commands() {
		addVersion(c)
		if completing {
			flag.Group(c)
			flag.RegisterCompletions(c)
		}
	}
	return root
}

// commands returns the functions that build the commands, except for those of cobra and man.
func (p *program) commands() map[string]func() *cobra.Command {
	return map[string]func() *cobra.Command{
		"base": p.baseCommand, "extract": p.extractCommand, "report": p.reportCommand, "resolve": p.resolveCommand,
		"rewrite": p.rewriteCommand, "serve": p.serveCommand, "spark": p.sparkCommand, "units": p.unitsCommand,
		"unpack": p.unpackCommand, "version": p.versionCommand,
	}
}

// isCommand reports whether name is the name of a command.
func (p *program) isCommand(name string) bool {
	return p.commands()[name] != nil || slices.Contains([]string{"man", "help", "completion"}, name)
}

// isInput reports whether an argument is an input: a URL, the - of standard input, the name of a
// file that exists, or a pattern of names on Windows.
func isInput(arg string) bool {
	if arg == input.Stdin || source.IsURL(arg) {
		return true
	}
	if strings.HasPrefix(arg, "-") {
		return false
	}
	_, err := os.Stat(arg)
	return err == nil || source.IsPattern(arg)
}

// versionPrinted is the error of a command that has printed the version. It makes cobra stop, and
// is not reported.
type versionPrinted struct{}

func (versionPrinted) Error() string { return "" }

// addVersion adds the flags --version and --help to c. Cobra could add them itself, but its
// template of the version makes the linker keep every exported method of every package.
func addVersion(c *cobra.Command) {
	show := c.Flags().Bool("version", false, "Output: print the version")
	c.Flags().BoolP("help", "h", false, "Output: print one screen of help (-h), or all of it (--help)")
	check := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		if *show {
			if _, err := io.WriteString(c.OutOrStdout(), build.This().Text()+"\n"); err != nil {
				return err
			}
			return versionPrinted{}
		}
		if check == nil {
			return nil
		}
		return check(c, args)
	}
}

// addHelpers adds the commands help and completion.
func (p *program) addHelpers(root *cobra.Command) {
	root.SetHelpCommand(p.helpCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = unknownShell
			c.RunE = func(c *cobra.Command, _ []string) error {
				return usagef("a shell is missing: use bash, zsh, fish or powershell")
			}
			if bash, _, err := c.Find([]string{"bash"}); err == nil {
				bash.RunE = func(c *cobra.Command, _ []string) error { return flag.CompleteBash(p.out, c) }
			}
		}
	}
}

// unknownShell refuses any argument of the command completion: the known shells are commands below
// it.
func unknownShell(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("there is no completion for the shell %q: %v", args[0],
		flag.Choose(args[0], []string{"bash", "zsh", "fish", "powershell"}))
}

// unknownCommand refuses an argument that is not the name of a command, and suggests what the user
// may have meant.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	shown := secret.URL(args[0])
	hint := "see " + c.CommandPath() + " --help"
	if instead := otherCommands[args[0]]; instead != "" && c.Parent() == nil {
		hint = "type " + instead
	} else if t, ok := help.Find(args[0]); ok && c.Parent() == nil {
		hint = "did you mean absolink help " + t.Name + "?"
	} else if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	} else if probable := record.WithScheme(args[0]); probable != "" {
		hint = "there is no such file either; for a URL type absolink extract " + secret.URL(probable)
	} else if strings.ContainsAny(args[0], "./\\") {
		hint = "there is no such file either"
	}
	return usagef("there is no command %q; %s", shown, hint)
}

// checkCommand is the command that checks links.
const checkCommand = "absolink extract --check-files --root DIR=URI DIR, which names links to missing files"

// otherCommands maps names of commands that users may expect to the commands that do the work.
var otherCommands = map[string]string{
	"check":      checkCommand,
	"validate":   checkCommand,
	"lint":       checkCommand,
	"broken":     checkCommand,
	"convert":    "absolink rewrite FILE, or absolink unpack for an MHTML page",
	"absolute":   "absolink rewrite FILE",
	"absolutize": "absolink rewrite FILE",
	"move":       "absolink rewrite --map OLD=NEW FILE",
	"links":      "absolink extract FILE; absolink help links is the topic",
	"link":       "absolink extract FILE",
	"list":       "absolink extract FILE",
	"ls":         "absolink extract FILE",
	"urls":       "absolink extract FILE",
	"get":        "absolink extract URL",
	"fetch":      "absolink extract URL",
	"crawl":      "absolink extract URL, or absolink extract --urls FILE",
	"parse":      "absolink extract FILE",
	"diff":       "absolink rewrite --diff FILE",
	"undo":       "absolink rewrite --undo JOURNAL",
	"replace":    "absolink rewrite --map OLD=NEW FILE",
	"map":        "absolink rewrite --map OLD=NEW FILE",
	"fix":        "absolink rewrite FILE",
	"unwrap":     "absolink extract --unwrap FILE, or absolink rewrite --unwrap FILE",
	"relative":   "absolink rewrite --root DIR=URI --to relative -o NEW DIR",
	"server":     "absolink serve",
}

// checkFlags runs before each command. It waits until the program listens to signals. Then it
// refuses flags of other commands and empty values, and says so if the command reads a terminal.
func (p *program) checkFlags(c *cobra.Command, args []string) error {
	if p.listening != nil {
		<-p.listening
	}
	if err := flag.CheckElsewhere(c); err != nil {
		return err
	}
	if err := flag.CheckEmpty(c); err != nil {
		return err
	}
	quiet, _ := c.Flags().GetBool("quiet") // false for a command without the flag
	if !quiet && asksForStdin(c, args) && console.IsTerminal(p.in) {
		p.say("reading from this terminal, up to %s", console.EndKeys(runtime.GOOS))
	}
	return nil
}

// asksForStdin reports whether a command line names standard input as an input, a report or a list.
func asksForStdin(c *cobra.Command, args []string) bool {
	switch c.Name() {
	case "base", "extract", "rewrite", "unpack":
	case "units":
		args = nil // it refuses - as an input
	case "report":
		if len(args) == 0 {
			return true
		}
	default:
		return false // - is a link of resolve, say
	}
	if slices.Contains(args, input.Stdin) {
		return true
	}
	for _, name := range []string{"urls", "files-from", "units"} {
		if f := c.Flags().Lookup(name); f != nil && f.Value.String() == input.Stdin {
			return true
		}
	}
	return false
}

const rootHelp = `absolink lists the links of web pages, mail and web archives as absolute URLs, or rewrites the
files so that nothing but the links changes. It finds the base of each document as RFC 2396 says,
and resolves links as browsers do.`
