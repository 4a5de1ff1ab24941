package flag

import (
	"errors"
	"fmt"
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
	case errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool" && Values(invalid.GetFlag()) == nil:
		return Errorf("--%s takes no value: leave %q out", invalid.GetFlag().Name, "="+invalid.GetValue())
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

// wrongValue explains in words why a value is wrong, even for errors of package strconv.
func wrongValue(err error) error {
	if errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange) {
		return errors.New("a number is needed")
	}
	return err
}

// CheckEmpty refuses an empty value of a flag of c. A script passes one if its variable is not set,
// and leaving the flag out would make another command.
func CheckEmpty(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if t := f.Value.Type(); (t == "string" || t == uriType) && f.Value.String() == "" {
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
