package main

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/record"
)

// recordsTopic is "absolink help records": the keys of records and what they can hold, for
// people, or as a JSON Schema.
func (p *program) recordsTopic() *cobra.Command {
	c := &cobra.Command{
		Use:   "records",
		Short: "The keys of records, and what they can hold",
	}
	c.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long = record.Help()
		c.Parent().HelpFunc()(c, args)
	})
	return c
}

// addSchema makes help, the command, print the schema of records with --schema.
func (p *program) addSchema(help *cobra.Command) {
	var schema bool
	help.Flags().BoolVar(&schema, "schema", false, "of records: print their JSON Schema")
	show := help.RunE
	help.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case !schema:
			return show(c, args)
		case len(args) != 1 || args[0] != "records":
			return usagef("--schema is that of records: type absolink help records --schema")
		}
		_, err := p.out.Write(record.Schema())
		return err
	}
}
