package main

import (
	"bufio"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
	"absolink/resolve/grammar"
)

// views are what resolve can show instead of the result.
type views struct {
	compare, check, components, relative, equivalent, escapes, unescapes bool

	level      resolve.Level // --normalize
	normalizes bool          // it is given
	nearer     resolve.RelativeOptions
	keep       string // characters that --escape-component leaves
	one        bool   // --check asks the grammar of --rules alone

	bases []*resolve.Base // --compare: the base under every rule set, nil where it does not parse
	errs  []error         // and why
	loose *resolve.Base   // --check: takes http:g for relative; nil without a base
}

// register adds the flags to c.
func (v *views) register(c *cobra.Command) {
	fs := c.Flags()
	fs.BoolVar(&v.compare, "compare", false, "show what every rule set says")
	fs.BoolVar(&v.check, "check", false, "show the verdict of each grammar, or of that of --rules, and take the schemes of RFC 1738 apart")
	fs.BoolVar(&v.components, "components", false, "show the components of the result; an undefined one has no line")
	fs.BoolVar(&v.relative, "relative", false, "show the shortest reference that resolves back")
	fs.BoolVar(&v.nearer.NoParent, "no-parent", false, "with --relative: none with \"..\"")
	fs.BoolVar(&v.nearer.NoAbsolutePath, "no-absolute-path", false, "with --relative: none that begins with a slash")
	fs.BoolVar(&v.nearer.NoNetworkPath, "no-network-path", false, "with --relative: none that begins with two slashes")
	fs.BoolVar(&v.nearer.NoEmpty, "no-empty", false, "with --relative: not the empty one")
	flag.Enum(c, &v.level, "normalize", "show the normal form of `LEVEL`: case, escapes, segments or scheme, each with those before it (RFC 3986 6.2)", allLevels...)
	fs.Lookup("normalize").DefValue = "" // the usage text shows no default then
	fs.BoolVar(&v.equivalent, "equivalent", false, "show the level on which two URIs are the same, up to --normalize, or \"different\"")
	fs.BoolVar(&v.escapes, "escape-component", false, "escape data for a component of a URI, \"%\" too (RFC 2396 2.4.2)")
	fs.Var((*flag.Text)(&v.keep), "keep", "`CHARACTERS` that --escape-component leaves")
	fs.BoolVar(&v.unescapes, "unescape", false, "undo the escapes of a component, once")
}

// given are the views on the command line. --equivalent takes --normalize as its limit.
func (v *views) given() (names []string) {
	for _, f := range []struct {
		name string
		on   bool
	}{
		{"--compare", v.compare}, {"--check", v.check}, {"--components", v.components}, {"--relative", v.relative},
		{"--normalize", v.normal()}, {"--equivalent", v.equivalent}, {"--escape-component", v.escapes}, {"--unescape", v.unescapes},
	} {
		if f.on {
			names = append(names, f.name)
		}
	}
	return names
}

// normal reports whether normal forms are shown.
func (v *views) normal() bool { return v.normalizes && !v.equivalent }

// data reports whether what is given is data, not a reference.
func (v *views) data() bool { return v.escapes || v.unescapes }

// checkFlags refuses what has no meaning with the view.
func (v *views) checkFlags(gave func(flag string) bool, f record.Format) error {
	v.normalizes = gave("normalize")
	names := v.given()
	if n := len(names); n > 1 {
		return usagef("%s and %s exclude each other: give one", strings.Join(names[:n-1], ", "), names[n-1])
	}
	for _, flag := range []string{"no-parent", "no-absolute-path", "no-network-path", "no-empty"} {
		if gave(flag) && !v.relative {
			return usagef("--%s restricts what --relative shows: add --relative", flag)
		}
	}
	if gave("keep") && !v.escapes {
		return usagef("--keep restricts --escape-component: add --escape-component")
	}
	for _, flag := range []string{"base", "rules", "document", "excess-dots", "same-scheme", "escape"} {
		if gave(flag) && v.data() {
			return usagef("--%s has no meaning with %s, which resolves nothing: leave it out", flag, names[0])
		}
	}
	if v.components && (f == record.CSV || f == record.TSV) {
		return usagef("--components: a cell cannot tell an undefined component from an empty one: use --format jsonl")
	}
	return nil
}

// allRules are the rule sets in the order in which --compare shows them.
var allRules = []resolve.Rules{resolve.WHATWG, resolve.RFC3986, resolve.RFC2396, resolve.Draft02, resolve.Draft00e}

// allLevels are the levels of --normalize. Exact alone changes nothing; it limits --equivalent.
var allLevels = []resolve.Level{resolve.Exact, resolve.CaseLevel, resolve.Escapes, resolve.Segments, resolve.Scheme}

func rulesNames() (names []string) {
	for _, r := range allRules {
		names = append(names, r.String())
	}
	return names
}

// use parses a base under every rule set for --compare, and for --check so that http:g
// is relative to it.
func (v *views) use(base string, o resolve.Options) {
	v.bases, v.errs, v.loose = v.bases[:0], v.errs[:0], nil
	if v.check {
		if base != "" {
			v.loose, _ = resolve.NewBase(base, resolve.Options{Rules: resolve.RFC2396, CompatScheme: true})
		}
		return
	}
	for _, o.Rules = range allRules {
		b, err := resolve.NewBase(base, o)
		v.bases, v.errs = append(v.bases, b), append(v.errs, err)
	}
}

// componentsOf are the components of a URI that are defined.
func componentsOf(uri string) (list []grammar.Component) {
	r := resolve.Split(uri)
	add := func(name, value string, defined bool) {
		if defined {
			list = append(list, grammar.Component{Name: name, Value: value})
		}
	}
	add("scheme", r.Scheme, r.Scheme != "")
	add("authority", r.Authority, r.HasAuthority)
	add("path", r.Path, true)
	add("query", r.Query, r.HasQuery)
	add("fragment", r.Fragment, r.HasFragment)
	return list
}

// jsonComponents is an object of the components.
func jsonComponents(list []grammar.Component) []byte {
	o := record.Object{'{'}
	for _, c := range list {
		o = o.Bytes(c.Name, []byte(c.Value))
	}
	return append(o, '}')
}

// shortest is the shortest reference that resolves back to the result.
func (x *resolution) shortest() string {
	ref, err := x.b.Relative(string(x.uri), x.nearer)
	if err != nil { // a result that is no absolute URI again
		return string(x.uri)
	}
	return ref
}

// opinion is what a rule set makes of a reference.
func (x *resolution) opinion(i int, ref []byte) (uri string, err error) {
	b := x.bases[i]
	if b == nil {
		return "", x.errs[i]
	}
	out, err := b.Append(nil, ref)
	if errors.Is(err, resolve.ErrNoBase) && b.Form(ref) == resolve.SameDocument {
		return "(current document)" + string(ref), nil // RFC 2396 4.2
	}
	return string(out), err
}

// showComparison prints what every rule set says.
func (p *program) showComparison(out *bufio.Writer, x *resolution, given, ref []byte) error {
	x.entry.begin()
	x.entry.reference(x.base, given)
	results, failures := record.Object{'{'}, record.Object{'{'}
	for i, rules := range allRules {
		name := rules.String()
		uri, err := x.opinion(i, ref)
		if err == nil {
			results = results.Bytes(name, []byte(uri))
		} else {
			p.code = exitDefects
			failures = failures.String(name, why(err))
			uri = "no result: " + why(err)
		}
		if x.entry.format != record.JSONL {
			x.entry.text(name, uri)
		}
	}
	x.entry.nested("results", append(results, '}'))
	if len(failures) > 1 {
		x.entry.nested("errors", append(failures, '}'))
	}
	return x.entry.end(out)
}
