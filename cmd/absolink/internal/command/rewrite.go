package command

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/write"
)

// Rewrite is the command rewrite.
type Rewrite struct {
	Common
	Write  write.Options
	Strict bool // --strict
}

// Register adds the flags to c.
func (x *Rewrite) Register(c *cobra.Command) {
	x.Common.Register(c)
	x.Links.Targets.Register(c)
	x.Links.RegisterLinkFlags(c)
	x.Write.Register(c)
	registerStrict(c, &x.Strict, "--check-files or --find-old")
}

// Prepare checks the flags of rewrite that other commands lack. Call it before Start. The error is
// a *flag.Error.
func (x *Rewrite) Prepare(args []string) error {
	x.Write.Run = &x.Run
	x.Write.Links = &x.Links
	x.Links.Bases.RootsLocateTargets = x.gave("to")
	return x.Write.Prepare(args)
}
