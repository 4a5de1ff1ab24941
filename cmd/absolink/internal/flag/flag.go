// Package flag has the kinds of flag values that several commands of absolink share, besides the
// kinds of pflag, and the error of a command line that cannot be carried out.
//
// Files in reading order: nearest.go, group.go, unknown.go, error.go, flag.go, share.go, bash.go.
package flag

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Enum adds a flag to c that sets *p to one of values. The names of the values are those of
// fmt.Sprint; shells complete them. The usage text should list them too.
func Enum[T comparable](c *cobra.Command, p *T, name, usage string, values ...T) {
	e := &enum[T]{p: p, values: values}
	c.Flags().Var(e, name, usage)
	Complete(c, name, e.names()...)
}

// Alias makes the flag that Enum added under name accept word for value too.
func Alias[T comparable](c *cobra.Command, name, word string, value T) {
	e := c.Flags().Lookup(name).Value.(*enum[T])
	if e.aliases == nil {
		e.aliases = make(map[string]T)
	}
	e.aliases[word] = value
}

// Complete makes shells complete the values of a flag of c, instead of file names.
func Complete(c *cobra.Command, name string, values ...string) {
	c.Flags().SetAnnotation(name, completions, values)
}

// completions is the annotation of a flag that holds its values for Complete.
const completions = "absolink_completions"

// RegisterCompletions makes c complete the values of its flags, and in a LIST also after a comma.
// Cobra then keeps c until the process ends, so call it only in a process that answers completion
// requests.
func RegisterCompletions(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		values := f.Annotations[completions]
		switch {
		case values == nil:
		case f.Value.Type() == listType:
			c.RegisterFlagCompletionFunc(f.Name,
				func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
					return listCompletions(values,
						typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
				})
		default:
			c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
	})
}

// listType is the Type of flags whose value is a list separated by commas.
const listType = "LIST"

// listCompletions returns the lists that complete typed: typed up to its last comma or leading '!',
// followed by one of values that is not yet in it.
func listCompletions(values []string, typed string) []string {
	head := typed[:strings.LastIndexAny(typed, ",!")+1]
	given := strings.Split(strings.TrimPrefix(head, "!"), ",")
	var lists []string
	for _, v := range values {
		if !slices.Contains(given, v) {
			lists = append(lists, head+v)
		}
	}
	return lists
}

// enum is a pflag.Value that accepts the names of values.
type enum[T comparable] struct {
	p       *T
	values  []T
	aliases map[string]T
}

func (e *enum[T]) String() string { return fmt.Sprint(*e.p) }

// Type returns the name of the value in the help text.
func (e *enum[T]) Type() string { return "choice" }

// Set accepts the name of a value, or an alias.
func (e *enum[T]) Set(s string) error {
	if v, ok := e.aliases[s]; ok {
		*e.p = v
		return nil
	}
	names := e.names()
	n := slices.Index(names, s)
	if n < 0 {
		return Choose(s, names)
	}
	*e.p = e.values[n]
	return nil
}

func (e *enum[T]) names() []string {
	var names []string
	for _, v := range e.values {
		names = append(names, fmt.Sprint(v))
	}
	return names
}

// Choose returns the error for a value that is not one of names. It suggests the nearest name.
func Choose(value string, names []string) error {
	if near := Nearest(value, slices.Values(names)); near != "" {
		return fmt.Errorf("did you mean %s? Use %s", near, Or(names))
	}
	return fmt.Errorf("use %s", Or(names))
}

// Or joins names as a sentence lists alternatives: "a, b or c".
func Or(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Text is a string value. A flag that is given twice with different values is refused, since the
// first value would be lost. It is a pflag.Value.
type Text string

var _ pflag.Value = (*Text)(nil)

func (t *Text) String() string { return string(*t) }

// Type returns the name of the value in the help text.
func (t *Text) Type() string { return "string" }

// Set accepts any value, once.
func (t *Text) Set(s string) error {
	if *t != "" && *t != Text(s) {
		return fmt.Errorf("%q is given already, and only one can count", string(*t))
	}
	*t = Text(s)
	return nil
}

// URI is a Text whose value is called URI in the help text.
type URI struct{ *Text }

// uriType is the Type of a [URI].
const uriType = "URI"

// Type returns the name of the value in the help text.
func (URI) Type() string { return uriType }

// Size is a number of bytes. It is a pflag.Value.
type Size int64

var _ pflag.Value = (*Size)(nil)

// String returns the number as Set accepts it.
func (s *Size) String() string {
	for i, unit := range []string{"G", "M", "K"} {
		if n := Size(1) << (30 - 10*i); *s >= n && *s%n == 0 {
			return strconv.FormatInt(int64(*s/n), 10) + unit
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Type returns the name of the value in the help text.
func (s *Size) Type() string { return "N" }

// Set accepts a number of bytes from 1 to 1 TiB, or a number of KiB, MiB or GiB followed by K, M or
// G.
func (s *Size) Set(v string) error {
	digits := strings.TrimRight(v, "KMG")
	shift := map[string]int{"": 0, "K": 10, "M": 20, "G": 30}
	by, ok := shift[v[len(digits):]]
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n < 1 || n > 1<<40>>by {
		return fmt.Errorf("%q is not a size such as 1000, 512K, 64M or 1G", v)
	}
	*s = Size(n << by)
	return nil
}

// Seconds is a length of time. A number without a unit counts seconds. It is a pflag.Value.
type Seconds time.Duration

var _ pflag.Value = (*Seconds)(nil)

func (s *Seconds) String() string { return time.Duration(*s).String() }

// Type returns the name of the value in the help text.
func (s *Seconds) Type() string { return "TIME" }

// Set accepts values such as 30, 30s, 1.5m or 1h.
func (s *Seconds) Set(v string) error {
	d, err := time.ParseDuration(v)
	if err != nil {
		d, err = time.ParseDuration(v + "s")
	}
	if err != nil {
		return fmt.Errorf("%q is not a time such as 30 (seconds), 30s or 2m", v)
	}
	*s = Seconds(d)
	return nil
}

// List collects the values of a flag that may be repeated. The list type of pflag makes a CSV
// writer for each flag, which would slow down every start.
type List []string

var _ pflag.Value = (*List)(nil)

// String returns the values, separated by blanks.
func (l *List) String() string { return strings.Join(*l, " ") }

// Type returns the name of the value in the help text.
func (l *List) Type() string { return listType }

// Set adds a value.
func (l *List) Set(v string) error {
	*l = append(*l, v)
	return nil
}

// Names is a list of names separated by commas. It is a pflag.Value.
type Names []string

var _ pflag.Value = (*Names)(nil)

// String returns the names as Set accepts them.
func (n *Names) String() string { return strings.Join(*n, ",") }

// Type returns the name of the value in the help text.
func (n *Names) Type() string { return listType }

// Set adds names separated by commas.
func (n *Names) Set(v string) error {
	for name := range strings.SplitSeq(v, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			return fmt.Errorf("%q: a name is missing", v)
		}
		*n = append(*n, name)
	}
	return nil
}

// Values returns the values of a flag that Enum added, or of a bool with values that Complete set.
// It returns nil for other flags.
func Values(f *pflag.Flag) []string {
	switch f.Value.Type() {
	case "choice", "bool":
		return f.Annotations[completions]
	}
	return nil
}
