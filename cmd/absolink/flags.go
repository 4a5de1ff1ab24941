package main

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/reference"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
	"absolink/cmd/absolink/internal/unit"
	"absolink/extract"
	"absolink/mime/mbox"
)

// options are the flags that extract, rewrite and base have in common.
type options struct {
	run     run.Options
	links   links.Options
	leeway  reference.Leeway
	headers flag.List              // --header
	given   func(flag string) bool // whether it stands on the command line; nil = none does
}

// register adds the flags to fs.
func (o *options) register(c *cobra.Command) {
	fs := c.Flags()
	fs.SortFlags = false
	fs.Var((*flag.Text)(&o.links.Base), "base", "Base: `URI` that the one input was retrieved from (5.1.3); for directories see --root")
	fs.Var((*flag.List)(&o.links.Roots), "root", "Base: files below DIR were retrieved from URI and their relative path: `DIR=URI` (repeatable)")
	fs.Var((*flag.Text)(&o.links.DefaultBase), "default-base", "Base: `URI` that is the base where nothing else gives one (5.1.4)")
	fs.Var((*flag.Text)(&o.links.Policy.Force), "force-base", "Base: `URI` that is the base, whatever the document says")
	flag.Enum(c, &o.links.Policy.Rules.Rules, "rules", "Base: resolve references by rule set `R`: whatwg, rfc3986, rfc2396, draft-02 or draft-00e", reference.AllRules()...)
	o.leeway.Register(c)
	flag.Enum(c, &o.links.Policy.MIME, "mime-base", "Mail: RFC `M` by which header fields of a message give a base: rfc2396, rfc2557 or rfc2110", base.MIMERFC2396, base.MIMERFC2557, base.MIMERFC2110)
	flag.Enum(c, &o.run.HTTPBase, "http-base", "Base: RFC `H` by which header fields of a response give a base: rfc9110 (none does) or rfc2616", run.RFC9110, run.RFC2616)
	fs.BoolVar(&o.links.Policy.NoInheritAcrossMessages, "no-inherit-across-messages", false, "Mail: a message inside a message takes no base from around it")
	fs.BoolVar(&o.links.Policy.FileBase, "file-base", false, "Base: use a file: base that a document gives")
	flag.Enum(c, &o.run.Kind, "type", "Inputs: kind `T` of the inputs: "+strings.Join(input.Names(), ", ")+" (default: by content, then name)", input.Kinds...)
	fs.Lookup("type").DefValue = "" // the usage text shows no default then
	flag.Enum(c, &o.run.Mbox, "mbox", "Mail: form `F` of mbox files: rd, o, cl or cl2", mbox.RD, mbox.O, mbox.CL, mbox.CL2)
	fs.Var((*flag.Text)(&o.links.Charset), "charset", "Inputs: read documents in the charset `NAME` (default: as they say)")
	fs.IntVarP(&o.run.Jobs, "jobs", "j", runtime.GOMAXPROCS(0), "Processes: work on `N` inputs, messages or records at once; the output does not depend on it")
	fs.Lookup("jobs").DefValue = "all cores"
	o.run.MaxSize = 64 << 20
	fs.Var(&o.run.MaxSize, "max-size", "Inputs: largest document that is read, in bytes or with K, M or G; larger ones are named and left alone")
	fs.IntVar(&o.links.Limits.Depth, "max-depth", 100, "Inputs: enter at most `N` parts inside each other")
	flag.Enum(c, &o.run.Progress, "progress", "Output: show a progress bar on standard error, `WHEN`: auto (on a terminal), always or never", console.Auto, console.Always, console.Never)
	fs.Var((*flag.Text)(&o.run.Report), "report", "Output: write one JSON line to `FILE` for each input, message of a mailbox and record of a web archive")
	fs.BoolVarP(&o.run.Quiet, "quiet", "q", false, "Output: print errors only")
	fs.BoolVarP(&o.run.Verbose, "verbose", "v", false, "Output: also name what was skipped, and sum up")
	flag.Enum(c, &o.links.Policy.Trust, "trust-base", "Mail: use the base that the sender gives, `W`: all, headers (no BASE in the body) or none", base.TrustAll, base.TrustHeaders, base.TrustNone)
	fs.Var(&o.run.Inputs.Include, "include", "Inputs: read only files of directories that match `GLOB`: *.html at any depth, /news/** from the top (repeatable)")
	fs.Var(&o.run.Inputs.Exclude, "exclude", "Inputs: leave out files of directories that match `GLOB`, and all below (repeatable)")
	fs.BoolVar(&o.run.Inputs.Follow, "follow", false, "Inputs: follow symbolic links from a directory to files outside of it; not with --in-place")
	fs.Var((*flag.Text)(&o.run.Inputs.URLs), "urls", "Retrieval: read also the URLs in `FILE`, one a line; - is standard input")
	fs.Var((*flag.Text)(&o.run.Inputs.FilesFrom), "files-from", "Inputs: read also the inputs in `FILE`, one a line, or with a NUL after each; - is standard input")
	o.registerRetrieval(c)
	o.given = fs.Changed
	o.run.OutHint = "--follow takes it"
}

// check finds what cannot be carried out before anything is read.
func (o *options) check(args []string) error {
	rules := &o.links.Policy.Rules
	if err := o.leeway.Check(rules.Rules, o.gave); err != nil {
		return err
	}
	o.leeway.Set(rules)
	o.run.Scripts = o.links.Read.Scripts
	o.links.Limits.Leaf, o.links.Envelopes = int64(o.run.MaxSize), o.run.Report != ""
	switch {
	case o.run.Jobs < 1:
		return usagef("--jobs %d: at least 1 is needed", o.run.Jobs)
	case o.links.Limits.Depth < 1:
		return usagef("--max-depth %d: at least 1 is needed", o.links.Limits.Depth)
	case o.gave("timeout") && o.run.Fetch.Timeout <= 0:
		return usagef("--timeout %v: more is needed, such as 30 (seconds) or 2m", o.run.Fetch.Timeout)
	case o.run.Kind == input.Kind(extract.Script) && !o.run.Scripts:
		return usagef("--type script: string literals are read with --scripts only; add it")
	case o.run.Quiet && o.run.Verbose:
		return usagef("-q and -v exclude each other: give one of them")
	}
	if err := o.run.Fetch.Check(o.headers); err != nil {
		return err
	}
	if !o.gave("jobs") {
		o.run.Jobs = 0
	}
	if err := o.run.Inputs.Take(args); err != nil {
		return err
	}
	return o.links.Check(&o.run.Inputs)
}

// listed returns what runs a command with its arguments and those of --files-from.
func (p *program) listed(o *options, run func(c *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		args, err := o.run.Inputs.Join(args, input.Interruptible(c.Context(), p.in))
		if in := &o.run.Inputs; err == nil && len(args) == 0 && in.URLs == "" && in.Units == "" && in.FilesFrom == "" && !c.Flags().Changed("undo") {
			if err := p.noTerminal(c); err != nil {
				return err
			}
		}
		if errors.Is(err, source.ErrNone) {
			if !o.run.Quiet {
				p.say("--files-from %s %v", o.run.Inputs.FilesFrom, err)
			}
			return nil
		}
		if err != nil {
			return err
		}
		return run(c, args)
	}
}

// newRun checks the flags and makes the run.
func (p *program) newRun(o *options, args []string) (*run.Run, error) {
	if err := o.check(args); err != nil {
		return nil, err
	}
	r, err := run.New(run.Streams{In: p.in, Out: p.out, Err: p.err}, &o.run)
	if err != nil {
		return nil, err
	}
	r.Doubt("--root", o.links.Doubts())
	return r, nil
}

// do has c take all inputs, and sets the exit code by what became of them.
func (p *program) do(ctx context.Context, o *options, r *run.Run, out io.Writer, c run.Command) error {
	if err := r.Do(ctx, out, c); err != nil {
		return err
	}
	switch {
	case r.Totals.Usage:
		p.code = exitUsage
	case o.run.Inputs.Units != "" && r.Totals.Unavailable:
		p.code = exitUnread
	case r.Totals.Faults, r.Totals.Defects && o.run.Inputs.Units == "":
		p.code = exitDefects
	}
	return nil
}

// gave reports whether a flag stands on the command line.
func (o *options) gave(flag string) bool { return o.given != nil && o.given(flag) }

// registerFiles adds the flags to c that ask which files links lead to.
func (o *options) registerFiles(c *cobra.Command) {
	fs := c.Flags()
	fs.BoolVar(&o.links.CheckFiles, "check-files", false, "Moving: name links to files below a --root that are missing, or there under another name only")
	fs.Var((*flag.Names)(&o.links.Index), "index", "Moving: `NAMES` of the files that stand for their directory; the first that is there counts (default: "+strings.Join(site.Indexes, ", ")+")")
}

// registerReading adds the flags to c that say what is read of documents, and which
// references are chosen.
func (o *options) registerReading(c *cobra.Command) {
	fs, l := c.Flags(), &o.links
	fs.BoolVar(&l.Read.Lazy, "lazy", false, "Which: read also data-*, hx-* and up-* attributes, param names and animate values; rewrite Open Graph metas too")
	fs.BoolVar(&l.Read.Scripts, "scripts", false, "Which: read also string literals that look like URLs, in scripts (also .js files), on* attributes and javascript:")
	fs.BoolVar(&l.Read.Comments, "comments", false, "Which: read also markup in comments")
	fs.BoolVar(&l.Read.BareHosts, "bare-hosts", false, "Which: read www.example.org in text as http://www.example.org (RFC 2396 Appendix F)")
	fs.BoolVar(&l.Read.HTML5Objects, "html5-objects", false, "Base: ignore the codebase of objects and applets, as browsers do")
	l.Choice.Lists(func(name, help string, v *links.Values) {
		fs.Var(v, name, help)
		if known := v.Known(); known != nil {
			flag.Complete(c, name, known...)
		}
	})
	fs.Func("match", "Which: only references whose absolute URI matches the regular expression `RE` (RE2; repeatable: one of them matches)", l.Choice.Match)
	fs.Func("no-match", "Which: only references whose absolute URI does not match the regular expression `RE` (repeatable: none of them matches)", l.Choice.NoMatch)
	fs.BoolVar(&l.Choice.SameHost, "same-host", false, "Which: only references to the host that the document was retrieved from, else to the host of its base")
	fs.Func("select", "Which: only references in elements of HTML that match the selector `CSS`, or below them", l.Choice.Select)
}

// registerSharing adds the flags to c by which an engine spreads a run over processes.
func (o *options) registerSharing(c *cobra.Command) {
	fs := c.Flags()
	fs.Var((*flag.Text)(&o.run.Inputs.Units), "units", "Processes: the inputs are the units in `FILE`, one a line, as \"absolink units\" prints them; - is standard input")
	flag.Enum(c, &o.run.Inputs.UnitsFormat, "units-format", "Processes: form `F` of the lines of --units: lines, or those of an index of web archives, cdxj or csv", unit.Formats...)
	fs.Var((*flag.Text)(&o.run.Inputs.Prefix), "prefix", "Processes: the files of an index are below `URL`, or a directory")
	fs.Func("shard", "Processes: read every Nth input or unit from the Ith on: `I/N`, I from 1 to N", func(v string) (err error) {
		o.run.Inputs.Shard, err = unit.ParseShard(v)
		return err
	})
	fs.Var((*flag.Text)(&o.run.DeadLetter), "dead-letter", "Processes: append what is damaged, unreadable or refused to `FILE`, as units; - with --stream")
}

// checkFormat makes the output JSON lines where the inputs are units and no other format is
// asked for: those of many processes can be joined then.
func (o *options) checkFormat(f *record.Format) {
	if o.run.Inputs.Units != "" && !o.gave("format") {
		*f = record.JSONL
	}
}

// registerRetrieval adds the flags to c that say how URLs are retrieved.
func (o *options) registerRetrieval(c *cobra.Command) {
	fs, f := c.Flags(), &o.run.Fetch
	fs.Var((*flag.Text)(&f.UserAgent), "user-agent", "Retrieval: send `NAME` as User-Agent (default: absolink)")
	fs.VarP(&o.headers, "header", "H", "Retrieval: send `'NAME: VALUE'` to the origin (scheme, host, port) of the URL, never to one that it redirects to (repeatable)")
	fs.IntVar(&f.MaxRedirects, "max-redirects", 10, "Retrieval: follow at most `N` redirects")
	f.Timeout = time.Minute
	fs.Var((*flag.Seconds)(&f.Timeout), "timeout", "Retrieval: time for one URL with its redirects and its body, without waiting for other URLs of its host")
	fs.BoolVar(&f.AllowPrivate, "allow-private", false, "Retrieval: also connect to private, loopback and link-local addresses")
	fs.BoolVar(&f.Proxy, "proxy", false, "Retrieval: use the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; the proxy has to refuse private addresses then")
	fs.BoolVar(&o.run.IgnoreRobots, "ignore-robots", false, "Retrieval: retrieve without asking robots.txt for the URLs of --urls and --units")
}
