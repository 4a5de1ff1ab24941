package cli

import (
	"context"
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/console"
)

func (p *program) extractCommand() *cobra.Command {
	x := new(command.Extract)
	c := &cobra.Command{
		Use:         "extract [INPUT...]",
		Short:       "List the links of documents, absolute",
		Annotations: help.Needed("base root default-base scheme kind match select format fields urls jobs"),
		Long:        extractHelp,
		Example: "  absolink extract page.html\n  absolink extract --format jsonl --root mirror=http://" +
			"example.com/ mirror\n  absolink extract < message.eml",
		RunE: p.withInputs(&x.Common, x.PipeOptions, func(c *cobra.Command, args []string) error {
			return p.extract(c.Context(), x, args)
		}),
	}
	x.Register(c)
	return c
}

const inputHelp = `
An INPUT is a file, a directory (with all below it), an http or https URL, or - for standard input.
On Windows it may be a pattern such as *.html or site\**\*.mht, unless a file has this name.
Without an INPUT, standard input is read. Documents, messages, mailboxes (mbox), web archives (WARC,
ARC, WACZ) and HTTP responses with their header fields are recognised. They may be compressed with
gzip, zstd, brotli (.br) or bzip2.

The format is detected from the name (.css, .txt, .eml), then from the content: a tag, an XML
element, fields of mail. If the content does not fit the name, the content decides, and a message
says so. Files of a directory whose format is unknown are left out; -v names them, and --type reads
them. Of a Maildir, a directory with cur/ and new/, only these two are read. A symbolic link in a
directory is followed only with --follow, and only to a file outside of the directory. An INPUT that
is a link is followed.
`

const exitHelp = `
Exit status: 0 done; 1 something was damaged, unreadable or refused, and everything else is done;
2 usage error, and standard error says what to type; 130 interrupted. See "absolink help errors".`

const extractHelp = `Print one absolute URI per line, in the order of the documents. Relative links need the address of
the page: --base URI for one page, --root DIR=URI for the files of a site.
` + inputHelp + `
--format jsonl, csv, tsv and arrow print records: the page, the place of each link, its raw and
decoded value, its absolute URI, and the base with the layer that gave it.

"absolink help start" is for the first minutes. "absolink help links" describes filters, columns and
reports, "absolink help places" the places where links are found, and "absolink help units" how to
spread a run over many processes.
` + exitHelp + `
With --strict: 3 a link is unresolved or invalid, or --check-files does not find its file.
With --units: 4 a unit could not be opened, or does not fit its file.`

// extract prints the links of the inputs.
func (p *program) extract(ctx context.Context, x *command.Extract, args []string) error {
	if err := x.Prepare(console.IsTerminal(p.out)); err != nil {
		return err
	}
	r, err := x.Start(p.streams(), args)
	if err != nil {
		return err
	}
	if err := x.List.OpenSeen(ctx, r, &x.Run, p.in); err != nil {
		return err
	}
	out, end := x.List.Output(p.out)
	err = p.do(ctx, r, out, &x.List, x.Strict)
	if err == nil {
		err = end()
	}
	seenErr := x.List.CloseSeen()
	if err == nil {
		return seenErr
	}
	if seenErr != nil {
		p.printError(seenErr)
	}
	return writeError(err)
}

// writeError returns the error of a write that err wraps, without the text that a library adds. If
// err wraps none, writeError returns err.
func writeError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && path.Op == "write" {
		return path
	}
	return err
}
