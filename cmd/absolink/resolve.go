package main

import (
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/reference"
	"absolink/resolve"
	"absolink/resolve/grammar"
)

// resolution is the command resolve.
type resolution struct {
	reference.Options
	rules  string // --rules: a rule set, or rfc1738 for --check
	escape string // minimal or none
	leeway leeway
	views  [len(views)]bool // those that are given
	gave   func(flag string) bool
}

// views are the flags that show something else than the result, in the order of the help text.
var views = [...]struct {
	view        reference.View
	name, usage string
}{
	{reference.Comparison, "compare", "Show: show what every rule set says"},
	{reference.Verdicts, "check", "Show: show the verdict of each grammar, or of that of --rules, and take the schemes of RFC 1738 apart"},
	{reference.Components, "components", "Show: show the components of the result; an undefined one has no line"},
	{reference.Relative, "relative", "Show: show the shortest reference that resolves back"},
	{reference.Normal, "normalize", "Show: show the normal form of `LEVEL`: case, escapes, segments or scheme, each with those before it (RFC 3986 6.2)"},
	{reference.Equivalence, "equivalent", "Show: show the level on which two URIs are the same, up to --normalize, or \"different\""},
	{reference.Escaped, "escape-component", "Show: escape data for a component of a URI, \"%\" too (RFC 2396 2.4.2)"},
	{reference.Unescaped, "unescape", "Show: undo the escapes of a component, once"},
}

func (p *program) resolveCommand() *cobra.Command {
	x := newResolution()
	c := &cobra.Command{
		Use:         "resolve [REF...]",
		Short:       "Resolve references against --base",
		Long:        resolveHelp,
		Example:     resolveExamples,
		Annotations: help.Needed("base rules check compare components relative normalize equivalent document format"),
		RunE: func(c *cobra.Command, args []string) error {
			return p.resolve(c, x, args)
		},
	}
	x.register(c)
	return c
}

func newResolution() *resolution { return &resolution{rules: resolve.WHATWG.String()} }

const resolveHelp = `Print the absolute URI of each reference, an empty line where there is none.
References are arguments, or the lines of standard input; in a line, a base may
stand before the reference and a tab. What surrounds a reference in text, such
as <URL:...>, quotes and blanks, is taken off, with a note (RFC 2396 Appendix E).

An empty reference, or one that is only a fragment, names the current document:
that is --document under rfc2396 and draft-02, and the base where it is not given.

--format jsonl, csv and tsv write base, ref, uri, status, error and warnings.
Exit status: 0 done; 1 a reference is invalid or unresolved, fits no grammar that
--check asked, or is not --equivalent; 2 the command line cannot be carried out.`

const resolveExamples = `  absolink resolve --base 'http://a/b/c/d;p?q' ../g
  absolink resolve --rules rfc2396 --base 'http://a/b/c/d;p?q' < references
  printf 'http://a/b/\tg\nhttp://c/d/\tg\n' | absolink resolve --format csv
  absolink resolve --compare --base 'http://a/b/c/d;p?q' '?y'
  absolink resolve --check --rules rfc3986 'http://[::1]/'
  absolink resolve --relative --no-parent --base http://a/b/c http://a/d
  absolink resolve --normalize scheme 'HTTP://Example.com:80/%7Esmith/'
  absolink resolve --equivalent http://example.com http://EXAMPLE.com:80/
  absolink resolve --escape-component --keep / 'a b/50% c'`

// register adds the flags to c.
func (x *resolution) register(c *cobra.Command) {
	fs := c.Flags()
	fs.SortFlags = false
	fs.Var((*flag.Text)(&x.Base), "base", "Base: `URI` of the base, against which references are resolved")
	flag.Enum(c, &x.rules, "rules", "Base: resolve by rule set `R`: whatwg, rfc3986, rfc2396, draft-02 or draft-00e; with --check the one grammar to ask, also rfc1738", append(reference.RulesNames(), rfc1738)...)
	fs.Var((*flag.Text)(&x.Rules.Document), "document", "Base: `URI` of the current document where it is not the base (rfc2396, draft-02)")
	x.leeway.register(c)
	flag.Enum(c, &x.escape, "escape", "Show: `WAY` to escape excluded characters (all but whatwg): minimal or none", "minimal", "none")
	x.registerViews(c)
	flag.Enum(c, &x.Format, "format", "Output: print `F`: text, jsonl, csv or tsv", record.Formats...)
	x.gave = fs.Changed
}

// registerViews adds the flags of the views, and those that say more about one.
func (x *resolution) registerViews(c *cobra.Command) {
	fs := c.Flags()
	for i, v := range views {
		if v.view == reference.Normal {
			flag.Enum(c, &x.Level, v.name, v.usage, resolve.Exact, resolve.CaseLevel, resolve.Escapes, resolve.Segments, resolve.Scheme)
			fs.Lookup(v.name).DefValue = "" // the usage text shows no default then
			continue
		}
		fs.BoolVar(&x.views[i], v.name, false, v.usage)
		switch v.view {
		case reference.Relative:
			fs.BoolVar(&x.Rules.NoParent, "no-parent", false, "Show: with --relative: none with \"..\"")
			fs.BoolVar(&x.Rules.NoAbsolutePath, "no-absolute-path", false, "Show: with --relative: none that begins with a slash")
			fs.BoolVar(&x.Rules.NoNetworkPath, "no-network-path", false, "Show: with --relative: none that begins with two slashes")
			fs.BoolVar(&x.Rules.NoEmpty, "no-empty", false, "Show: with --relative: not the empty one")
		case reference.Escaped:
			fs.Var((*flag.Text)(&x.Keep), "keep", "Show: `CHARACTERS` that --escape-component leaves")
		}
	}
}

// rfc1738 is a value of --rules with --check: RFC 1738 has a grammar, but no rules for references.
var rfc1738 = grammar.RFC1738.String()

// choose sets the view, of which one may be given. --equivalent takes --normalize as its limit.
func (x *resolution) choose() error {
	var names []string
	for i, v := range views {
		switch {
		case v.view == reference.Normal && !x.gave(v.name), v.view != reference.Normal && !x.views[i]:
			continue
		case v.view == reference.Equivalence && x.View == reference.Normal:
			names = names[:len(names)-1]
		}
		x.View, names = v.view, append(names, "--"+v.name)
	}
	if n := len(names); n > 1 {
		return usagef("%s and %s exclude each other: give one", strings.Join(names[:n-1], ", "), names[n-1])
	}
	if x.View == reference.Equivalence && !x.gave("normalize") {
		x.Level = resolve.Scheme
	}
	return x.checkView(strings.Join(names, ""))
}

// checkView refuses what has no meaning with the view, which the flag name asks for.
func (x *resolution) checkView(name string) error {
	for _, flag := range []string{"no-parent", "no-absolute-path", "no-network-path", "no-empty"} {
		if x.gave(flag) && x.View != reference.Relative {
			return usagef("--%s restricts what --relative shows: add --relative", flag)
		}
	}
	if x.gave("keep") && x.View != reference.Escaped {
		return usagef("--keep restricts --escape-component: add --escape-component")
	}
	for _, flag := range []string{"base", "rules", "document", "excess-dots", "same-scheme", "escape"} {
		if x.gave(flag) && (x.View == reference.Escaped || x.View == reference.Unescaped) {
			return usagef("--%s has no meaning with %s, which resolves nothing: leave it out", flag, name)
		}
	}
	if f := x.Format; x.View == reference.Components && (f == record.CSV || f == record.TSV) {
		return usagef("--components: a cell cannot tell an undefined component from an empty one: use --format jsonl")
	}
	return nil
}

// checkRules sets the rule set and its options, and refuses options that it does not know.
func (x *resolution) checkRules() error {
	for _, r := range reference.AllRules() {
		if r.String() == x.rules {
			x.Rules.Rules = r
		}
	}
	sections := x.View == reference.Normal || x.View == reference.Equivalence
	switch given := x.gave("rules"); {
	case x.rules == rfc1738 && x.View != reference.Verdicts:
		return usagef("--rules rfc1738: RFC 1738 has no relative references, only a grammar: add --check, or give another rule set")
	case given && x.View == reference.Verdicts:
		x.Grammar = x.rules
	case !given && sections:
		x.Rules.Rules = resolve.RFC3986 // whose Section 6 the levels are
	}
	rules := x.Rules.Rules
	gave := func(flag string) bool { return x.gave(flag) && x.View != reference.Comparison }
	if err := x.leeway.check(rules, gave); err != nil {
		return err
	}
	switch {
	case gave("escape") && rules == resolve.WHATWG:
		return meaningless("escape", rules, "rfc3986, rfc2396, draft-02 or draft-00e")
	case gave("document") && rules != resolve.RFC2396 && rules != resolve.Draft02:
		return meaningless("document", rules, "rfc2396 or draft-02")
	case rules == resolve.WHATWG && sections:
		return usagef("--rules whatwg: the URL Standard has one form of each URL, which resolve prints; leave out --normalize and --equivalent, or --rules")
	}
	x.leeway.set(&x.Rules)
	x.Rules.Bare = x.escape == "none"
	return nil
}

// check sets the options by the flags, and refuses what has no meaning together.
func (x *resolution) check() error {
	if err := x.choose(); err != nil {
		return err
	}
	return x.checkRules()
}

func (p *program) resolve(c *cobra.Command, x *resolution, args []string) error {
	if err := x.check(); err != nil {
		return err
	}
	if len(args) == 0 {
		if err := p.noTerminal(c); err != nil {
			return err
		}
	}
	s, err := reference.New(x.Options, p.out, console.New(p.err, "absolink", console.Never, false))
	if err != nil {
		return err
	}
	if len(args) > 0 {
		err = s.Arguments(args)
	} else {
		err = s.Lines(c.Context(), input.Interruptible(c.Context(), p.in))
	}
	if s.Failed() {
		p.code = exitDefects
	}
	return err
}
