package flag

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Error says that a command line cannot be carried out, and what to type instead.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

// Errorf returns an *Error with that text.
func Errorf(format string, a ...any) error { return &Error{fmt.Sprintf(format, a...)} }

// Explain returns an *[Error] for what pflag says of the flags of c, with the flag that may be
// meant.
func Explain(c *cobra.Command, err error) error {
	hint := "see " + c.CommandPath() + " --help"
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		if near := nearestFlag(c, unknown.GetSpecifiedName()); near != "" {
			hint = "did you mean --" + near + "?"
		}
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

// wrongValue says what is wrong with a value in words, also where package strconv has refused it.
func wrongValue(err error) error {
	if errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange) {
		return errors.New("a number is needed")
	}
	return err
}

// nearestFlag returns the flag of c that is probably meant by name, "" if none is near.
func nearestFlag(c *cobra.Command, name string) string {
	return Nearest(name, func(yield func(string) bool) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				yield(f.Name)
			}
		})
	})
}

// CheckEmpty refuses a flag of c that is given without a value, as a script does whose variable is
// not set: to leave it out would be another command.
func CheckEmpty(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			err = Errorf("--%s is empty: give a value or leave it out", f.Name)
		}
	})
	return err
}

// NoArguments refuses arguments of a command that takes none.
func NoArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Errorf("%s takes no arguments", c.CommandPath())
	}
	return nil
}
