package command

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/list"
	"absolink/cmd/absolink/internal/record"
	"absolink/cmd/absolink/internal/write"
)

// Extract is the command extract.
type Extract struct {
	Common
	List   list.Links
	Strict bool // --strict
}

// Register adds the flags to c.
func (x *Extract) Register(c *cobra.Command) {
	x.List.LinkOptions, x.Links.Listing = &x.Links, true
	x.Common.Register(c)
	x.Links.Targets.Register(c)
	x.Links.RegisterLinkFlags(c)
	flag.Elsewhere(c, "rewrite", new(write.Options).RegisterShared)
	x.registerSharing(c)
	flag.Enum(c, &x.List.Format, "format",
		"Output: print `F`: text (absolute URIs alone), jsonl, csv or tsv (whole records), or arrow (columns, an "+
			"Arrow IPC stream)", append(record.Formats, record.Arrow)...)
	c.Flags().Var((*flag.Names)(&x.List.Fields), "fields",
		"Output: print these keys only, in this order: `KEY,...`, such as page,uri,kind; see \"absolink help "+
			"records\"")
	flag.Complete(c, "fields", record.Names()...)
	c.Flags().BoolVar(&x.List.Unique, "unique", false, "Output: print each URI once")
	c.Flags().Var((*flag.Text)(&x.List.Seen), "seen",
		"Output: print only URIs that `FILE` does not have, each once, and add them to FILE: the next run leaves them "+
			"out")
	c.Flags().BoolVar(&x.Links.NoFragment, "strip-fragment", false,
		"Output: print URIs without their fragments; --unique, --seen and --match see the URIs without them")
	c.Flags().BoolVar(&x.List.Pages, "pages", false,
		"Output: also print a record for each document, with numbers of its links, before its links; \"record\" is "+
			"page or link")
	c.Flags().BoolVar(&x.List.Stream, "stream", false,
		"Processes: with --units, print the failures of a unit after its records, and that the unit is done; "+
			"\"record\" is the first key of each line")
	c.Flags().BoolVar(&x.List.Edges, "edges", false,
		"Processes: with --stream and --pages, print before the end of a unit how many links lead from a host to a "+
			"host, and from a domain to a domain; \"record\" is host or domain")
	registerStrict(c, &x.Strict, "--check-files")
	c.Flags().BoolVar(&x.Links.LinkText, "context", false,
		"Output: records also have the text of the link, its alt or title (HTML only), and subject and sender of "+
			"messages")
}

// Prepare refuses output that cannot be printed, on a terminal or elsewhere. Call it before Start.
// The error is a *flag.Error.
func (x *Extract) Prepare(terminal bool) error {
	x.checkFormat(&x.List.Format)
	return x.List.Prepare(&x.Run, terminal)
}

// registerStrict adds --strict to c. checks names the flags of c that look for other faults.
func registerStrict(c *cobra.Command, strict *bool, checks string) {
	c.Flags().BoolVar(strict, "strict", false,
		"Output: exit with 3 if a link is unresolved or invalid, or "+checks+" finds something")
}
