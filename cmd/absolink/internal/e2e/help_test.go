package e2e

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/cli"
	"absolink/cmd/absolink/internal/flag"
)

// allCommands returns the commands with flags, and the program itself.
func allCommands() []*cobra.Command {
	root := cli.Command(nil)
	all := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if c.Name() != "completion" { // it is cobra's
			all = append(all, c)
		}
	}
	return all
}

// -h fits one screen, and no help is wider.
func TestHelpFits(t *testing.T) {
	for _, c := range allCommands() {
		brief := help.Brief(c)
		if n := strings.Count(brief, "\n"); n > 40 {
			t.Errorf("%s -h has %d lines, want at most 40", c.CommandPath(), n)
		}
		for line := range strings.Lines(brief + help.Renderer{Width: 80}.Full(c)) {
			if n := utf8.RuneCountInString(line) - 1; n > 100 {
				t.Errorf("%s: a line of %d columns, want at most 100: %s", c.CommandPath(), n, line)
			}
		}
		if n := strings.Count(c.Example, "\n") + 1; n < 3 && c.HasParent() && c.Name() != "help" {
			t.Errorf("%s -h has %d examples, want 3", c.CommandPath(), n)
		}
		if n := len(help.Flags(c)); n > 12 && strings.Count(brief, "\n      --")+strings.Count(brief, "\n  -") < 10 {
			t.Errorf("%s -h shows not ten of its %d flags", c.CommandPath(), n)
		}
	}
}

// If a command has many flags, each has a group: its usage begins with the word of a group, as in
// "Base: `URI` that ...". internal/flag/group.go has the words.
func TestHelpGroups(t *testing.T) {
	for _, c := range allCommands() {
		flags := help.Flags(c)
		if len(flags) <= 12 {
			continue // shown as one list
		}
		for _, f := range flags {
			if flag.Title(f) == "" {
				t.Errorf("%s --%s has no group: its usage %q must begin with a word of internal/flag/group.go and a "+
					"colon", c.CommandPath(), f.Name, f.Usage)
			}
		}
	}
}

// -h and --help differ, and neither shows the words of groups.
func TestHelpFlags(t *testing.T) {
	for _, tt := range []struct {
		args       []string
		want, lack string
	}{
		{[]string{"extract", "-h"}, "absolink extract --help says all, with ", "\nRetrieval:\n"},
		{[]string{"extract", "--base", "http://a/", "--help"}, "\nRetrieval:\n", "says all, with "},
		{[]string{"help", "extract"}, "\nRetrieval:\n", "says all, with "},
		{[]string{"extract", "--help"}, "      --base URI          address of the page, such as ", " Base: "},
		{[]string{"extract", "--help"}, "--select CSS ", "--undo"},
		{[]string{"resolve", "--help"}, "\nWhat is shown:\n", "Show: "},
		{[]string{"version", "-h"}, "\nFlags:\n", "says all"},
		{[]string{}, "absolink COMMAND -h", "\nFlags:\n"},
		{[]string{"--help"}, "nothing but the links changes", "\nFlags:\n"},
		{[]string{"help"}, "  base ", "\nFlags:\n"},
		{[]string{"__complete", "extract", "--bas"}, "--base\taddress of the page", "Base: "},
	} {
		_, got, _ := runs(t, "", tt.args...)
		got = strings.ReplaceAll(got, "`", "")
		if !strings.Contains(got, tt.want) || strings.Contains(got, tt.lack) {
			t.Errorf("absolink %q: got\n%s\nwant %q in it, and not %q", tt.args, got, tt.want, tt.lack)
		}
	}
}
