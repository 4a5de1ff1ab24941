package flag

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Error says why a command line cannot be carried out, and what to type instead.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

// Errorf returns an *[Error] with a formatted text.
func Errorf(format string, a ...any) error { return &Error{fmt.Sprintf(format, a...)} }

// Explain returns an *[Error] for an error of pflag about the flags of c. It adds the flag that is
// probably meant.
func Explain(c *cobra.Command, err error) error {
	hint := "see " + c.CommandPath() + " --help"
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		hint = unknownHint(c, unknown.GetSpecifiedName(), hint)
	case errors.As(err, &invalid):
		what, why := fmt.Sprintf("%q", invalid.GetValue()), wrongValue(invalid.Unwrap()).Error()
		if !strings.HasPrefix(why, what) {
			why = what + ": " + why
		}
		return Errorf("--%s %s", invalid.GetFlag().Name, why)
	case errors.As(err, &missing):
		Group(c)
		value, usage := pflag.UnquoteUsage(missing.GetFlag())
		return Errorf("--%s %s: a value is missing: %s", missing.GetFlag().Name, value, usage)
	}
	return Errorf("%v; %s", err, hint)
}

// unknownHint says what to type instead of a flag that c does not have. If nothing is known, it
// returns other.
func unknownHint(c *cobra.Command, name, other string) string {
	switch {
	case c.HasSubCommands() && name == "V":
		return "use --version"
	case c.HasSubCommands():
		return "a command comes first: type absolink extract, rewrite or base before the flags"
	}
	for _, i := range instead {
		if slices.Contains(strings.Fields(i.names), name) && (c.Flags().Lookup(i.needs) != nil) == (i.lacks == "") {
			return i.hint
		}
	}
	if slices.Contains(strings.Fields(rewriting), name) {
		return "absolink rewrite has this flag"
	}
	if near := nearestFlag(c, name); near != "" {
		return "did you mean --" + near + "?"
	}
	if len(name) > 2 {
		if longer := flagsWith(c, name); len(longer) > 0 && len(longer) <= 3 {
			return "did you mean " + Or(longer) + "?"
		}
	}
	return other
}

// rewriting has the names of all flags that the command rewrite has and extract does not have.
const rewriting = "any-depth backup base-element break-signatures diff dkim dry-run n find-old html in-place i " +
	"journal keep map map-file map-regex no-text normalize output o overwrite redirects redirects-format resume " +
	"skip-footers to undo unwayback verify visible-text"

// instead has the flags of other programs, in names, and a hint. A row holds for commands that have
// the flag needs. If lacks is not empty, it holds for those that do not have it.
var instead = []struct{ names, needs, lacks, hint string }{
	{"json jsonl ndjson", "format", "", "use --format jsonl"},
	{"csv", "format", "", "use --format csv"},
	{"tsv", "format", "", "use --format tsv"},
	{"arrow parquet", "format", "", "use --format arrow"},
	{"f", "format", "", "use --format, such as --format jsonl or --format csv"},
	{"o output ouput outptu ouptut out outfile", "output", "no", "results go to standard output: use > FILE"},
	{"r R recursive", "root", "", "a directory is read with all below it: leave this flag out"},
	{"w write inplace edit", "in-place", "", "use --in-place"},
	{"relative", "to", "", "use --to relative"},
	{"domain", "host", "", "use --host .example.org"},
	{"V", "version", "", "use --version"},
	{"url page-url", "base", "", "use --base URI for the address of a page, --urls FILE for a list of URLs"},
}

// flagsWith returns the flags of c whose names begin with prefix.
func flagsWith(c *cobra.Command, prefix string) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && strings.HasPrefix(f.Name, prefix) {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// wrongValue explains in words why a value is wrong, even for errors of package strconv.
func wrongValue(err error) error {
	if errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange) {
		return errors.New("a number is needed")
	}
	return err
}

// nearestFlag returns the flag of c that is most like name, or "" if no flag is near.
func nearestFlag(c *cobra.Command, name string) string {
	return Nearest(name, func(yield func(string) bool) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				yield(f.Name)
			}
		})
	})
}

// CheckEmpty refuses an empty value of a flag of c. A script passes one if its variable is not set,
// and leaving the flag out would make another command.
func CheckEmpty(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			err = Errorf("--%s is empty: give a value or leave it out", f.Name)
		}
	})
	return err
}

// NoArguments refuses arguments for a command that takes no arguments.
func NoArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Errorf("%s takes no arguments", c.CommandPath())
	}
	return nil
}
