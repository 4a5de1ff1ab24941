package main

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
	"absolink/mime/httpmsg"
	"absolink/mime/mbox"
	"absolink/resolve"
)

// options are the flags that extract, rewrite and base have in common.
type options struct {
	base, defaultBase string
	roots             repeated
	policy            base.Policy
	leeway            leeway
	kind              input.Kind
	mbox              mbox.Variant
	httpBase          httpmsg.Base
	charset           string
	jobs              int
	maxSize           size
	maxDepth          int
	progress          console.Mode
	report            string
	quiet, verbose    bool

	reading
	context bool // the text of links is asked for
	listing bool // references are listed, not edited

	trees
	sharing
	retrieval
	given func(flag string) bool // whether it stands on the command line; nil = none does
}

// register adds the flags to fs.
func (o *options) register(c *cobra.Command) {
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&o.base, "base", "", "`URI` that the input was retrieved from (5.1.3)")
	fs.Var(&o.roots, "root", "files below DIR were retrieved from URI and their path: `DIR=URI` (repeatable)")
	fs.StringVar(&o.defaultBase, "default-base", "", "`URI` of the base where nothing else gives one (5.1.4)")
	fs.StringVar(&o.policy.Force, "force-base", "", "`URI` of the base whatever the document says")
	fs.Var(&o.policy.Rules.Rules, "rules", "rule set `R`: whatwg, rfc3986, rfc2396, draft-02 or draft-00e")
	o.leeway.register(c)
	fs.Var(&o.policy.MIME, "mime-base", "text `M` by which headings give a base: rfc2396, rfc2557 or rfc2110")
	fs.Var(&o.httpBase, "http-base", "text `H` by which headings of responses give a base: rfc9110 (none does) or rfc2616")
	fs.BoolVar(&o.policy.NoInheritAcrossMessages, "no-inherit-across-messages", false, "a message inside a message takes no base from around it")
	fs.BoolVar(&o.policy.FileBase, "file-base", false, "let documents give file: bases")
	fs.Var(&o.kind, "type", "kind of the inputs: "+strings.Join(input.Names(), ", ")+" (default: by content, then name)")
	fs.Lookup("type").DefValue = "" // the usage text shows no default then
	fs.Var(&o.mbox, "mbox", "form of mbox files: rd, o, cl or cl2")
	fs.StringVar(&o.charset, "charset", "", "`NAME` of the charset of the documents (default: as they say)")
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "`N` inputs, messages or records at once; the output does not depend on it")
	o.maxSize = 64 << 20
	fs.Var(&o.maxSize, "max-size", "largest document that is read, in bytes or with K, M, G")
	fs.IntVar(&o.maxDepth, "max-depth", 100, "`N` parts inside each other that are entered")
	fs.Var(&o.progress, "progress", "bar on standard error: auto, always or never")
	fs.StringVar(&o.report, "report", "", "`FILE` that gets one JSON line per input, and per message of a mailbox")
	fs.BoolVarP(&o.quiet, "quiet", "q", false, "say nothing but errors")
	fs.BoolVarP(&o.verbose, "verbose", "v", false, "also say what was skipped, and sum up")
	values(c, "rules", "whatwg", "rfc3986", "rfc2396", "draft-02", "draft-00e")
	values(c, "http-base", "rfc9110", "rfc2616")
	values(c, "mime-base", "rfc2396", "rfc2557", "rfc2110")
	values(c, "type", input.Names()...)
	values(c, "mbox", "rd", "o", "cl", "cl2")
	fs.Var(&o.policy.Trust, "trust-base", "whose word counts for the base of a message: all, headers (no BASE in it) or none")
	values(c, "trust-base", "all", "headers", "none")
	values(c, "progress", "auto", "always", "never")
	o.trees.register(c)
	o.retrieval.register(c)
	o.given = fs.Changed
}

// values completes the values of a flag in shells.
func values(c *cobra.Command, flag string, list ...string) {
	c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
}

// check finds what cannot be carried out before anything is read.
func (o *options) check() error {
	if err := o.leeway.check(o.policy.Rules.Rules, o.gave); err != nil {
		return err
	}
	o.leeway.set(&o.policy.Rules)
	for _, f := range []struct{ name, uri string }{{"--base", o.base}, {"--default-base", o.defaultBase}, {"--force-base", o.policy.Force}} {
		if err := checkBase(f.name, f.uri, o.policy.Rules); err != nil {
			return err
		}
	}
	for _, r := range o.roots {
		if err := o.addRoot(r); err != nil {
			return err
		}
	}
	switch {
	case o.jobs < 1:
		return usagef("--jobs %d: at least 1 is needed", o.jobs)
	case o.maxDepth < 1:
		return usagef("--max-depth %d: at least 1 is needed", o.maxDepth)
	case o.gave("timeout") && o.fetch.Timeout <= 0:
		return usagef("--timeout %v: more is needed, such as 30s", o.fetch.Timeout)
	case o.quiet && o.verbose:
		return usagef("-q and -v exclude each other")
	}
	if err := o.trees.check(); err != nil {
		return err
	}
	if err := o.retrieval.check(); err != nil {
		return err
	}
	return checkCharset(o.charset)
}

// checkBase refuses a base that relative references could not be resolved against.
func checkBase(flag, uri string, o resolve.Options) error {
	if uri == "" {
		return nil
	}
	b, err := resolve.NewBase(uri, o)
	if err == nil {
		_, err = b.Resolve("x")
	}
	if l := (base.Layer{Source: base.Option, Value: uri}); err == nil {
		if usable, _ := l.Base(&base.Policy{Rules: o}); usable == "" {
			err = resolve.ErrNoBase // as http:x under the RFCs' rules
		}
	}
	if err != nil {
		return usagef("%s %q: not an absolute, hierarchical URI such as http://example.com/dir/page.html (%v)", flag, uri, err)
	}
	return nil
}

// checkCharset refuses a name that the Encoding Standard does not have.
func checkCharset(name string) error {
	if name == "" {
		return nil
	}
	d := extract.Doc{Format: extract.HTML, Charset: name}
	for _, p := range d.Problems() {
		return usagef("--charset %q: %s: a name of the Encoding Standard is needed, such as utf-8 or windows-1252", name, p.Text)
	}
	return nil
}

func (o *options) addRoot(arg string) error {
	dir, uri, ok := site.Pair(arg)
	if !ok {
		return usagef("--root %q: DIR=URI is needed, such as --root mirror=http://example.com/", arg)
	}
	if err := checkBase("--root", uri, o.policy.Rules); err != nil {
		return err
	}
	if err := o.mapped.Add(dir, uri); err != nil {
		return usagef("--root %q: %v", arg, err)
	}
	return nil
}

// workers returns how many inputs are worked on at once.
func (o *options) workers() int {
	if o.urls != "" && !o.gave("jobs") {
		return max(o.jobs, atOnce)
	}
	return o.jobs
}

// gave reports whether a flag stands on the command line.
func (o *options) gave(flag string) bool { return o.given != nil && o.given(flag) }

// outer returns the layers around f that the operator gives.
func (o *options) outer(f input.File) *base.Layer {
	var l *base.Layer
	if o.defaultBase != "" {
		l = &base.Layer{Source: base.DefaultBase, Value: o.defaultBase}
	}
	if f.URL != "" {
		l = &base.Layer{Source: base.URL, Value: f.URL, Outer: l}
	}
	if o.base != "" {
		l = &base.Layer{Source: base.Option, Value: o.base, Outer: l}
	}
	if uri := o.mapped.URI(f.Path); uri != "" {
		l = &base.Layer{Source: base.Root, Value: uri, Outer: l}
	}
	return l
}

// size is a number of bytes. It is a pflag.Value.
type size int64

var _ pflag.Value = (*size)(nil)

// String gives the number as Set takes it.
func (s *size) String() string {
	for i, unit := range []string{"G", "M", "K"} {
		if n := size(1) << (30 - 10*i); *s >= n && *s%n == 0 {
			return strconv.FormatInt(int64(*s/n), 10) + unit
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Type names the value for the help text.
func (s *size) Type() string { return "N" }

// Set takes a number of bytes, or of KiB, MiB or GiB with K, M or G behind it.
func (s *size) Set(v string) error {
	digits := strings.TrimRight(v, "KMG")
	shift := map[string]int{"": 0, "K": 10, "M": 20, "G": 30}
	by, ok := shift[v[len(digits):]]
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n < 1 || n > 1<<40>>by {
		return fmt.Errorf("%q is no size such as 1000, 512K, 64M or 1G", v)
	}
	*s = size(n << by)
	return nil
}

// repeated is a flag that may be given several times. pflag's own is made by a writer
// of CSV for each flag, which takes time before anything is read.
type repeated []string

var _ pflag.Value = (*repeated)(nil)

// String gives the values, separated by blanks.
func (r *repeated) String() string { return strings.Join(*r, " ") }

// Type names the value for the help text.
func (r *repeated) Type() string { return "LIST" }

// Set adds a value.
func (r *repeated) Set(v string) error {
	*r = append(*r, v)
	return nil
}
