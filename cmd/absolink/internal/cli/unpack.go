package cli

import (
	"errors"
	"fmt"

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

// unpackOptions holds the flags of the command unpack.
type unpackOptions struct {
	command.Common
	out     string
	message int
	single  bool
}

func (p *program) unpackCommand() *cobra.Command {
	x := new(unpackOptions)
	c := &cobra.Command{
		Use:   "unpack PAGE.mht -o DIR | --single PAGE.mht -o PAGE.html",
		Short: "Write an MHTML page or a message as files that open from a disk",
		Long: `Write the page of an MHTML archive, or of a message, as DIR/index.html, and its pictures and other
parts as files beside it, so that a browser opens the page from a disk. Links between the parts lead
to the files, and all other links are absolute. DIR must be new. A Content-Location that leads out
of DIR or names a device is an error, and nothing is written.

With --single the page is one file, in which its parts are data: URLs. So are the parts of its style
sheets and frames. Links to missing parts keep their absolute URLs. The file goes to -o PAGE.html,
which must be new, or to standard output. --message chooses a message of a mailbox.

On Windows the files get the zone mark of PAGE.mht, which says that they come from the network. A
page that is dropped on absolink.exe is unpacked into a new directory beside it.
` + exitHelp,
		Example: "  absolink unpack saved.mht -o saved\n  absolink unpack --single saved.mht -o saved.html\n" +
			"  absolink unpack --message 3 list.mbox -o third\n  absolink unpack --default-base http://list.example/ " +
			"message.eml -o message\n  absolink unpack --base http://www.example.org/dir/page.html page.mhtml -o page",
		Annotations: help.Needed("output single message base default-base"),
		Args:        onePage,
		RunE: func(c *cobra.Command, args []string) error {
			args, err := source.Expand(args)
			if err == nil {
				err = onePage(c, args)
			}
			if err != nil {
				return err
			}
			return p.unpack(c, x, args)
		},
	}
	x.Common.Register(c)
	flag.Keep(c, "base", "default-base", "quiet")
	c.Flags().VarP((*flag.Text)(&x.out), "output", "o",
		"Output: write below `DIR`, which must be new; with --single, write a new file")
	c.Flags().BoolVar(&x.single, "single", false, "Output: write one HTML file, with its parts as data: URLs")
	c.Flags().IntVar(&x.message, "message", 0, "read message `N` of a mailbox, as extract numbers it")
	return c
}

// onePage refuses arguments that are not one page.
func onePage(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("an input is missing: give an MHTML page or a message")
	}
	if len(args) > 1 {
		return usagef("unpack takes one page, and %d are given: run it for each", len(args))
	}
	return nil
}

// unpack writes the files of the page in the argument.
func (p *program) unpack(c *cobra.Command, x *unpackOptions, args []string) error {
	switch {
	case x.out == "" && !x.single:
		return usagef("-o DIR is missing: give the directory to write to, or type --single -o PAGE.html for one file")
	case c.Flags().Changed("message") && x.message < 1:
		return usagef("--message %d: messages are numbered from 1", x.message)
	case source.IsURL(args[0]):
		return usagef("%s is a URL; save the page, and give the file", secret.URL(args[0]))
	}
	if err := x.Check(args); err != nil {
		return err
	}
	page, err := unpack.Read(c.Context(), args[0], p.in, unpack.Options{Message: x.message, Single: x.single,
		Outer: x.Links.Bases.OptionLayers(input.File{Path: args[0]})})
	var usage *flag.Error
	switch {
	case errors.As(err, &usage):
		return err
	case err != nil:
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
			console.Plural(page.Missing, "cid: link names no part of the message: what it shows is missing",
				"cid: links name no part of the message: what they show is missing"))
	}
	return p.writePage(x, page, args[0])
}

// writePage writes the files of page, which comes from the file source, and prints the name of its
// HTML file. Without -o it prints the page itself.
func (p *program) writePage(x *unpackOptions, page *unpack.Page, source string) error {
	if x.single && x.out == "" {
		_, err := p.out.Write(page.Files[0].Data)
		return err
	}
	names := []string{x.out}
	write := page.WriteFile
	if !x.single {
		names = page.Names(x.out)
		write = page.Write
	}
	if err := write(x.out); err != nil {
		return err
	}
	if err := unpack.CopyMark(source, names); err != nil && !x.Run.Account.Quiet {
		p.say("%s: %v", source, err)
	}
	_, err := fmt.Fprintln(p.out, names[0])
	return err
}
