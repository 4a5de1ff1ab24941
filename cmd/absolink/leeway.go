package main

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/resolve"
)

// leeway are the flags for what the RFCs leave open.
type leeway struct {
	dots   resolve.Dots
	scheme string // strict or compat
}

// register adds the flags to c.
func (l *leeway) register(c *cobra.Command) {
	flag.Enum(c, &l.dots, "excess-dots", "Base: `WAY` to treat \"..\" that the base is too short for (rfc2396): keep, remove or refuse", resolve.KeepDots, resolve.RemoveDots, resolve.RefuseDots)
	flag.Enum(c, &l.scheme, "same-scheme", "Base: `WAY` to read http:g (rfc2396, rfc3986): strict (absolute) or compat (as g)", "strict", "compat")
}

// set puts into o what the flags say.
func (l *leeway) set(o *resolve.Options) {
	o.ExcessDots, o.CompatScheme = l.dots, l.scheme == "compat"
}

// check refuses the flags that have no meaning under a rule set; gave says which
// stand on the command line.
func (l *leeway) check(rules resolve.Rules, gave func(flag string) bool) error {
	switch {
	case gave("excess-dots") && rules != resolve.RFC2396:
		return meaningless("excess-dots", rules, "rfc2396")
	case gave("same-scheme") && rules != resolve.RFC2396 && rules != resolve.RFC3986:
		return meaningless("same-scheme", rules, "rfc2396 or rfc3986")
	}
	return nil
}

// meaningless is the error of a flag that says nothing under a rule set.
func meaningless(flag string, rules resolve.Rules, use string) error {
	return usagef("--%s has no meaning under %s: add --rules %s", flag, rules, use)
}
