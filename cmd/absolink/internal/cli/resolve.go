package cli

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/help"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/reference"
)

func (p *program) resolveCommand() *cobra.Command {
	x := reference.NewFlags()
	c := &cobra.Command{
		Use:         "resolve [LINK...]",
		Short:       "Resolve links against --base",
		Long:        resolveHelp,
		Example:     resolveExamples,
		Annotations: help.Needed("base rules check compare components relative normalize equivalent document format"),
		RunE: func(c *cobra.Command, args []string) error {
			return p.resolve(c, x, args)
		},
	}
	x.Register(c)
	return c
}

const resolveHelp = `Print the absolute URI of each link, or an empty line if there is no absolute URI.
Links are arguments, or the lines of standard input. A line is a link,
or a base, a tab and a link. Under the rules of the RFCs <URL:...>, quotes and
blanks around a link are removed, with a note (RFC 2396 Appendix E), unless
--delimiters keep is given. Under whatwg the whole line is the link.

A link that is empty, or only a fragment, names the current document. Under
rfc2396 and draft-02 the current document is --document, or the base without it.

--format jsonl, csv and tsv write base, ref, uri, status, error and warnings.
Exit status: 0 done; 1 a link is invalid or unresolved, does not fit any grammar
of --check, or is not --equivalent; 2 usage error, and standard error says
what to type.`

const resolveExamples = `  absolink resolve --base 'http://a/b/c/d;p?q' ../g
  absolink resolve --rules rfc2396 --base 'http://a/b/c/d;p?q' < links.txt
  printf 'http://a/b/\tg\nhttp://c/d/\tg\n' | absolink resolve --format csv
  absolink resolve --compare --base 'http://a/b/c/d;p?q' '?y'
  absolink resolve --check --rules rfc3986 'http://[::1]/'
  absolink resolve --relative --no-parent --base http://a/b/c http://a/d
  absolink resolve --normalize scheme 'HTTP://Example.com:80/%7Esmith/'
  absolink resolve --equivalent http://example.com http://EXAMPLE.com:80/
  absolink resolve --escape-component --keep / 'a b/50% c'`

// resolve resolves the arguments, or the lines of standard input.
func (p *program) resolve(c *cobra.Command, x *reference.Flags, args []string) error {
	if err := x.Check(); err != nil {
		return err
	}
	if len(args) == 0 {
		if err := p.refuseTerminal(c); err != nil {
			return err
		}
	}
	s, err := reference.New(x.Options, p.out, console.New(p.err, "absolink", console.Never, false))
	if err != nil {
		return err
	}
	if len(args) > 0 {
		err = s.Arguments(args)
	} else {
		err = s.Lines(c.Context(), input.Interruptible(c.Context(), p.in))
	}
	if s.Failed() {
		p.code = ExitDefects
	}
	return err
}
