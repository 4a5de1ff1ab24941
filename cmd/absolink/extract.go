package main

import (
	"context"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/run"
	"absolink/extract"
)

// extraction is the command extract.
type extraction struct {
	options
	list.Links
	strict bool
}

func (p *program) extractCommand() *cobra.Command {
	x := &extraction{}
	c := &cobra.Command{
		Use:         "extract [INPUT...]",
		Short:       "List the references of documents, absolute",
		Annotations: help.Needed("base root default-base kind match select format fields urls jobs"),
		Long:        extractHelp,
		Example:     "  absolink extract page.html\n  absolink extract --format jsonl --root mirror=http://example.com/ mirror\n  absolink extract < message.eml",
		RunE: p.listed(&x.options, func(c *cobra.Command, args []string) error {
			return p.extract(c.Context(), x, args)
		}),
	}
	x.register(c)
	return c
}

// register adds the flags to c.
func (x *extraction) register(c *cobra.Command) {
	x.Find, x.links.Listing = &x.links, true
	x.options.register(c)
	x.registerFiles(c)
	x.registerReading(c)
	flag.Ignore(c, new(rewriting).registerShared)
	x.registerSharing(c)
	flag.Enum(c, &x.Format, "format", "Output: print `F`: text (absolute URIs alone), jsonl, csv or tsv (whole records), or arrow (columns, an Arrow IPC stream)", append(record.Formats, record.Arrow)...)
	c.Flags().Var((*flag.Names)(&x.Fields), "fields", "Output: print these keys only, in this order: `KEY,...`, such as page,uri,kind; \"absolink help records\" has all")
	flag.Complete(c, "fields", record.Names()...)
	c.Flags().BoolVar(&x.Unique, "unique", false, "Output: print each URI once")
	c.Flags().BoolVar(&x.Pages, "pages", false, "Output: print also a record for each document, with numbers of its links, before theirs; \"record\" is page or link then")
	c.Flags().BoolVar(&x.Stream, "stream", false, "Processes: with --units, print after the records of a unit what failed in it, and that it is done; \"record\" is the first key of all")
	registerStrict(c, &x.strict)
	c.Flags().BoolVar(&x.links.Context, "context", false, "Output: records also have the text of the link, its alt or title (HTML only), and subject and sender of messages")
}

const inputHelp = `
An INPUT is a file, a directory (with all below it), an http or https URL, or - for standard input,
which is also read if there is none. Documents, messages, mailboxes (mbox), web archives (WARC,
WACZ) and HTTP responses with their header fields are recognised by content, then by name, also
if they are compressed with gzip, zstd or brotli (.br). Where neither tells, it is HTML if a tag
stands in its first 1,024 bytes. Other files of a directory are left out; -v names them. A
directory with cur/ and new/ is a Maildir, of which nothing else is read. A symbolic link in a
directory is not followed, unless --follow is given and it leads to a file outside of the
directory. An INPUT that is a link is followed.
`

const exitHelp = `
Exit status: 0 done; 1 something was damaged, unreadable or refused, all else is done; 2 the command
line cannot be carried out; 130 interrupted. "absolink help exit" says more.`

const extractHelp = `Print one absolute URI per line, in the order of the documents.
` + inputHelp + `
--format jsonl, csv, tsv and arrow print records: the page, where each link stands, as it is written
and decoded, its absolute URI, and the base with the layer that gave it. "absolink help records"
describes all keys, and those of --report; "absolink help constructs" says where references are
found, "absolink help crawls" how to choose among them, "absolink help units" how to spread a run
over many processes. --absolutize-fragments and --maildir-size are taken and change nothing, so
that what is to be rewritten can be listed with the same flags.
` + exitHelp + `
With --strict: 3 a reference is unresolved or invalid, or --check-files misses what it leads to.
With --units: 4 a unit could not be opened, or read as it says.`

func (p *program) extract(ctx context.Context, x *extraction, args []string) error {
	x.checkFormat(&x.Format)
	if err := x.Prepare(&x.run, console.IsTerminal(p.out)); err != nil {
		return err
	}
	r, err := p.newRun(&x.options, args)
	if err != nil {
		return err
	}
	out, end := x.Output(p.out)
	if err := p.do(ctx, &x.options, r, out, &x.Links); err != nil {
		return err
	}
	if err := end(); err != nil {
		return err
	}
	p.judge(x.strict, r)
	return nil
}

// registerStrict adds --strict to c.
func registerStrict(c *cobra.Command, strict *bool) {
	c.Flags().BoolVar(strict, "strict", false, "Output: exit with 3 if a reference is unresolved or invalid, or --check-files or --find-old finds something")
}

// judge sets the exit code of --strict by what a run has found.
func (p *program) judge(strict bool, r *run.Run) {
	t := &r.Totals
	if n := t.Links[extract.Unresolved] + t.Links[extract.Invalid] + t.NoFile + t.Old; strict && n > 0 && p.code == exitDone {
		p.code = exitStrict
	}
}
