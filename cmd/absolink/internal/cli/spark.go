package cli

import (
	_ "embed"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
)

// linkgraph is the Spark job.
//
//go:embed spark/linkgraph.py
var linkgraph []byte

func (p *program) sparkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "spark",
		Short: "Print the Spark job that drives units on a cluster",
		Long: `Print linkgraph.py, a job for spark-submit. From units of web archives and mailboxes it
makes the tables links, pages, hosts, domains and dead as Parquet, and a summary. If the job ends
early, the same command goes on. Its first lines say how to run it; "absolink help units" shows
all command lines.`,
		Example: "  absolink spark > linkgraph.py\n  absolink units --absolute crawl/ > units\n  spark-submit " +
			"--files absolink linkgraph.py units out",
		Args: flag.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := p.out.Write(linkgraph)
			return err
		},
	}
}
