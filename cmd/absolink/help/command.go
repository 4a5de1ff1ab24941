package help

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/flag"
)

const (
	screen  = 100      // columns of the help of commands
	needed  = "needed" // annotation of a command: the names of the flags in Brief, separated by blanks
	indents = "      " // of a flag without a short form
	behind  = 26       // column of the usage texts
	samples = 3        // examples that Brief shows
)

// Few is the largest number of flags of a command without groups. Brief shows all of them.
const Few = 12

// Needed returns the annotations of a command whose Brief shows these flags. Their names are
// separated by blanks.
func Needed(names string) map[string]string { return map[string]string{needed: names} }

// Brief returns the text of -h: one screen with the purpose of a command, some examples, its most
// needed flags, and a pointer to the rest.
func Brief(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\nUsage: %s\n", c.CommandPath(), c.Short, usage(c))
	if c.HasExample() {
		lines := strings.Split(c.Example, "\n")
		fmt.Fprintf(&b, "\nExamples:\n%s\n", strings.Join(lines[:min(samples, len(lines))], "\n"))
	}
	if c.HasAvailableSubCommands() {
		appendSubjects(&b, c)
		return b.String()
	}
	flags := Flags(c)
	names := strings.Fields(c.Annotations[needed])
	shown := flags
	if len(names) > 0 {
		shown = nil
		for _, name := range names {
			shown = append(shown, c.Flags().Lookup(name))
		}
	}
	if len(shown) > 0 {
		b.WriteString("\nFlags:\n")
	}
	for _, f := range shown {
		appendFlag(&b, f)
	}
	if n := len(flags) - len(shown); n > 0 {
		fmt.Fprintf(&b, "\n%s --help says all, with %d more flags; absolink help lists the topics.\n",
			c.CommandPath(), n)
	}
	return b.String()
}

// Full returns the text of --help: everything about a command.
func (r Renderer) Full(c *cobra.Command) string {
	text := fullFlags(c)
	if t, ok := Guide(c); ok {
		_, rest, _ := strings.Cut(t.Markdown(), "\n")
		text += r.Render(rest)
	}
	return text
}

// Guide returns the topic that the help of a command has behind its flags. It returns false if the
// command has none.
func Guide(c *cobra.Command) (Topic, bool) {
	if c.Name() != "serve" {
		return Topic{}, false
	}
	return read("serve"), true
}

// fullFlags returns the purpose of a command, its examples and all its flags.
func fullFlags(c *cobra.Command) string {
	var b strings.Builder
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	fmt.Fprintf(&b, "%s\n\nUsage: %s\n", text, usage(c))
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		appendSubjects(&b, c)
		return b.String()
	}
	flags := Flags(c)
	if len(flags) <= Few {
		b.WriteString("\nFlags:\n")
		for _, f := range flags {
			appendFlag(&b, f)
		}
		return b.String()
	}
	for _, title := range append(flag.Titles(), "") {
		head := "\n" + title + ":\n"
		for _, f := range flags {
			if flag.Title(f) == title {
				b.WriteString(head)
				appendFlag(&b, f)
				head = ""
			}
		}
	}
	return b.String()
}

// usage returns the usage line of a command.
func usage(c *cobra.Command) string {
	if c.HasAvailableSubCommands() {
		return c.CommandPath() + " COMMAND"
	}
	return c.UseLine()
}

// Flags returns the flags of a command that its help shows, in the order of their definition.
func Flags(c *cobra.Command) (flags []*pflag.Flag) {
	flag.Group(c)
	c.LocalFlags() // including the flags that cobra adds
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			flags = append(flags, f)
		}
	})
	return flags
}

// appendFlag writes the lines of one flag.
func appendFlag(b *strings.Builder, f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	head := indents + "--" + f.Name
	if f.Shorthand != "" {
		head = "  -" + f.Shorthand + ", --" + f.Name
	}
	if value != "" {
		head += " " + value
	}
	if !slices.Contains([]string{"", "0", "false", "[]"}, f.DefValue) {
		usage += " (default " + f.DefValue + ")"
	}
	head += "  "
	if len(head) > behind {
		b.WriteString(strings.TrimRight(head, " ") + "\n")
		head = ""
	}
	Renderer{Width: screen}.wrap(b, head+strings.Repeat(" ", behind-len(head)), usage)
}

// appendSubjects writes the commands of the program, and the topics.
func appendSubjects(b *strings.Builder, c *cobra.Command) {
	b.WriteString("\nCommands:\n")
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			fmt.Fprintf(b, "  %-12s %s\n", sub.Name(), sub.Short)
		}
	}
	if c.HasParent() {
		return
	}
	b.WriteString("\nTopics of absolink help:\n")
	for _, t := range Topics() {
		fmt.Fprintf(b, "  %-12s %s\n", t.Name, t.Short)
	}
	b.WriteString("\nabsolink COMMAND -h is one screen, --help is all of it. absolink help WORD searches the topics.\n")
}
