package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
	"absolink/resolve"
	"absolink/resolve/grammar"
)

// resolution is the command resolve.
type resolution struct {
	option  string // --base
	rules   string // --rules: a rule set, or rfc1738 for --check
	options resolve.Options
	format  record.Format
	escape  string // minimal or none
	leeway  leeway
	views   // what is shown instead of the result

	b       resolve.Base // the base in use
	base    string       // and as it was given
	foreign string       // the base of the last line that gave one, "" where --base is in use
	failed  error        // why that one is none
	line    int          // number of the line that is read, 0 where arguments are
	simple  bool         // only results are shown

	entry    entry
	uri      []byte // the result
	status   extract.Status
	warnings []string
}

func (p *program) resolveCommand() *cobra.Command {
	x := &resolution{rules: resolve.WHATWG.String()}
	c := &cobra.Command{
		Use:     "resolve [REF...]",
		Short:   "Resolve references against --base",
		Long:    resolveHelp,
		Example: resolveExamples,
		RunE: func(c *cobra.Command, args []string) error {
			return p.resolve(c, x, args)
		},
	}
	x.register(c)
	return c
}

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

func (x *resolution) register(c *cobra.Command) {
	fs := c.Flags()
	fs.SortFlags = false
	fs.Var((*flag.Text)(&x.option), "base", "`URI` of the base")
	flag.Enum(c, &x.rules, "rules", "rule set `R`: whatwg, rfc3986, rfc2396, draft-02 or draft-00e; with --check the one grammar to ask, also rfc1738", append(rulesNames(), rfc1738)...)
	fs.Var((*flag.Text)(&x.options.Document), "document", "`URI` of the current document where it is not the base (rfc2396, draft-02)")
	x.leeway.register(c)
	flag.Enum(c, &x.escape, "escape", "`WAY` to escape excluded characters (all but whatwg): minimal or none", "minimal", "none")
	x.views.register(c)
	flag.Enum(c, &x.format, "format", "`F` of the answer: text, jsonl, csv or tsv", record.Formats...)
}

// rfc1738 is a value of --rules with --check: RFC 1738 has a grammar, but no rules for references.
var rfc1738 = grammar.RFC1738.String()

// checkFlags refuses what has no meaning with the view or under the rule set.
func (x *resolution) checkFlags(c *cobra.Command) error {
	gave := c.Flags().Changed
	if n := slices.Index(rulesNames(), x.rules); n >= 0 {
		x.options.Rules = allRules[n]
	}
	if err := x.views.checkFlags(gave, x.format); err != nil {
		return err
	}
	if x.rules == rfc1738 && !x.check {
		return usagef("--rules rfc1738: RFC 1738 has no relative references, only a grammar: add --check, or give another rule set")
	}
	if x.one = x.check && gave("rules"); (x.normal() || x.equivalent) && !gave("rules") {
		x.options.Rules = resolve.RFC3986 // whose Section 6 the levels are
	}
	return x.checkRules(func(flag string) bool { return gave(flag) && !x.compare })
}

// checkRules refuses options that the rule set does not know.
func (x *resolution) checkRules(gave func(flag string) bool) error {
	rules := x.options.Rules
	if err := x.leeway.check(rules, gave); err != nil {
		return err
	}
	switch {
	case gave("escape") && rules == resolve.WHATWG:
		return meaningless("escape", rules, "rfc3986, rfc2396, draft-02 or draft-00e")
	case gave("document") && rules != resolve.RFC2396 && rules != resolve.Draft02:
		return meaningless("document", rules, "rfc2396 or draft-02")
	case rules == resolve.WHATWG && (x.normal() || x.equivalent):
		return usagef("--rules whatwg: the URL Standard has one form of each URL, which resolve prints; leave out --normalize and --equivalent, or --rules")
	}
	x.leeway.set(&x.options)
	x.options.Bare = x.escape == "none"
	if doc := x.options.Document; doc != "" {
		if _, err := resolve.NewBase(doc, resolve.Options{Rules: resolve.RFC2396}); err != nil {
			return usagef("--document %q: %s", doc, why(err))
		}
	}
	return nil
}

func (p *program) resolve(c *cobra.Command, x *resolution, args []string) error {
	x.options.Document = p.unwrap(x, "--document", x.options.Document)
	if err := x.checkFlags(c); err != nil {
		return err
	}
	if err := p.useOption(x); err != nil {
		return err
	}
	if x.equivalent && len(args) != 0 && len(args) != 2 {
		return usagef("--equivalent compares two URIs: give two arguments, or lines of two URIs with a tab between them")
	}
	out := bufio.NewWriterSize(p.out, 64<<10)
	x.entry.format = x.format
	x.entry.header(out, x.keys())
	if len(args) > 0 {
		if err := p.arguments(out, x, args); err != nil {
			return err
		}
		return out.Flush()
	}
	x.simple = x.format == record.Text && len(x.given()) == 0
	each := func(line []byte) error { return p.showLine(out, x, line) }
	if err := eachLine(c.Context(), input.Interruptible(c.Context(), p.in), out, each); err != nil {
		return errors.Join(err, out.Flush())
	}
	return out.Flush()
}

// useOption makes --base the base.
func (p *program) useOption(x *resolution) error {
	x.option = p.unwrap(x, "--base", x.option)
	if x.relative && x.option == "" {
		return usagef("--relative wants a base to be relative to: add --base URI")
	}
	if err := x.use(x.option); err != nil {
		return usagef("--base %q: %s", x.option, why(err))
	}
	return nil
}

// unwrap returns the value of a flag without what surrounds a URI in text, with a note.
func (p *program) unwrap(x *resolution, flag, value string) string {
	text, stripped := x.strip([]byte(value))
	if stripped {
		p.say("%s %q: read as %q (RFC 2396 Appendix E)", flag, value, text)
	}
	return string(text)
}

// use makes base, "" for none, the base of the references that follow.
func (x *resolution) use(base string) error {
	o := x.options
	if o.Document == "" {
		o.Document = base
	}
	x.base = base
	if err := x.b.Reset(base, o); err != nil && !(x.compare && x.line > 0) {
		return err
	}
	if x.compare || x.check {
		x.views.use(base, x.options)
	}
	return nil
}

// arguments shows what stands on the command line.
func (p *program) arguments(out *bufio.Writer, x *resolution, args []string) error {
	switch {
	case x.equivalent:
		return p.showEquivalence(out, x, []byte(args[0]), []byte(args[1]))
	case x.data():
		for _, value := range args {
			if err := p.showData(out, x, []byte(value)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, ref := range args {
		if err := p.show(out, x, []byte(ref)); err != nil {
			return err
		}
	}
	return nil
}

// show prints what was asked for about one reference.
func (p *program) show(out *bufio.Writer, x *resolution, given []byte) error {
	if x.check {
		return p.showVerdicts(out, x, given)
	}
	ref, stripped := given, false
	if wrapped(given) {
		ref, stripped = p.strip(x, given)
	}
	if x.compare {
		return p.showComparison(out, x, given, ref)
	}
	err := x.find(ref)
	if err != nil {
		err = p.fail(x, given, err)
	}
	if x.format == record.Text {
		return x.text(out, ref, err == nil)
	}
	return x.record(out, given, ref, stripped, err)
}

// find resolves a reference into x.uri and x.status. Most are plain, and have the one
// warning that is known with that.
func (x *resolution) find(ref []byte) (err error) {
	x.warnings = x.warnings[:0]
	if p, ok := x.b.Plain(ref); ok {
		x.uri = append(append(append(x.uri[:0], p.Prefix...), ref...), p.Suffix...)
		x.status = statuses[p.Form]
		if p.Warning != "" {
			x.warnings = append(x.warnings, p.Warning)
		}
		return nil
	}
	if x.uri, err = x.b.Append(x.uri[:0], ref); err != nil {
		x.status = statusWithout(x.b.Form(ref), err)
		return err
	}
	x.status = statuses[x.b.Form(ref)]
	x.warnings = x.b.AppendWarnings(x.warnings, ref, x.uri)
	return nil
}

// statuses are those of references that resolve.
var statuses = [...]extract.Status{resolve.Relative: extract.Resolved, resolve.Absolute: extract.AbsoluteRef, resolve.SameDocument: extract.SameDocument}

// statusWithout is the status of a reference that does not resolve.
func statusWithout(form resolve.Form, err error) extract.Status {
	switch {
	case !errors.Is(err, resolve.ErrNoBase):
		return extract.Invalid
	case form == resolve.SameDocument:
		return extract.SameDocument
	}
	return extract.Unresolved
}

// fail counts a reference without a result, and returns why there is none: that the
// current document is unknown is no defect.
func (p *program) fail(x *resolution, given []byte, err error) error {
	if x.status != extract.SameDocument {
		p.code = exitDefects
	} else if x.base == "" {
		err = errNoDocument
		if rules := x.options.Rules; rules == resolve.RFC2396 || rules == resolve.Draft02 {
			err = fmt.Errorf("%w, or --document URI", err)
		}
	}
	if x.format == record.Text {
		p.say("%s: %s", x.quote(given), why(err))
	}
	return err
}

var errNoDocument = errors.New("names the current document, whose URI is not known: add --base URI")

// text prints the result, or the view of it that was asked for.
func (x *resolution) text(out *bufio.Writer, ref []byte, ok bool) error {
	switch {
	case !ok: // an empty line
	case x.components:
		for _, c := range componentsOf(string(x.uri)) {
			out.WriteString(c.Name + "\t" + c.Value + "\n")
		}
	case x.relative:
		out.WriteString(x.shortest())
	case x.normal():
		out.WriteString(x.normalForm(ref))
	default:
		out.Write(x.uri)
	}
	return out.WriteByte('\n')
}
