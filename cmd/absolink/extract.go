package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/columns"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
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
	x := &extraction{options: options{links: links.Options{Listing: true}}}
	c := &cobra.Command{
		Use:     "extract [INPUT...]",
		Short:   "List the references of documents, absolute",
		Long:    extractHelp,
		Example: "  absolink extract page.html\n  absolink extract --format jsonl --root mirror=http://example.com/ mirror\n  absolink extract < message.eml",
		RunE: p.listed(&x.options, func(c *cobra.Command, args []string) error {
			return p.extract(c.Context(), x, args)
		}),
	}
	x.register(c)
	x.registerReading(c)
	takeIdly(c, new(rewriting).registerShared)
	x.registerSharing(c)
	flag.Enum(c, &x.format, "format", "`F` of the answer: text (absolute URIs alone), jsonl, csv or tsv (whole records), or arrow (columns, as an Arrow IPC stream)", append(record.Formats, record.Arrow)...)
	c.Flags().Var((*flag.Names)(&x.fields), "fields", "records have these keys only, in this order: `KEY,...`, such as page,uri,kind; \"absolink help records\" names all")
	flag.Complete(c, "fields", record.Names()...)
	c.Flags().BoolVar(&x.unique, "unique", false, "drop repeats of a URI")
	c.Flags().BoolVar(&x.pages, "pages", false, "also a record for each document, before those of its links, that counts them: \"record\" is page or link then")
	c.Flags().BoolVar(&x.stream, "stream", false, "with --units: behind the records of a unit one of what failed in it, each, and one that says that it is done; \"record\" is the first key of all")
	c.Flags().BoolVar(&x.strict, "strict", false, "exit with 3 if a reference is unresolved or invalid")
	c.Flags().BoolVar(&x.links.Context, "context", false, "records also have the text of the link, its alt or title (HTML only), and subject and sender of messages")
	return c
}

const inputHelp = `
An INPUT is a file, a directory (with all below it), an http or https URL, or -
for standard input, which is also read if there is none. Documents, messages,
mailboxes (mbox), web archives (WARC, WACZ) and HTTP responses with their headings are
told by their content, then by their name, also under gzip, zstd and brotli (.br);
what neither tells is HTML if a tag stands in its first 1,024 bytes;
in a directory other files are left out, and listed with -v. A symbolic link there
is not followed, but with --follow where it leads to a file outside of the
directory; a link that is an INPUT is. A directory with cur/ and new/ is a
Maildir, of which nothing else is read. Of a web archive the response, resource and
conversion records are read, each with its WARC-Target-URI as the URI that it was
retrieved from.`

const reportHelp = `
--report writes one JSON object per input, and one per message of a mailbox and
per record of a web archive that is read: source, item (number of the message or
record), message_id, uri or record_id (of a record), kind (as for --type, or
other), bytes, messages (of a mailbox), records (of a web archive), outcome
(listed, rewritten, unchanged, copied, skipped, refused, failed), reason,
documents, references (by status), edits, signed (parts left untouched), broken
(signed parts edited), dkim (true where edits break a signature over the message),
problems (part, offset, line, column, text), base_hosts, seconds.`

const exitHelp = `
Exit status: 0 done; 1 something was damaged, unreadable or refused, all else is
done; 2 the command line cannot be carried out; `

const extractHelp = `Print one absolute URI per line, in the order of the documents.
` + inputHelp + `

Records of --format jsonl, csv and tsv have keys that "absolink help records" describes
with all that they can hold: source, item (number of the
message in an mbox, of the record in a WARC), part, page (URI that the document was
retrieved from), message_id, date, record_id (WARC-Record-ID), record_offset (where the
record, its gzip member or zstd frame, or the message begins in the file), http_status (of
the archived response), type, offset, end,
line, column, element, attribute, kind, rel, raw, value, uri, status, base, base_layer,
base_source, base_part, error (why it is invalid or unresolved), warnings; with --context
also subject and from of the message, and text; with --check-files also found, the URI of the file that is probably meant.
--fields takes these keys only, in that order, and also host and domain (the registrable
one) of the URI, subject, from and text. With --pages the first key of a record is "record": link,
or page for a document, before those of its links, with links (by status) and kinds. "absolink help constructs" says
where references are found. Cells of csv hold what documents say, as RFC 4180 quotes it:
one may begin with "=", which a spreadsheet takes for a formula. --absolutize-fragments and --maildir-size are taken as
well, so that what is to be rewritten can be listed with the same flags.
` + unitsHelp + `
With --stream each unit is answered when its line comes: by lines of "record" page (with
--pages), link and dead (what has failed: unit, which reads it again, and error), and at
last one of "record" unit, with its line as unit, status (done, or failed with an error),
and how many pages, links and dead there were. A unit without this line is not whole.
` + reportHelp + `
` + exitHelp + `3 --strict found an unresolved
or invalid reference; 130 interrupted.`

func (p *program) extract(ctx context.Context, x *extraction, args []string) error {
	x.checkFormat(&x.format)
	if x.links.Context && x.format == record.Text {
		return usagef("--context goes with --format jsonl, csv, tsv or arrow")
	}
	if x.format == record.Text {
		if err := x.links.Choice.CheckStatus("to print: add --format jsonl"); err != nil {
			return err
		}
	}
	layout, err := record.NewLayout(x.format, x.fields, record.With{Context: x.links.Context, Checked: x.links.CheckFiles, Sorts: x.pages || x.stream, Pages: x.pages, Units: x.stream})
	if err != nil {
		return err
	}
	switch {
	case x.stream && x.run.Inputs.Units == "":
		return usagef("--stream tells of units: give them with --units")
	case x.stream && x.format != record.JSONL && x.format != record.Arrow:
		return usagef("--stream goes with --format jsonl or arrow")
	case x.format == record.Arrow && x.run.Report == input.Stdin:
		return usagef("--report - goes with --format jsonl: columns have no place for it")
	case x.format == record.Arrow && console.IsTerminal(p.out):
		return usagef("--format arrow is for programs: send it to a file or a pipe")
	case x.stream && x.unique:
		return usagef("--stream gives each unit its own records, and --unique drops some: leave one of them out")
	case x.pages && x.format == record.Text:
		return usagef("--pages goes with --format jsonl, csv, tsv or arrow")
	case x.pages && x.unique:
		return usagef("--pages counts all links of a page, and --unique drops some: leave one of them out")
	}
	x.links.Context = x.links.Context || layout.Has("text")
	x.run.Stream, x.run.Inputs.Lasts = x.stream, x.stream
	if x.format == record.Arrow {
		x.run.Columns = layout
	}
	x.run.Prints, x.run.Header = true, layout.Header()
	r, err := p.newRun(&x.options, args)
	if err != nil {
		return err
	}
	out, end := p.out, func() error { return nil }
	if x.format == record.Arrow {
		w := columns.NewWriter(p.out, layout)
		out, end = w, w.Close
	}
	command := &list.Links{Find: &x.links, Layout: layout, Unique: x.unique, Pages: x.pages}
	if err := p.do(ctx, &x.options, r, command.Output(out), command); err != nil {
		return err
	}
	if err := end(); err != nil {
		return err
	}
	if n := r.Totals.Links[extract.Unresolved] + r.Totals.Links[extract.Invalid]; x.strict && n > 0 && p.code == exitDone {
		p.code = exitStrict
	}
	return nil
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
