package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/command"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/secret"
	"absolink/cmd/absolink/internal/source"
	"absolink/cmd/absolink/internal/unpack"
)

// unpacked is the command unpack.
type unpacked struct {
	command.Common
	dir string
}

func (p *program) unpackCommand() *cobra.Command {
	x := &unpacked{}
	c := &cobra.Command{
		Use:   "unpack PAGE.mht -o DIR",
		Short: "Write an MHTML page or a message as files that open from a disk",
		Long: `Write the page of an MHTML archive, or of a message, as DIR/index.html, and its pictures and other
parts as files beside it, so that a browser opens the page from a disk. Links between the parts lead
to the files, all others are absolute. DIR must be new or empty. A Content-Location that leads out
of DIR or names a device is an error, and nothing is written.
` + exitHelp,
		Example: "  absolink unpack saved.mht -o saved\n  absolink unpack --default-base http://list.example/ " +
			"message.eml -o message\n  absolink unpack --base http://www.example.org/dir/page.html page.mhtml -o page",
		Annotations: help.Needed("output base default-base"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("unpack takes one page, and %d are given: run it for each", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return p.unpack(c.Context(), x, args) },
	}
	x.Common.Register(c)
	flag.Keep(c, "base", "default-base", "quiet")
	c.Flags().VarP((*flag.Text)(&x.dir), "output", "o", "Output: write below `DIR`, which must be new or empty")
	return c
}

func (p *program) unpack(ctx context.Context, x *unpacked, args []string) error {
	switch {
	case x.dir == "":
		return usagef("-o DIR is missing: give the directory to write to")
	case source.IsURL(args[0]):
		return usagef("%s is a URL; save the page, and give the file", secret.URL(args[0]))
	}
	if err := x.Check(args); err != nil {
		return err
	}
	page, err := unpack.Read(ctx, args[0], p.in, x.Links.Bases.OptionLayers(input.File{Path: args[0]}))
	if err != nil {
		return fmt.Errorf("%s: %w", secret.URL(args[0]), err)
	}
	for _, problem := range page.Problems {
		p.code = ExitDefects
		if !x.Run.Account.Quiet {
			p.say("%s: %s", args[0], problem)
		}
	}
	if page.Missing > 0 && !x.Run.Account.Quiet {
		p.say("%s: %s", args[0],
			console.Plural(page.Missing, "cid: reference names no part of the message: what it shows is missing",
				"cid: references name no part of the message: what they show is missing"))
	}
	if err := page.Write(x.dir); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.out, filepath.Join(x.dir, page.Files[0].Name))
	return err
}
