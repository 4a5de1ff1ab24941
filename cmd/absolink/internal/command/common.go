// Package command has the flags of the commands that read documents. Each command is a struct:
// Register adds its flags, Prepare and Check refuse invalid flags, Start begins the run. The
// command line and the service read flags through the same structs.
//
// Files, in reading order: common, extract, base, rewrite, call, pages.
package command

import (
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/container"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/kinds"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/reference"
	"absolink/cmd/absolink/internal/run"
	"absolink/cmd/absolink/internal/unit"
	"absolink/extract"
	"absolink/mime/mbox"
)

// Common has the flags that all commands which read documents share. The zero value is ready for
// Register.
type Common struct {
	Run     run.Options
	Links   links.Options
	Pipe    bool // --pipe
	leeway  reference.Leeway
	headers flag.List              // --header
	given   func(flag string) bool // reports whether the command line has a flag; may be nil
}

// Register adds the flags to c.
func (o *Common) Register(c *cobra.Command) {
	fs := c.Flags()
	fs.SortFlags = false
	fs.Var(flag.URI{Text: (*flag.Text)(&o.Links.Bases.Retrieval)}, "base",
		"Base: address of the page, such as https://example.org/a.html (one input; directories: --root)")
	fs.Var((*flag.List)(&o.Links.Bases.Roots), "root",
		"Base: `DIR=URI`: the files below DIR are the pages of a site at URI (repeatable)")
	fs.Var((*flag.Text)(&o.Links.Bases.Default), "default-base",
		"Base: base `URI` for documents and messages that have none")
	fs.Var((*flag.Text)(&o.Links.Bases.Policy.Force), "force-base",
		"Base: base `URI`, whatever the document says")
	flag.Enum(c, &o.Links.Bases.Policy.Rules.Rules, "rules",
		"Base: resolve links by rule set `R`: whatwg, rfc3986, rfc2396, draft-02 or draft-00e",
		reference.AllRules()...)
	o.leeway.Register(c)
	flag.Enum(c, &o.Links.Bases.Policy.MIME, "mime-base",
		"Mail: RFC `M` by which header fields of a message give a base: rfc2396, rfc2557 or rfc2110",
		base.MIMERFC2396, base.MIMERFC2557, base.MIMERFC2110)
	flag.Enum(c, &o.Run.Reading.HTTPBase, "http-base",
		"Base: RFC `H` by which header fields of a response give a base: rfc9110 (no field does) or rfc2616",
		container.RFC9110, container.RFC2616)
	fs.BoolVar(&o.Links.Bases.Policy.NoInheritAcrossMessages, "no-inherit-across-messages",
		false, "Mail: a message inside a message takes no base from around it")
	fs.BoolVar(&o.Links.Bases.Policy.FileBase, "file-base", false, "Base: accept file: bases that documents give")
	flag.Enum(c, &o.Run.Reading.Kind, "type",
		"Inputs: kind `T` of the inputs: "+strings.Join(kinds.Names(), ", ")+
			"; eml is message, md is markdown (default: by the name, unless the beginning rules it out)",
		kinds.All...)
	fs.Lookup("type").DefValue = "" // hides the default in the usage text
	flag.Alias(c, "type", "eml", input.Message)
	flag.Alias(c, "type", "md", input.Kind(extract.Markdown))
	flag.Enum(c, &o.Links.Reading.Flavor, "flavor",
		"Inputs: read Markdown as `F`: gfm (GitHub's, with tables, footnotes and URLs in text) or commonmark",
		links.GFM, links.CommonMark)
	flag.Enum(c, &o.Run.Mail.Mbox, "mbox", "Mail: form `F` of mbox files: rd, o, cl or cl2",
		mbox.RD, mbox.O, mbox.CL, mbox.CL2)
	fs.Var((*flag.Text)(&o.Links.Reading.Charset), "charset",
		"Inputs: read documents in the charset `NAME` (default: as they say)")
	fs.BoolVar(&o.Pipe, "pipe", false,
		"Processes: read documents from standard input, each in a frame, and answer one after the other; see "+
			"\"absolink help pipe\"")
	fs.IntVarP(&o.Run.Jobs, "jobs", "j", runtime.GOMAXPROCS(0),
		"Processes: work on `N` inputs, messages or records at once, at most 1,024; the output does not depend on it")
	fs.Lookup("jobs").DefValue = "all cores"
	o.Run.Reading.MaxSize = 64 << 20
	fs.Var(&o.Run.Reading.MaxSize, "max-size",
		"Inputs: largest document that is read, in bytes or with K, M or G; larger documents are named and left alone")
	fs.IntVar(&o.Links.Reading.Limits.Depth, "max-depth", 100, "Inputs: enter at most `N` nested parts")
	flag.Enum(c, &o.Run.Account.Progress, "progress",
		"Output: show a progress bar on standard error, `WHEN`: auto (on a terminal), always or never",
		console.Auto, console.Always, console.Never)
	fs.Var((*flag.Text)(&o.Run.Account.Report), "report",
		"Output: write one JSON line to `FILE` for each input, message of a mailbox and record of a web archive")
	fs.BoolVarP(&o.Run.Account.Quiet, "quiet", "q", false, "Output: print errors only")
	fs.BoolVarP(&o.Run.Account.Verbose, "verbose", "v", false, "Output: also name skipped inputs, and print a summary")
	flag.Enum(c, &o.Links.Bases.Policy.Trust, "trust-base",
		"Mail: accept bases of the sender, `W`: all, headers (no BASE in the body) or none",
		base.TrustAll, base.TrustHeaders, base.TrustNone)
	fs.Var(&o.Run.Inputs.Include, "include",
		"Inputs: read only files of directories that match `GLOB`: *.{html,htm} at any depth, /news/** from "+
			"the top (repeatable)")
	fs.Var(&o.Run.Inputs.Exclude, "exclude",
		"Inputs: leave out files of directories that match `GLOB`, and all below (repeatable)")
	fs.BoolVar(&o.Run.Inputs.Follow, "follow", false,
		"Inputs: follow symbolic links from a directory to files outside of it; not with --in-place")
	fs.Var((*flag.Text)(&o.Run.Inputs.URLs), "urls",
		"Retrieval: also read the URLs in `FILE`, one a line; - is standard input")
	fs.Var((*flag.Text)(&o.Run.Inputs.FilesFrom), "files-from",
		"Inputs: also read the inputs in `FILE`, one a line, or with a NUL after each; - is standard input")
	o.registerRetrieval(c)
	o.given = fs.Changed
	o.Run.Account.OutsideHint = "--follow takes it"
}

// Check refuses flags that cannot be carried out, before anything is read, and derives options from
// combinations of flags. The error is a *flag.Error.
func (o *Common) Check(args []string) error {
	rules := &o.Links.Bases.Policy.Rules
	if err := o.leeway.Check(rules.Rules, o.gave); err != nil {
		return err
	}
	o.leeway.Set(rules)
	o.Run.Reading.Scripts = o.Links.Reading.Options.Scripts
	o.Links.Reading.Limits.Leaf = int64(o.Run.Reading.MaxSize)
	o.Links.Envelopes = o.Run.Account.Report != ""
	switch {
	case o.Run.Jobs < 1:
		return flag.Errorf("--jobs %d: at least 1 is needed", o.Run.Jobs)
	case o.Links.Reading.Limits.Depth < 1:
		return flag.Errorf("--max-depth %d: at least 1 is needed", o.Links.Reading.Limits.Depth)
	case o.gave("timeout") && o.Run.Retrieval.Options.Timeout <= 0:
		return flag.Errorf("--timeout %v: more is needed, such as 30 (seconds) or 2m", o.Run.Retrieval.Options.Timeout)
	case o.Run.Reading.Kind == input.Kind(extract.Script) && !o.Run.Reading.Scripts:
		return flag.Errorf("--type script: string literals are read with --scripts only; add it")
	case o.gave("check-fragments") && !o.Links.Targets.Check:
		return flag.Errorf("--check-fragments needs --check-files: add it")
	case o.Run.Account.Quiet && o.Run.Account.Verbose:
		return flag.Errorf("-q and -v exclude each other: give one of them")
	}
	if err := o.Run.Retrieval.Options.Check(o.headers); err != nil {
		return err
	}
	if !o.gave("jobs") {
		o.Run.Jobs = 0
	}
	o.Links.Targets.AllFragments = o.Run.Account.Verbose
	if err := o.Run.Inputs.SetArgs(args); err != nil {
		return err
	}
	o.Run.Reading.Manifest = o.Links.Manifests.Has
	return o.Links.Prepare(&o.Run.Inputs)
}

// Start checks the flags and begins a run over the inputs args. It returns the errors of
// [Common.Check] and [run.New].
func (o *Common) Start(s run.Streams, args []string) (*run.Run, error) {
	if err := o.Check(args); err != nil {
		return nil, err
	}
	r, err := run.New(s, &o.Run)
	if err != nil {
		return nil, err
	}
	r.Account.Doubt("--root", o.Links.Bases.Doubts())
	return r, nil
}

// gave reports whether a flag was given.
func (o *Common) gave(flag string) bool { return o.given != nil && o.given(flag) }

// registerSharing adds the flags to c that spread a run over processes.
func (o *Common) registerSharing(c *cobra.Command) {
	fs := c.Flags()
	fs.Var((*flag.Text)(&o.Run.Inputs.Units), "units",
		"Processes: the inputs are the units in `FILE`, one a line, as \"absolink units\" prints them; - is standard "+
			"input")
	flag.Enum(c, &o.Run.Inputs.UnitsFormat, "units-format",
		"Processes: form `F` of --units: lines, or the lines of an index of web archives, cdx, cdxj, csv or json",
		unit.Formats...)
	fs.Var((*flag.Text)(&o.Run.Inputs.Prefix), "prefix",
		"Processes: `URL` or directory of the files of an index")
	fs.Func("shard", "Processes: read every Nth input or unit from the Ith on: `I/N`, I from 1 to N",
		func(v string) (err error) {
			o.Run.Inputs.Shard, err = unit.ParseShard(v)
			return err
		})
	fs.Var((*flag.Text)(&o.Run.Account.DeadLetter), "dead-letter",
		"Processes: append everything that is damaged, unreadable or refused to `FILE`, as units; - with --stream")
}

// checkFormat sets the format to JSON lines if the inputs are units and no other format is given,
// since the outputs of many processes can then be joined.
func (o *Common) checkFormat(f *record.Format) {
	if o.Run.Inputs.Units != "" && !o.gave("format") {
		*f = record.JSONL
	}
}

// registerRetrieval adds the flags to c for retrieving URLs.
func (o *Common) registerRetrieval(c *cobra.Command) {
	fs, f := c.Flags(), &o.Run.Retrieval.Options
	fs.Var((*flag.Text)(&f.UserAgent), "user-agent", "Retrieval: send `NAME` as User-Agent (default: absolink)")
	fs.VarP(&o.headers, "header", "H",
		"Retrieval: send `'NAME: VALUE'` to the origin (scheme, host, port) of the URL, never to another after a "+
			"redirect (repeatable)")
	fs.IntVar(&f.MaxRedirects, "max-redirects", 10, "Retrieval: follow at most `N` redirects")
	f.Timeout = time.Minute
	fs.Var((*flag.Seconds)(&f.Timeout), "timeout",
		"Retrieval: time for one URL with its redirects and its body, without waiting for other URLs of its host")
	fs.BoolVar(&f.AllowPrivate, "allow-private", false,
		"Retrieval: also connect to private, loopback and link-local addresses")
	fs.BoolVar(&f.Proxy, "proxy", false,
		"Retrieval: use the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; the proxy must then refuse private "+
			"addresses")
	fs.BoolVar(&o.Run.Retrieval.IgnoreRobots, "ignore-robots", false,
		"Retrieval: ignore robots.txt for the URLs of --urls and --units")
}
