package cli

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/reportpage"
	"absolink/cmd/absolink/internal/source"
)

// reportOptions holds the flags of the command report.
type reportOptions struct {
	output  string
	format  reportFormat
	records flag.List
}

// reportFormat is the format of the output.
type reportFormat string

const (
	reportHTML reportFormat = "html"
	reportJSON reportFormat = "json"
)

func (f reportFormat) String() string { return string(f) }

func (p *program) reportCommand() *cobra.Command {
	r := &reportOptions{format: reportHTML}
	c := &cobra.Command{
		Use:   "report [FILE...]",
		Short: "Show the results of runs on one page",
		Long:  reportPageHelp,
		Example: "  absolink report run.jsonl > report.html\n  absolink report -o report.html --records links.jsonl " +
			"monday.jsonl tuesday.jsonl\n  absolink report --format json run.jsonl",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := source.Expand(args)
			if err != nil {
				return err
			}
			return p.report(c.Context(), r, args)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().VarP((*flag.Text)(&r.output), "output", "o",
		"write the page to `FILE`; an existing file is replaced once the page is complete")
	flag.Enum(c, &r.format, "format", "print `F`: html or json, with the same numbers", reportHTML, reportJSON)
	c.Flags().Var(&r.records, "records",
		"also count the hosts that links lead to: `FILE` with the output of extract --format jsonl (repeatable)")
	return c
}

const reportPageHelp = `Read reports that extract, rewrite and base wrote with --report, from any
number of FILEs or from standard input, and print one page of HTML. It shows outcomes, links by
status, kind and layer, hosts of the bases, problems with the first places of each, skipped inputs
with the reason, and the slowest and the largest inputs. The page needs no network and no script,
and each picture has its table.

A line that does not belong to a report is named and left out. The page shows the fifty most
frequent texts and hosts. If there are more than 10,000 different ones, the rarest are not counted.

Exit status: 0 done; 1 a line or a file was left out; 2 usage error.`

// report reads all files and writes the page.
func (p *program) report(ctx context.Context, r *reportOptions, args []string) error {
	if len(args) == 0 {
		args = []string{input.Stdin}
	}
	all := slices.Concat(args, r.records)
	if n := slices.Index(all, input.Stdin); n >= 0 && slices.Contains(all[n+1:], input.Stdin) {
		return usagef("standard input (-) is given twice, and can be read only once: leave one out")
	}
	for _, name := range all {
		if r.output != "" && files.Same(name, r.output) {
			return usagef("-o %s is the input %s; give another name", r.output, name)
		}
	}
	s := reportpage.Files{Stdin: p.in, Warn: p.say}
	s.ReadReports(ctx, args)
	s.ReadRecords(ctx, r.records)
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.Incomplete {
		p.code = ExitDefects
	}
	write := s.WriteHTML
	if r.format == reportJSON {
		write = s.WriteJSON
	}
	if r.output == "" {
		return write(p.out)
	}
	if err := files.Create(r.output, nil, func(f *os.File) error { return write(f) }); err != nil {
		return fmt.Errorf("-o %s: %s", r.output, files.Why(r.output, err))
	}
	return nil
}
