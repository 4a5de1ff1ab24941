package flag_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
)

// newCommand returns a command with a flag of each kind.
func newCommand() (*cobra.Command, *string) {
	c := &cobra.Command{Use: "c", Run: func(*cobra.Command, []string) {}}
	way := "rough"
	flag.Enum(c, &way, "way", "Base: go this `WAY`", "rough", "smooth")
	flag.Alias(c, "way", "even", "smooth")
	c.Flags().Var(new(flag.Text), "name", "Output: print `NAME`")
	c.Flags().Int("jobs", 1, "Processes: do `N` at once")
	c.Flags().Var(new(flag.Names), "keys", "Output: print `KEY,...`")
	c.Flags().Bool("quiet", false, "say nothing")
	return c, &way
}

// An error of the flags says what is wrong and what to type.
func TestExplain(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"--wya=x", "unknown flag: --wya; did you mean --way?"},
		{"--nothing", "unknown flag: --nothing; see c --help"},
		{"--way=smoth", `--way "smoth": did you mean smooth? Use rough or smooth`},
		{"--way=x", `--way "x": use rough or smooth`},
		{"--quiet=.bak", `--quiet takes no value: leave "=.bak" out`},
		{"--jobs=many", `--jobs "many": a number is needed`},
		{"--jobs=99999999999999999999", `--jobs "99999999999999999999": a number is needed`},
		{"--keys=a,,b", `--keys "a,,b": a name is missing`},
		{"--name", "--name NAME: a value is missing: print NAME"},
		{"-x", "unknown shorthand flag: 'x' in -x; see c --help"},
	} {
		c, _ := newCommand()
		err := flag.Explain(c, c.ParseFlags(strings.Fields(tt.line)))
		var usage *flag.Error
		if !errors.As(err, &usage) || err.Error() != tt.want {
			t.Errorf("%s: got error %v, want %s", tt.line, err, tt.want)
		}
	}
}

// A flag of another program is named with the flag of the command, or with what to do instead.
func TestExplainInstead(t *testing.T) {
	root := &cobra.Command{Use: "absolink"}
	sub := &cobra.Command{Use: "sub", Run: func(*cobra.Command, []string) {}}
	format := "jsonl"
	flag.Enum(sub, &format, "format", "", "jsonl", "csv")
	sub.Flags().String("root", "", "")
	writer := &cobra.Command{Use: "writer", Run: func(*cobra.Command, []string) {}}
	writer.Flags().String("output", "", "")
	writer.Flags().Bool("dry-run", false, "")
	single := &cobra.Command{Use: "single", Run: func(*cobra.Command, []string) {}}
	flag.Enum(single, &format, "format", "", "json", "html")
	single.Flags().String("match", "", "")
	single.Flags().String("no-match", "", "")
	flag.Withhold(single, "no-match", "sub")
	root.AddCommand(sub, writer, single)
	for _, tt := range []struct {
		c          *cobra.Command
		line, want string
	}{
		{root, "--format", "a command comes first: type absolink extract, rewrite or base before the flags"},
		{root, "-V", "use --version"},
		{sub, "--json", "use --format jsonl"},
		{sub, "--csv", "use --format csv"},
		{sub, "-f", "use --format, such as --format jsonl or --format csv"},
		{sub, "--arrow", "see absolink sub --help"},
		{single, "--json", "use --format json"},
		{single, "-f", "use --format, such as --format json"},
		{single, "--csv", "see absolink single --help"},
		{single, "--grep", "use --match RE"},
		{single, "--invert-match", "see absolink single --help"},
		{single, "--html", "use --format html"},
		{sub, "-o", "results go to standard output: use > FILE"},
		{sub, "--ouput", "results go to standard output: use > FILE"},
		{sub, "-r", "a directory is read with all below it: leave this flag out"},
		{sub, "--journal", "absolink rewrite has this flag"},
		{sub, "--form", "did you mean --format?"},
		{sub, "--fo", "see absolink sub --help"},
		{writer, "--ouput", "did you mean --output?"},
		{writer, "--json", "see absolink writer --help"},
		{writer, "-r", "see absolink writer --help"},
		{writer, "--dry", "did you mean --dry-run?"},
	} {
		err := flag.Explain(tt.c, tt.c.ParseFlags([]string{tt.line}))
		if err == nil || !strings.HasSuffix(err.Error(), "; "+tt.want) {
			t.Errorf("%s %s: got %v, want %s", tt.c.Name(), tt.line, err, tt.want)
		}
	}
}

// An alias is a value that no help names.
func TestAlias(t *testing.T) {
	c, way := newCommand()
	if err := c.ParseFlags([]string{"--way=even"}); err != nil || *way != "smooth" {
		t.Errorf("--way=even: got %q and error %v, want smooth", *way, err)
	}
	if got := flag.Values(c.Flags().Lookup("way")); !slices.Equal(got, []string{"rough", "smooth"}) {
		t.Errorf("Values: got %q, want rough and smooth", got)
	}
	c.Flags().Bool("bare", false, "")
	if got := flag.Values(c.Flags().Lookup("bare")); got != nil {
		t.Errorf("Values of a bool: got %q, want none", got)
	}
	flag.Complete(c, "bare", "page")
	if got := flag.Values(c.Flags().Lookup("bare")); !slices.Equal(got, []string{"page"}) {
		t.Errorf("Values of a bool with values: got %q, want page", got)
	}
	if got := flag.Values(c.Flags().Lookup("name")); got != nil {
		t.Errorf("Values of a text: got %q, want nil", got)
	}
}

// Group takes the word of the group out of the usage.
func TestGroup(t *testing.T) {
	c, _ := newCommand()
	flag.Group(c)
	for name, want := range map[string][2]string{"way": {"Base", "go this `WAY`"},
		"jobs": {"Many processes", "do `N` at once"}, "quiet": {"", "say nothing"}} {
		f := c.Flags().Lookup(name)
		if flag.Title(f) != want[0] || f.Usage != want[1] {
			t.Errorf("--%s: got %q and %q, want %q", name, flag.Title(f), f.Usage, want)
		}
		if want[0] != "" && !slices.Contains(flag.Titles(), want[0]) {
			t.Errorf("Titles: got %q, want %q among them", flag.Titles(), want[0])
		}
	}
}

// A flag of another command is known, hidden, and refused with that command.
func TestElsewhere(t *testing.T) {
	for line, want := range map[string]string{
		"--far":   "--far changes nothing in c: leave it out, or use absolink other",
		"--quiet": "--quiet changes nothing in c: leave it out, or use absolink extract or rewrite", "--jobs=2": ""} {
		c, _ := newCommand()
		flag.Elsewhere(c, "other", func(o *cobra.Command) { o.Flags().Bool("far", false, "") })
		flag.Withhold(c, "quiet", "extract or rewrite")
		if err := c.ParseFlags([]string{line}); err != nil {
			t.Fatal(err)
		}
		err := flag.CheckElsewhere(c)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: got error %v, want %q", line, err, want)
		}
		if !c.Flags().Lookup("far").Hidden || c.Flags().Lookup("jobs").Hidden {
			t.Error("--far is shown, or --jobs is hidden")
		}
	}
}

// Keep leaves a command the flags that it needs.
func TestKeep(t *testing.T) {
	c, _ := newCommand()
	flag.Keep(c, "jobs", "name")
	for name, want := range map[string]bool{"jobs": true, "name": true, "way": false, "quiet": false} {
		if got := c.Flags().Lookup(name) != nil; got != want {
			t.Errorf("Keep: --%s is there: got %v, want %v", name, got, want)
		}
	}
}

func TestCheckEmpty(t *testing.T) {
	for line, want := range map[string]string{"--name=": "--name is empty: give a value or leave it out",
		"--name=x": "", "--jobs=2": ""} {
		c, _ := newCommand()
		if err := c.ParseFlags([]string{line}); err != nil {
			t.Fatal(err)
		}
		err := flag.CheckEmpty(c)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: got error %v, want %q", line, err, want)
		}
	}
	c, _ := newCommand()
	if err := flag.NoArguments(c, nil); err != nil {
		t.Errorf("NoArguments of none: got error %v", err)
	}
	if err := flag.NoArguments(c, []string{"x"}); err == nil || err.Error() != "c takes no arguments" {
		t.Errorf("NoArguments of x: got error %v", err)
	}
}

// The nearest name differs by at most two letters, and less than half of them.
func TestNearest(t *testing.T) {
	names := []string{"extract", "rewrite", "base", "resolve"}
	for typed, want := range map[string]string{"extract": "extract", "extrct": "extract", "xetract": "extract",
		"rewriet": "rewrite", "bsae": "base", "bse": "base", "b": "", "": "", "zzzz": "", "reslvee": "resolve",
		"ex": "", "rsolv": "resolve"} {
		if got := flag.Nearest(typed, slices.Values(names)); got != want {
			t.Errorf("Nearest(%q): got %q, want %q", typed, got, want)
		}
	}
}
