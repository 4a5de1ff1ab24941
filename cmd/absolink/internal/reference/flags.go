package reference

import (
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/record"
	"absolink/resolve"
	"absolink/resolve/grammar"
)

// Flags are the flags of the command resolve.
type Flags struct {
	Options
	rules      string // --rules: a rule set, or rfc1738 for --check
	escape     string // minimal or none
	delimiters string // strip or keep
	leeway     Leeway
	views      [len(views)]bool // the views that were given
	gave       func(flag string) bool
}

// views are the flags that show something other than the result, in the order of the help text.
var views = [...]struct {
	view        View
	name, usage string
}{
	{Comparison, "compare", "Show: show the result of every rule set"},
	{Verdicts, "check",
		"Show: show the verdict of each grammar, or of the grammar of --rules, and parse the schemes of RFC 1738"},
	{Components, "components", "Show: show the components of the result; an undefined one has no line"},
	{Relative, "relative", "Show: show the shortest link that resolves back"},
	{Normal, "normalize",
		"Show: show the normal form of `LEVEL`: case, escapes, segments or scheme, each with the levels before it " +
			"(RFC 3986 6.2)"},
	{Equivalence, "equivalent",
		"Show: show the level on which two URIs are the same, up to --normalize, or \"different\""},
	{Escaped, "escape-component", "Show: escape data for a component of a URI, \"%\" too (RFC 2396 2.4.2)"},
	{Unescaped, "unescape", "Show: undo the escapes of a component, once"},
}

// NewFlags returns the flags before any is given.
func NewFlags() *Flags { return &Flags{rules: resolve.WHATWG.String()} }

// Register adds the flags to c.
func (x *Flags) Register(c *cobra.Command) {
	fs := c.Flags()
	fs.SortFlags = false
	fs.Var((*flag.Text)(&x.Base), "base", "Base: resolve links against `URI`")
	flag.Enum(c, &x.rules, "rules",
		"Base: resolve by rule set `R`: whatwg, rfc3986, rfc2396, draft-02 or draft-00e; with --check the only "+
			"grammar to check, also rfc1738", append(rulesNames(), rfc1738)...)
	fs.Var((*flag.Text)(&x.Rules.Document), "document",
		"Base: `URI` of the current document if it is not the base (rfc2396, draft-02)")
	x.leeway.Register(c)
	flag.Enum(c, &x.delimiters, "delimiters",
		"Base: `WAY` to read quotes, angle brackets, blanks and URL: around a link "+
			"(all but whatwg): strip (RFC 2396 Appendix E) or keep", "strip", "keep")
	flag.Enum(c, &x.escape, "escape", "Show: `WAY` to escape excluded characters (all but whatwg): minimal or none",
		"minimal", "none")
	x.registerViews(c)
	flag.Enum(c, &x.Format, "format", "Output: print `F`: text, jsonl, csv or tsv", record.Formats...)
	x.gave = fs.Changed
}

// registerViews adds the flags of the views, and the flags that modify a view.
func (x *Flags) registerViews(c *cobra.Command) {
	fs := c.Flags()
	for i, v := range views {
		if v.view == Normal {
			flag.Enum(c, &x.Level, v.name, v.usage, resolve.Exact,
				resolve.CaseLevel, resolve.Escapes, resolve.Segments, resolve.Scheme)
			fs.Lookup(v.name).DefValue = "" // hides the default in the usage text
			continue
		}
		fs.BoolVar(&x.views[i], v.name, false, v.usage)
		switch v.view {
		case Relative:
			fs.BoolVar(&x.Rules.NoParent, "no-parent", false, "Show: with --relative: no link with \"..\"")
			fs.BoolVar(&x.Rules.NoAbsolutePath, "no-absolute-path", false,
				"Show: with --relative: no link that begins with a slash")
			fs.BoolVar(&x.Rules.NoNetworkPath, "no-network-path", false,
				"Show: with --relative: no link that begins with two slashes")
			fs.BoolVar(&x.Rules.NoEmpty, "no-empty", false, "Show: with --relative: not the empty link")
		case Escaped:
			fs.Var((*flag.Text)(&x.Keep), "keep", "Show: `CHARACTERS` that --escape-component does not escape")
		}
	}
}

// rfc1738 is a value of --rules with --check: RFC 1738 has a grammar, but no rules for references.
var rfc1738 = grammar.RFC1738.String()

// choose sets the view. Only one may be given, but --equivalent accepts --normalize as its limit.
func (x *Flags) choose() error {
	var names []string
	for i, v := range views {
		switch {
		case v.view == Normal && !x.gave(v.name), v.view != Normal && !x.views[i]:
			continue
		case v.view == Equivalence && x.View == Normal:
			names = names[:len(names)-1]
		}
		x.View, names = v.view, append(names, "--"+v.name)
	}
	if n := len(names); n > 1 {
		return flag.Errorf("%s and %s exclude each other: give one of them",
			strings.Join(names[:n-1], ", "), names[n-1])
	}
	if x.View == Equivalence && !x.gave("normalize") {
		x.Level = resolve.Scheme
	}
	return x.checkView(strings.Join(names, ""))
}

// checkView refuses flags that have no meaning with the view. name is the flag of the view.
func (x *Flags) checkView(name string) error {
	for _, other := range []string{"no-parent", "no-absolute-path", "no-network-path", "no-empty"} {
		if x.gave(other) && x.View != Relative {
			return flag.Errorf("--%s restricts what --relative shows: add --relative", other)
		}
	}
	if x.gave("keep") && x.View != Escaped {
		return flag.Errorf("--keep restricts --escape-component: add --escape-component")
	}
	for _, other := range []string{"base", "rules", "document", "excess-dots", "same-scheme", "escape", "delimiters"} {
		if x.gave(other) && (x.View == Escaped || x.View == Unescaped) {
			return flag.Errorf("--%s has no meaning with %s, which resolves nothing: leave it out", other, name)
		}
	}
	if x.gave("delimiters") && x.View == Verdicts {
		return flag.Errorf("--delimiters has no meaning with --check, which asks grammars about the link " +
			"as it stands: leave it out")
	}
	if f := x.Format; x.View == Components && (f == record.CSV || f == record.TSV) {
		return flag.Errorf("--components: a cell cannot tell an undefined component from an empty one: use --format " +
			"jsonl")
	}
	return nil
}

// checkRules sets the rule set and its options, and refuses options that have no meaning under it.
func (x *Flags) checkRules() error {
	for _, r := range AllRules() {
		if r.String() == x.rules {
			x.Rules.Rules = r
		}
	}
	sections := x.View == Normal || x.View == Equivalence
	switch given := x.gave("rules"); {
	case x.rules == rfc1738 && x.View != Verdicts:
		return flag.Errorf("--rules rfc1738: RFC 1738 has no relative links, only a grammar: add --check, or " +
			"give another rule set")
	case given && x.View == Verdicts:
		x.Grammar = x.rules
	case !given && sections:
		x.Rules.Rules = resolve.RFC3986 // the levels are those of its Section 6
	}
	rules := x.Rules.Rules
	gave := func(flag string) bool { return x.gave(flag) && x.View != Comparison }
	if err := x.leeway.Check(rules, gave); err != nil {
		return err
	}
	switch {
	case gave("escape") && rules == resolve.WHATWG:
		return meaningless("escape", rules, "rfc3986, rfc2396, draft-02 or draft-00e")
	case gave("delimiters") && x.delimiters == "strip" && rules == resolve.WHATWG:
		return meaningless("delimiters strip", rules, "rfc3986, rfc2396, draft-02 or draft-00e")
	case gave("document") && rules != resolve.RFC2396 && rules != resolve.Draft02:
		return meaningless("document", rules, "rfc2396 or draft-02")
	case rules == resolve.WHATWG && sections:
		return flag.Errorf("--rules whatwg: the URL Standard has one form of each URL, which resolve prints; leave " +
			"out --normalize and --equivalent, or --rules")
	}
	x.leeway.Set(&x.Rules)
	x.Rules.Bare = x.escape == "none"
	x.KeepDelimiters = x.delimiters == "keep"
	return nil
}

// Check sets the options by the flags, and refuses flags that have no meaning together.
func (x *Flags) Check() error {
	if err := x.choose(); err != nil {
		return err
	}
	return x.checkRules()
}
