package command

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/links"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/write"
)

// Base is the command base.
type Base struct {
	Common
	List list.Bases
}

// Register adds the flags to c.
func (x *Base) Register(c *cobra.Command) {
	x.List.LinkOptions = &x.Links
	x.Common.Register(c)
	const readers = "extract or rewrite"
	flag.Withhold(c, "same-scheme", readers) // it changes how references are resolved, but no base
	flag.Elsewhere(c, readers, new(links.Options).RegisterLinkFlags)
	flag.Elsewhere(c, "rewrite", new(write.Options).RegisterShared)
	x.registerSharing(c)
	flag.Enum(c, &x.List.Format, "format", "Output: print `F`: text, jsonl (all layers), csv or tsv", record.Formats...)
	c.Flags().BoolVar(&x.List.Figure, "figure", false,
		"Output: draw the figure of each document, even for many documents")
	c.Flags().BoolVar(&x.List.Summary, "summary", false,
		"Output: print a line for each base that would count, with an example")
}

// Prepare refuses output that cannot be printed. Call it before Start. The error is a *flag.Error.
func (x *Base) Prepare() error {
	switch text := x.List.Format == record.Text; {
	case x.List.Summary && x.List.Figure:
		return flag.Errorf("--summary and --figure exclude each other: give one of them")
	case x.List.Summary && x.List.Format == record.JSONL:
		return flag.Errorf("--summary needs --format text, csv or tsv")
	case x.List.Figure && !text:
		return flag.Errorf("--figure needs --format text")
	case !x.List.Summary && !x.List.Figure:
		x.checkFormat(&x.List.Format)
	}
	return nil
}
