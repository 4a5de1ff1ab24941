package main

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
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
	roots             flag.List
	policy            base.Policy
	leeway            leeway
	kind              input.Kind
	mbox              mbox.Variant
	httpBase          httpmsg.Base
	charset           string
	jobs              int
	maxSize           flag.Size
	maxDepth          int
	progress          console.Mode
	report            string
	quiet, verbose    bool

	reading
	context bool // the text of links is asked for
	listing bool // references are listed, not edited
	single  bool // a file that several arguments lead to is one input

	trees
	sharing
	retrieval
	tally []atomic.Int64         // how many inputs each argument gave
	given func(flag string) bool // whether it stands on the command line; nil = none does
}

// register adds the flags to fs.
func (o *options) register(c *cobra.Command) {
	fs := c.Flags()
	fs.SortFlags = false
	fs.Var((*flag.Text)(&o.base), "base", "`URI` that the one input was retrieved from (5.1.3): a document, message, mailbox, Maildir or archive")
	fs.Var(&o.roots, "root", "files below DIR were retrieved from URI and their path: `DIR=URI` (repeatable)")
	fs.Var((*flag.Text)(&o.defaultBase), "default-base", "`URI` of the base where nothing else gives one (5.1.4)")
	fs.Var((*flag.Text)(&o.policy.Force), "force-base", "`URI` of the base whatever the document says")
	flag.Enum(c, &o.policy.Rules.Rules, "rules", "rule set `R`: whatwg, rfc3986, rfc2396, draft-02 or draft-00e", allRules...)
	o.leeway.register(c)
	flag.Enum(c, &o.policy.MIME, "mime-base", "text `M` by which headings give a base: rfc2396, rfc2557 or rfc2110", base.MIMERFC2396, base.MIMERFC2557, base.MIMERFC2110)
	flag.Enum(c, &o.httpBase, "http-base", "text `H` by which headings of responses give a base: rfc9110 (none does) or rfc2616", httpmsg.RFC9110, httpmsg.RFC2616)
	fs.BoolVar(&o.policy.NoInheritAcrossMessages, "no-inherit-across-messages", false, "a message inside a message takes no base from around it")
	fs.BoolVar(&o.policy.FileBase, "file-base", false, "let documents give file: bases")
	flag.Enum(c, &o.kind, "type", "kind `T` of the inputs: "+strings.Join(input.Names(), ", ")+" (default: by content, then name)", input.Kinds...)
	fs.Lookup("type").DefValue = "" // the usage text shows no default then
	flag.Enum(c, &o.mbox, "mbox", "form `F` of mbox files: rd, o, cl or cl2", mbox.RD, mbox.O, mbox.CL, mbox.CL2)
	fs.Var((*flag.Text)(&o.charset), "charset", "`NAME` of the charset of the documents (default: as they say)")
	fs.IntVarP(&o.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "`N` inputs, messages or records at once; the output does not depend on it")
	o.maxSize = 64 << 20
	fs.Var(&o.maxSize, "max-size", "largest document that is read, in bytes or with K, M, G")
	fs.IntVar(&o.maxDepth, "max-depth", 100, "`N` parts inside each other that are entered")
	flag.Enum(c, &o.progress, "progress", "bar on standard error, `WHEN`: auto, always or never", console.Auto, console.Always, console.Never)
	fs.Var((*flag.Text)(&o.report), "report", "`FILE` that gets one JSON line per input, and per message of a mailbox")
	fs.BoolVarP(&o.quiet, "quiet", "q", false, "say nothing but errors")
	fs.BoolVarP(&o.verbose, "verbose", "v", false, "also say what was skipped, and sum up")
	flag.Enum(c, &o.policy.Trust, "trust-base", "whose word `W` counts for the base of a message: all, headers (no BASE in it) or none", base.TrustAll, base.TrustHeaders, base.TrustNone)
	o.trees.register(c)
	o.retrieval.register(c)
	o.given = fs.Changed
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
		return usagef("--timeout %v: more is needed, such as 30 (seconds) or 2m", o.fetch.Timeout)
	case o.quiet && o.verbose:
		return usagef("-q and -v exclude each other")
	}
	o.reading.choose()
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
		if step := l.Explain(&base.Policy{Rules: o})[0]; !step.Used {
			err = errors.New(step.Reason) // as for http:x under the RFCs' rules
		}
	}
	if err != nil {
		return usagef("%s %.200q: not an absolute, hierarchical URI such as http://example.com/dir/page.html (%v)", flag, uri, err)
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
