package links

import (
	"fmt"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
)

// Values is a list of values, separated by commas, of which a link has one; a leading '!'
// asks for a link that has none. It is a pflag.Value.
type Values struct {
	by     property
	items  []string // in lower case
	negate bool
}

// isSet reports whether there are values.
func (v *Values) isSet() bool { return len(v.items) > 0 }

// has reports whether a link with the value is asked for, in any case of letters.
func (v *Values) has(value string) bool {
	if !v.isSet() {
		return true
	}
	match := strings.EqualFold
	if v.by == byHost {
		match = isHost
	}
	return slices.ContainsFunc(v.items, func(item string) bool { return match(value, item) }) != v.negate
}

// hasAny reports whether a link with these values is asked for: it has one of them, or none
// where the list is negated.
func (v *Values) hasAny(values []string) bool {
	if !v.isSet() {
		return true
	}
	found := slices.ContainsFunc(values, func(value string) bool {
		return slices.ContainsFunc(v.items, func(item string) bool { return strings.EqualFold(value, item) })
	})
	return found != v.negate
}

// Known returns the values that there are, nil if there may be any.
func (v *Values) Known() []string {
	switch v.by {
	case byKind:
		return kinds
	case byStatus:
		return statuses
	}
	return nil
}

// String gives the list as Set takes it.
func (v *Values) String() string {
	if v.negate {
		return "!" + strings.Join(v.items, ",")
	}
	return strings.Join(v.items, ",")
}

// Type names the value for the help text.
func (v *Values) Type() string { return "LIST" }

// Set takes the values; given twice, the last time counts.
func (v *Values) Set(text string) error {
	rest, negate := strings.CutPrefix(text, "!")
	var items []string
	for item := range strings.SplitSeq(rest, ",") {
		item = strings.ToLower(strings.TrimSpace(item))
		if item == "" {
			return fmt.Errorf("%q: a value is missing", text)
		}
		if err := v.check(item); err != nil {
			return err
		}
		if v.by == byHost {
			item = asciiHost(item)
		}
		items = append(items, item)
	}
	v.items, v.negate = items, negate
	return nil
}

// check refuses what cannot be meant: nothing would match it.
func (v *Values) check(item string) error {
	known := v.Known()
	switch {
	case known != nil && !slices.Contains(known, item):
		return fmt.Errorf("%q: %w", item, flag.Choose(item, known))
	case v.by == byScheme:
		return checkScheme(item)
	case v.by == byHost:
		return checkHost(item)
	}
	return nil
}

// checkScheme refuses what is no scheme.
func checkScheme(item string) error {
	if name, _, ok := strings.Cut(item, ":"); ok {
		return fmt.Errorf("%q: a scheme is needed without what follows it; type %s", item, name)
	}
	return nil
}

// checkHost refuses what is no host.
func checkHost(item string) error {
	host := strings.TrimLeft(item, "*.")
	switch name := record.Host(item); {
	case name != "" && !strings.Contains(name, "*"):
		return fmt.Errorf("%q is a URL; type its host, %s", item, name)
	case strings.HasPrefix(item, "*.") && !strings.ContainsAny(host, "*/:"):
		return fmt.Errorf("%q: * stands for nothing here; type .%s for that host and all below it", item, host)
	case strings.ContainsAny(item, "*/?#@") || strings.Contains(item, ":") && !strings.HasPrefix(item, "["):
		return fmt.Errorf("%q is no host such as www.example.org, without a port, or .example.org for it and all "+
			"below it", item)
	}
	return nil
}

// asciiHost returns a host as URIs have it, in the form of Punycode if it has other letters than
// ASCII, with the dot that it may begin with.
func asciiHost(item string) string {
	name := strings.TrimLeft(item, ".")
	b, err := resolve.NewBase("http://"+name+"/", resolve.Options{})
	if err != nil {
		return item
	}
	return item[:len(item)-len(name)] + record.Host(b.String())
}

// isHost reports whether a host is item, or below it where item begins with a dot.
func isHost(host, item string) bool {
	if item[0] != '.' {
		return strings.EqualFold(item, host)
	}
	n := len(host) - len(item)
	return strings.EqualFold(item[1:], host) || n > 0 && strings.EqualFold(item, host[n:])
}
