package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/flag"
)

// Each name of another command is answered with commands and flags that exist.
func TestOtherCommands(t *testing.T) {
	typed := regexp.MustCompile(`absolink (\w+)([^;,]*)`)
	for name, text := range otherCommands {
		if new(program).isCommand(name) {
			t.Errorf("%s is a command", name)
		}
		all := typed.FindAllStringSubmatch(text, -1)
		if !strings.HasPrefix(text, "absolink ") || len(all) == 0 {
			t.Errorf("%s: %q begins with no command", name, text)
		}
		for _, m := range all {
			c, rest, err := Command([]string{m[1]}).Find([]string{m[1]})
			if err != nil || len(rest) > 0 {
				t.Errorf("%s: %q has the command %s, which does not exist", name, text, m[1])
				continue
			}
			for word := range strings.FieldsSeq(m[2]) {
				if long, ok := strings.CutPrefix(word, "--"); ok && c.Flags().Lookup(long) == nil {
					t.Errorf("%s: %s has no flag %s", name, m[1], word)
				}
			}
			if m[1] != "help" {
				continue
			}
			topic := strings.Fields(m[2])[0]
			if _, found := help.Find(topic); !found {
				t.Errorf("%s: there is no topic %s", name, topic)
			}
		}
	}
}

// A flag of rewrite that extract does not have is answered with the command that has it. Results of
// extract have no file, so -o and --output get another hint.
func TestFlagsOfRewrite(t *testing.T) {
	find := func(name string) *cobra.Command {
		c, _, err := Command([]string{name}).Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	extract := find("extract")
	n := 0
	find("rewrite").Flags().VisitAll(func(f *pflag.Flag) {
		want := "; absolink rewrite has this flag"
		if f.Name == "output" {
			want = "; results go to standard output: use > FILE"
		}
		var lines []string
		if extract.Flags().Lookup(f.Name) == nil {
			lines = append(lines, "--"+f.Name)
		}
		if f.Shorthand != "" && extract.Flags().ShorthandLookup(f.Shorthand) == nil {
			lines = append(lines, "-"+f.Shorthand)
		}
		for _, line := range lines {
			n++
			if err := flag.Explain(extract, extract.ParseFlags([]string{line})); !strings.HasSuffix(err.Error(), want) {
				t.Errorf("extract %s: got %v, want %s", line, err, want)
			}
		}
	})
	if n < 25 {
		t.Errorf("rewrite has only %d flags of its own", n)
	}
}

// A flag of another program is answered with flags of the command that was typed.
func TestFlagsOfOthers(t *testing.T) {
	flagged := regexp.MustCompile(`--[a-z-]+`)
	for _, name := range []string{"extract", "rewrite"} {
		for typed := range strings.FieldsSeq("--html --recursive --depth --force --links --count --uniq -u " +
			"-e --images " +
			"--internal --external --offline --base-url -b --input --file --stdin --glob -g --exclude-dir -L -A " +
			"--cookie --insecure --threads --silent --debug --no-color --absolute --json -f --urls-file " +
			"--ext --domain") {
			c, _, err := Command([]string{name}).Find([]string{name})
			if err != nil {
				t.Fatal(err)
			}
			_, hint, _ := strings.Cut(flag.Explain(c, c.ParseFlags([]string{typed})).Error(), "; ")
			missing := strings.HasPrefix(hint, "see ") || strings.HasPrefix(hint, "did you mean ")
			if name == "extract" && missing {
				t.Errorf("extract %s: got the hint %q, want what to type", typed, hint)
			}
			for _, long := range flagged.FindAllString(hint, -1) {
				if long != "--help" && c.Flags().Lookup(long[2:]) == nil {
					t.Errorf("%s %s: the hint %q has no flag of the command", name, typed, hint)
				}
			}
		}
	}
}
