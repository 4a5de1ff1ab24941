package reference

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/resolve"
)

// AllRules returns the rule sets in the order of comparisons.
func AllRules() []resolve.Rules {
	return []resolve.Rules{resolve.WHATWG, resolve.RFC3986, resolve.RFC2396, resolve.Draft02, resolve.Draft00e}
}

// rulesNames returns the names of AllRules.
func rulesNames() (names []string) {
	for _, r := range AllRules() {
		names = append(names, r.String())
	}
	return names
}

// Leeway is the flags for choices that the RFCs leave open.
type Leeway struct {
	dots   resolve.Dots
	scheme string // strict or compat
}

// Register adds the flags to c.
func (l *Leeway) Register(c *cobra.Command) {
	flag.Enum(c, &l.dots, "excess-dots",
		"Base: `WAY` to treat \"..\" beyond the root of the base (rfc2396): keep, remove or refuse",
		resolve.KeepDots, resolve.RemoveDots, resolve.RefuseDots)
	flag.Enum(c, &l.scheme, "same-scheme",
		"Base: `WAY` to read http:g (rfc2396, rfc3986): strict (absolute) or compat (as g)", "strict", "compat")
}

// Set sets the options of o by the flags.
func (l *Leeway) Set(o *resolve.Options) {
	o.ExcessDots = l.dots
	o.CompatScheme = l.scheme == "compat"
}

// Check refuses flags that have no meaning under a rule set. gave reports whether a flag stands on
// the command line.
func (l *Leeway) Check(rules resolve.Rules, gave func(flag string) bool) error {
	switch {
	case gave("excess-dots") && rules != resolve.RFC2396:
		return meaningless("excess-dots", rules, "rfc2396")
	case gave("same-scheme") && rules != resolve.RFC2396 && rules != resolve.RFC3986:
		return meaningless("same-scheme", rules, "rfc2396 or rfc3986")
	}
	return nil
}

// meaningless returns the error for a flag that has no effect under a rule set.
func meaningless(name string, rules resolve.Rules, use string) error {
	return flag.Errorf("--%s has no meaning under %s: add --rules %s", name, rules, use)
}
