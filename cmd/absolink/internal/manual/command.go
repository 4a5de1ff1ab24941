package manual

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/build"
	"absolink/cmd/absolink/internal/flag"
)

// Write writes a page for root, for each of its commands and for each topic. The pages go to dir,
// which Write makes if it is missing.
func Write(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var pages []*Page
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		if !c.Hidden {
			pages = append(pages, commandPage(c))
		}
	}
	for _, t := range help.Topics() {
		pages = append(pages, topicPage(t))
	}
	var names []string
	for _, p := range pages {
		names = append(names, fmt.Sprintf("%s(%d)", p.Name, p.Section))
	}
	for i, p := range pages {
		p.Version = build.This().Version()
		p.Date = build.This().Day()
		p.See = slices.Concat(names[:i], names[i+1:])
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s.%d", p.Name, p.Section)),
			p.AppendTo(nil), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// commandPage returns the page of a command.
func commandPage(c *cobra.Command) *Page {
	page := &Page{Name: strings.ReplaceAll(c.CommandPath(), " ", "-"), Section: 1, Short: c.Short,
		Synopsis: c.UseLine(), Text: c.Long, Examples: c.Example}
	if c.HasAvailableSubCommands() {
		page.Synopsis = c.CommandPath() + " COMMAND"
		page.Groups = append(page.Groups, Group{Heading: "Commands", Terms: subcommands(c)})
	}
	page.Groups = append(page.Groups, flagGroups(c)...)
	if guide, ok := help.Guide(c); ok {
		_, page.Guide, _ = strings.Cut(guide.Markdown(), "\n")
	}
	return page
}

// topicPage returns the page of a topic. The title in its first line becomes the name of the page.
func topicPage(t help.Topic) *Page {
	_, text, _ := strings.Cut(t.Markdown(), "\n")
	return &Page{Name: "absolink-" + t.Name, Section: 7, Short: t.Short, Guide: text}
}

// subcommands returns the visible commands of c.
func subcommands(c *cobra.Command) []Term {
	var terms []Term
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			terms = append(terms, Term{Term: sub.Name(), Meaning: sub.Short})
		}
	}
	return terms
}

// flagGroups returns the flags of c in the groups that --help shows. Flags without a group are
// "Options".
func flagGroups(c *cobra.Command) []Group {
	groups := []Group{{Heading: "Options"}}
	for _, title := range flag.Titles() {
		groups = append(groups, Group{Heading: title})
	}
	flags := help.Flags(c)
	for _, f := range flags {
		i := slices.Index(flag.Titles(), flag.Title(f)) + 1
		if len(flags) <= help.Few {
			i = 0
		}
		groups[i].Terms = append(groups[i].Terms, flagTerm(f))
	}
	return groups
}

// flagTerm returns a flag and its meaning.
func flagTerm(f *pflag.Flag) Term {
	value, meaning := pflag.UnquoteUsage(f)
	term := "--" + f.Name
	if f.Shorthand != "" {
		term = "-" + f.Shorthand + ", " + term
	}
	if value != "" {
		term += " " + value
	}
	if !slices.Contains([]string{"", "0", "false", "[]"}, f.DefValue) {
		meaning += " (default " + f.DefValue + ")"
	}
	return Term{Term: term, Meaning: meaning}
}
