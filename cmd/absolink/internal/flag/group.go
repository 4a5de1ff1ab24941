package flag

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groups are the groups in which --help shows the flags of a command. A flag says its group where
// it is defined: its usage begins with the word of the group and a colon.
var groups = []struct{ word, title string }{
	{"Inputs", "Inputs"},
	{"Base", "Base"},
	{"Which", "Which references"},
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

// Title returns the title of the flag's group, "" if it has none.
func Title(f *pflag.Flag) string {
	return strings.Join(f.Annotations[group], "")
}

// Titles returns the titles of all groups, in the order in which they are shown.
func Titles() []string {
	var titles []string
	for _, g := range groups {
		titles = append(titles, g.title)
	}
	return titles
}

// Group takes the words of groups off the usages of all flags of c, so that these can be shown;
// Title has them then. It is for commands that show their flags: it takes longer than to
// read a small file.
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
