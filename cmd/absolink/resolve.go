package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
	"absolink/resolve"
)

// resolution is the command resolve.
type resolution struct {
	base    string
	options resolve.Options
	format  formatFlag
}

func (p *program) resolveCommand() *cobra.Command {
	x := &resolution{}
	x.format.allowed = []record.Format{record.Text, record.JSONL}
	c := &cobra.Command{
		Use:   "resolve [REF...]",
		Short: "Resolve references against --base",
		Long: `Print the absolute URI of each reference, an empty line where there is none.
References are arguments, or the lines of standard input. The exit status is 1
if any reference had no result.`,
		Example: "  absolink resolve --base http://a/b/c/d;p?q ../g\n  absolink resolve --rules rfc2396 --base http://a/b/c/d;p?q < references",
		RunE: func(c *cobra.Command, args []string) error {
			return p.resolve(c.Context(), x, args)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&x.base, "base", "", "`URI` of the base")
	c.Flags().Var(&x.options.Rules, "rules", "rule set `R`: whatwg, rfc3986, rfc2396, draft-02 or draft-00e")
	c.Flags().Var(&x.format, "format", "text or jsonl")
	values(c, "rules", "whatwg", "rfc3986", "rfc2396", "draft-02", "draft-00e")
	values(c, "format", "text", "jsonl")
	return c
}

func (p *program) resolve(ctx context.Context, x *resolution, args []string) error {
	b, err := resolve.NewBase(x.base, x.options)
	if err != nil {
		return usagef("--base %q: %v", x.base, err)
	}
	out := bufio.NewWriter(p.out)
	each := func(ref string) { p.resolveOne(out, x, b, ref) }
	if len(args) > 0 {
		for _, ref := range args {
			each(ref)
		}
	} else if err := eachLine(ctx, p.in, each); err != nil {
		return errors.Join(err, out.Flush())
	}
	return out.Flush()
}

// eachLine calls f with each line of in, without its end, which may be long.
func eachLine(ctx context.Context, in io.Reader, f func(string)) error {
	lines := bufio.NewReader(in)
	for ctx.Err() == nil {
		line, err := lines.ReadString('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("reading standard input: %w", err)
		}
		if err == nil || line != "" {
			f(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
		}
		if err == io.EOF {
			return nil
		}
	}
	return ctx.Err()
}

// resolveOne prints what becomes of one reference.
func (p *program) resolveOne(out io.Writer, x *resolution, b *resolve.Base, ref string) {
	uri, err := b.Resolve(ref)
	if err != nil {
		p.code = exitDefects
	}
	if x.format.Format == record.JSONL {
		out.Write(resolvedJSON(b, ref, uri, err))
		return
	}
	if err != nil {
		p.say("%q: %v", ref, err)
	}
	fmt.Fprintln(out, uri)
}

// resolvedJSON is one line of --format jsonl.
func resolvedJSON(b *resolve.Base, ref, uri string, err error) []byte {
	o := record.Object{'{'}.String("base", b.String()).Bytes("ref", []byte(ref)).String("uri", uri)
	o = o.String("status", statusOf(b, ref, err).String())
	if err != nil {
		o = o.String("error", err.Error())
	}
	return append(o, "}\n"...)
}

func statusOf(b *resolve.Base, ref string, err error) extract.Status {
	switch form := b.Form([]byte(ref)); {
	case errors.Is(err, resolve.ErrNoBase):
		return extract.Unresolved
	case err != nil:
		return extract.Invalid
	case form == resolve.Absolute:
		return extract.AbsoluteRef
	case form == resolve.SameDocument:
		return extract.SameDocument
	}
	return extract.Resolved
}
