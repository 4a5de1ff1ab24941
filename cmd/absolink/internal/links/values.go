package links

import (
	"fmt"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/authority"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
)

// Values is a comma-separated list of values that a flag takes. A link matches if its property has
// one of the values. If the list begins with '!', a link matches if its property has none of them.
// An empty list matches all links. Values is a [pflag.Value].
type Values struct {
	by     property // the property of links that is compared with the list
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

// Known returns all possible values of the property. It returns nil if the values are not a fixed
// list.
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

// Type returns the placeholder of the value in the help text.
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

// check refuses an item that no link can match.
func (v *Values) check(item string) error {
	known := v.Known()
	switch {
	case known != nil && !slices.Contains(known, item):
		if v.by == byKind && flag.Nearest(item, slices.Values(known)) == "" {
			return fmt.Errorf("%q: use %s", item, flag.Or(describeKinds()))
		}
		return fmt.Errorf("%q: %w", item, flag.Choose(item, known))
	case v.by == byScheme:
		return checkScheme(item)
	case v.by == byHost:
		return checkHost(item)
	}
	return nil
}

// describeKinds returns all kinds of links, each with its meaning.
func describeKinds() (list []string) {
	for _, kind := range record.Values()["kind"] {
		meaning := strings.TrimSuffix(kind.Meaning, ".")
		list = append(list, kind.Name+" ("+strings.ToLower(meaning[:1])+meaning[1:]+")")
	}
	return list
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
	switch name := authority.Host(item); {
	case name != "" && !strings.Contains(name, "*"):
		return fmt.Errorf("%q is a URL; type its host, %s", item, name)
	case strings.HasPrefix(item, "*.") && !strings.ContainsAny(host, "*/:"):
		return fmt.Errorf("%q: * is not a wildcard here; type .%s for that host and all hosts below it", item, host)
	case strings.ContainsAny(item, "*/?#@") || strings.Contains(item, ":") && !strings.HasPrefix(item, "["):
		return fmt.Errorf("%q is not a host; type www.example.org, without a port, or .example.org for example.org "+
			"and all hosts below it", item)
	}
	return nil
}

// asciiHost returns a host in the form that URIs have. Characters outside ASCII become Punycode. A
// leading dot stays.
func asciiHost(item string) string {
	name := strings.TrimLeft(item, ".")
	b, err := resolve.NewBase("http://"+name+"/", resolve.Options{})
	if err != nil {
		return item
	}
	return item[:len(item)-len(name)] + authority.Host(b.String())
}

// matchesHost reports whether host is equal to item. If item begins with a dot, the host after the
// dot and all hosts below it match.
func matchesHost(host, item string) bool {
	if item[0] != '.' {
		return strings.EqualFold(item, host)
	}
	n := len(host) - len(item)
	return strings.EqualFold(item[1:], host) || n > 0 && strings.EqualFold(item, host[n:])
}
