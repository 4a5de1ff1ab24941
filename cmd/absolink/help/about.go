package help

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
)

// About returns a topic, or the help of a command below root. words are its name. If there is no
// such name, About returns the lines of the topics that contain the words. The error, a
// [flag.Error], suggests a name.
func (r Renderer) About(root *cobra.Command, words []string) (string, error) {
	name := strings.Join(words, " ")
	if command, ok := commandAliases[name]; ok {
		words = []string{command}
	} else if t, ok := Find(name); ok {
		return r.Render(t.Markdown()), nil
	}
	c, rest, err := root.Find(words)
	if len(rest) == 0 && err == nil {
		return r.Full(c), nil
	}
	all := Subjects(root)
	hint := "there is help on " + flag.Or(all)
	known := all
	for _, a := range aliases {
		known = append(known, strings.Fields(a.names)...)
	}
	near := flag.Nearest(name, slices.Values(known))
	if near == "" || !strings.HasPrefix(near, name) {
		if lines := r.search(name); lines != "" {
			return lines, nil
		}
	}
	if near != "" {
		hint = "did you mean absolink help " + near + "?"
	}
	return "", flag.Errorf("there is no help on %q; %s", name, hint)
}

// commandAliases maps other names to commands whose help has a text of its own.
var commandAliases = map[string]string{"service": "serve", "http": "serve"}

// Subjects returns the names that have help: the topics, then the commands of root.
func Subjects(root *cobra.Command) (names []string) {
	for _, t := range Topics() {
		names = append(names, t.Name)
	}
	for _, c := range root.Commands() {
		if !slices.Contains(order, c.Name()) && !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}
