package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/columns"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/run"
	"absolink/extract"
)

// extraction is the command extract.
type extraction struct {
	options
	format record.Format
	fields []string
	unique bool
	pages  bool
	stream bool
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
	x.links.Listing = true
	x.options.register(c)
	x.registerReading(c)
	takeIdly(c, new(rewriting).registerShared)
	x.registerSharing(c)
	flag.Enum(c, &x.format, "format", "Output: print `F`: text (absolute URIs alone), jsonl, csv or tsv (whole records), or arrow (columns, an Arrow IPC stream)", append(record.Formats, record.Arrow)...)
	c.Flags().Var((*flag.Names)(&x.fields), "fields", "Output: print these keys only, in this order: `KEY,...`, such as page,uri,kind; \"absolink help records\" has all")
	flag.Complete(c, "fields", record.Names()...)
	c.Flags().BoolVar(&x.unique, "unique", false, "Output: print each URI once")
	c.Flags().BoolVar(&x.pages, "pages", false, "Output: print also a record for each document, with numbers of its links, before theirs; \"record\" is page or link then")
	c.Flags().BoolVar(&x.stream, "stream", false, "Processes: with --units, print after the records of a unit what failed in it, and that it is done; \"record\" is the first key of all")
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
	layout, err := x.layout(console.IsTerminal(p.out))
	if err != nil {
		return err
	}
	r, err := p.newRun(&x.options, args)
	if err != nil {
		return err
	}
	out, end := p.out, func() error { return nil }
	if x.format == record.Arrow {
		w := columns.NewWriter(p.out, layout)
		out, end = w, w.Close
	}
	if err := p.list(ctx, x, layout, r, out); err != nil {
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

// list has r, a run under the options of x, print links to out.
func (p *program) list(ctx context.Context, x *extraction, layout *record.Layout, r *run.Run, out io.Writer) error {
	command := x.lister(layout)
	return p.do(ctx, &x.options, r, command.Output(out), command)
}

// lister returns what prints links by layout.
func (x *extraction) lister(layout *record.Layout) *list.Links {
	return &list.Links{Find: &x.links, Layout: layout, Unique: x.unique, Pages: x.pages}
}

// layout checks the flags that are those of extract alone, sets by them how a run goes, and
// returns how links are printed.
func (x *extraction) layout(terminal bool) (*record.Layout, error) {
	x.checkFormat(&x.format)
	if x.links.Context && x.format == record.Text {
		return nil, usagef("--context needs --format jsonl, csv, tsv or arrow")
	}
	if x.format == record.Text {
		if err := x.links.Choice.CheckStatus("to print: add --format jsonl"); err != nil {
			return nil, err
		}
	}
	layout, err := record.NewLayout(x.format, x.fields, record.With{Context: x.links.Context, Checked: x.links.CheckFiles, Sorts: x.pages || x.stream, Pages: x.pages, Units: x.stream})
	if err != nil {
		return nil, err
	}
	switch {
	case x.stream && x.run.Inputs.Units == "":
		return nil, usagef("--stream answers units: give them with --units FILE")
	case x.stream && x.format != record.JSONL && x.format != record.Arrow:
		return nil, usagef("--stream needs --format jsonl or arrow")
	case x.format == record.Arrow && x.run.Report == input.Stdin:
		return nil, usagef("--report - needs --format jsonl: columns have no place for it")
	case x.format == record.Arrow && terminal:
		return nil, usagef("--format arrow is for programs: send it to a file or a pipe")
	case x.stream && x.unique:
		return nil, usagef("--stream gives each unit its own records, and --unique drops some: leave one of them out")
	case x.pages && x.format == record.Text:
		return nil, usagef("--pages needs --format jsonl, csv, tsv or arrow")
	case x.pages && x.unique:
		return nil, usagef("--pages counts all links of a page, and --unique drops some: leave one of them out")
	}
	x.links.Context = x.links.Context || layout.Has("text")
	x.run.Stream, x.run.Inputs.Lasts = x.stream, x.stream
	if x.format == record.Arrow {
		x.run.Columns = layout
	}
	x.run.Finds, x.run.Prints, x.run.Header = true, true, layout.Header()
	return layout, nil
}

// takeIdly adds flags to c that change nothing there, so that the commands that read
// documents can be called alike.
func takeIdly(c *cobra.Command, register ...func(*cobra.Command)) {
	idle := new(cobra.Command)
	for _, r := range register {
		r(idle)
	}
	idle.Flags().VisitAll(func(f *pflag.Flag) {
		f.Hidden = true
		c.Flags().AddFlag(f)
	})
}
