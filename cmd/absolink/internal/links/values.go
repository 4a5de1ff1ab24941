package links

import (
	"fmt"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
)

// Values is the value of a flag that takes a comma-separated list. A link matches if it has one of
// the values. If the list begins with '!', a link matches if it has none of them. An empty list
// matches all links. Values is a [pflag.Value].
type Values struct {
	by     property // whose values the list has
	items  []string // in lower case
	negate bool     // the list begins with '!'
}

// isSet reports whether the list has values.
func (v *Values) isSet() bool { return len(v.items) > 0 }

// has reports whether a link with this value matches. Case is ignored.
func (v *Values) has(value string) bool {
	if !v.isSet() {
		return true
	}
	match := strings.EqualFold
	if v.by == byHost {
		match = matchesHost
	}
	return slices.ContainsFunc(v.items, func(item string) bool { return match(value, item) }) != v.negate
}

// hasAny reports whether a link with several values matches. Case is ignored.
func (v *Values) hasAny(values []string) bool {
	if !v.isSet() {
		return true
	}
	found := slices.ContainsFunc(values, func(value string) bool {
		return slices.ContainsFunc(v.items, func(item string) bool { return strings.EqualFold(value, item) })
	})
	return found != v.negate
}

// Known returns all values that a link can have, or nil if they cannot be listed.
func (v *Values) Known() []string {
	switch v.by {
	case byKind:
		return kinds
	case byStatus:
		return statuses
	}
	return nil
}

// String returns the list in the form that Set parses.
func (v *Values) String() string {
	if v.negate {
		return "!" + strings.Join(v.items, ",")
	}
	return strings.Join(v.items, ",")
}

// Type returns the name that the help text gives to the value.
func (v *Values) Type() string { return "LIST" }

// Set parses the list. A second call replaces the values of the first.
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
	v.items = items
	v.negate = negate
	return nil
}

// check refuses a value that no link can have.
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

// checkScheme refuses a value with a colon, such as "http:".
func checkScheme(item string) error {
	if name, _, ok := strings.Cut(item, ":"); ok {
		return fmt.Errorf("%q is more than a scheme; type %s", item, name)
	}
	return nil
}

// checkHost refuses a value that is not a host.
func checkHost(item string) error {
	host := strings.TrimLeft(item, "*.")
	switch name := record.Host(item); {
	case name != "" && !strings.Contains(name, "*"):
		return fmt.Errorf("%q is a URL; type its host, %s", item, name)
	case strings.HasPrefix(item, "*.") && !strings.ContainsAny(host, "*/:"):
		return fmt.Errorf("%q: * is no wildcard here; type .%s for that host and all hosts below it", item, host)
	case strings.ContainsAny(item, "*/?#@") || strings.Contains(item, ":") && !strings.HasPrefix(item, "["):
		return fmt.Errorf("%q is not a host; type www.example.org, without a port, or .example.org for example.org "+
			"and all hosts below it", item)
	}
	return nil
}

// asciiHost returns a host as URIs have it: in Punycode if it has characters outside ASCII. A
// leading dot stays.
func asciiHost(item string) string {
	name := strings.TrimLeft(item, ".")
	b, err := resolve.NewBase("http://"+name+"/", resolve.Options{})
	if err != nil {
		return item
	}
	return item[:len(item)-len(name)] + record.Host(b.String())
}

// matchesHost reports whether host equals item, which may begin with a dot. Then hosts below item
// match, too.
func matchesHost(host, item string) bool {
	if item[0] != '.' {
		return strings.EqualFold(item, host)
	}
	n := len(host) - len(item)
	return strings.EqualFold(item[1:], host) || n > 0 && strings.EqualFold(item, host[n:])
}
