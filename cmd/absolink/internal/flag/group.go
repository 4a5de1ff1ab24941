package flag

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groups are the groups of flags in --help. The usage of a flag names its group: it begins with the
// word of the group and a colon.
var groups = []struct{ word, title string }{
	{"Inputs", "Inputs"},
	{"Base", "Base"},
	{"Which", "Which links"},
	{"Show", "What is shown"},
	{"Rewriting", "Rewriting"},
	{"Moving", "Moving a site"},
	{"Mail", "Mail"},
	{"Retrieval", "Retrieval"},
	{"Processes", "Many processes"},
	{"Output", "Output"},
}

// group is the annotation of a flag that holds the title of its group.
const group = "absolink_group"

// Title returns the title of the flag's group, or "" without a group.
func Title(f *pflag.Flag) string {
	return strings.Join(f.Annotations[group], "")
}

// Titles returns the titles of all groups, in the order of --help.
func Titles() []string {
	var titles []string
	for _, g := range groups {
		titles = append(titles, g.title)
	}
	return titles
}

// Group removes the group words from the usages of all flags of c, for printing; Title keeps the
// groups. Only commands that print their flags call it, since it takes longer than reading a small
// file.
func Group(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		for _, g := range groups {
			if usage, ok := strings.CutPrefix(f.Usage, g.word+": "); ok {
				f.Usage = usage
				c.Flags().SetAnnotation(f.Name, group, []string{g.title})
				return
			}
		}
	})
}
