package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/record"
	"absolink/extract"
	"absolink/resolve"
)

// resolution is the command resolve.
type resolution struct {
	base    string
	options resolve.Options
	format  formatFlag
	escape  choice
	leeway  leeway
	views   // what is shown instead of the result

	b    *resolve.Base
	uri  []byte        // scratch of the result
	line record.Object // scratch of a line of JSON
}

func (p *program) resolveCommand() *cobra.Command {
	x := &resolution{
		escape: choice{allowed: []string{"minimal", "none"}},
	}
	x.format.allowed = []record.Format{record.Text, record.JSONL}
	c := &cobra.Command{
		Use:   "resolve [REF...]",
		Short: "Resolve references against --base",
		Long: `Print the absolute URI of each reference, an empty line where there is none.
References are arguments, or the lines of standard input. The exit status is 1
if any reference had no result.`,
		Example: "  absolink resolve --base 'http://a/b/c/d;p?q' ../g\n  absolink resolve --rules rfc2396 --base 'http://a/b/c/d;p?q' < references\n" +
			"  absolink resolve --compare --base 'http://a/b/c/d;p?q' '?y'",
		RunE: func(c *cobra.Command, args []string) error {
			return p.resolve(c, x, args)
		},
	}
	x.register(c)
	return c
}

func (x *resolution) register(c *cobra.Command) {
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&x.base, "base", "", "`URI` of the base")
	fs.Var(&x.options.Rules, "rules", "rule set `R`: whatwg, rfc3986, rfc2396, draft-02 or draft-00e")
	x.leeway.register(c)
	fs.Var(&x.escape, "escape", "escape excluded characters (all but whatwg): minimal or none")
	fs.BoolVar(&x.compare, "compare", false, "show what every rule set says")
	fs.BoolVar(&x.check, "check", false, "show the verdict of each grammar, take the schemes of RFC 1738 apart")
	fs.BoolVar(&x.components, "components", false, "show the components of the result; an undefined one has no line")
	fs.BoolVar(&x.relative, "relative", false, "show the shortest reference that resolves back")
	fs.Var(&x.format, "format", "text or jsonl")
	values(c, "rules", "whatwg", "rfc3986", "rfc2396", "draft-02", "draft-00e")
	values(c, "escape", x.escape.allowed...)
	values(c, "format", "text", "jsonl")
}

// checkFlags refuses options that the rule set does not know.
func (x *resolution) checkFlags(c *cobra.Command) error {
	if n := x.count(); n > 1 {
		return usagef("--compare, --check, --components and --relative exclude each other: give one")
	}
	gave := func(flag string) bool { return c.Flags().Changed(flag) && !x.compare }
	if err := x.leeway.check(x.options.Rules, gave); err != nil {
		return err
	}
	if gave("escape") && x.options.Rules == resolve.WHATWG {
		return meaningless("escape", x.options.Rules, "rfc3986, rfc2396, draft-02 or draft-00e")
	}
	x.leeway.set(&x.options)
	x.options.Bare = x.escape.value == "none"
	return nil
}

func (p *program) resolve(c *cobra.Command, x *resolution, args []string) error {
	err := x.checkFlags(c)
	if err != nil {
		return err
	}
	if x.b, err = resolve.NewBase(x.base, x.options); err != nil {
		return usagef("--base %q: %v", x.base, err)
	}
	if err := x.prepare(); err != nil {
		return err
	}
	out := bufio.NewWriterSize(p.out, 64<<10)
	each := func(ref []byte) error { return p.show(out, x, ref) }
	if len(args) > 0 {
		for _, ref := range args {
			if err := each([]byte(ref)); err != nil {
				return err
			}
		}
	} else if err := eachLine(c.Context(), input.Interruptible(c.Context(), p.in), out, each); err != nil {
		return errors.Join(err, out.Flush())
	}
	return out.Flush()
}

// eachLine calls f with each line of in, without its end, and flushes out before it
// waits for more. Lines may be of any length; ref is valid until f returns.
func eachLine(ctx context.Context, in io.Reader, out *bufio.Writer, f func(ref []byte) error) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	var long []byte
	for ctx.Err() == nil {
		if lines.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		line, err := lines.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long, line...)
			continue
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("reading standard input: %w", err)
		}
		if len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		if err == nil || len(line) > 0 {
			if err := f(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))); err != nil {
				return err
			}
		}
		if long = long[:0]; err == io.EOF {
			return nil
		}
	}
	return ctx.Err()
}

// show prints what was asked for about one reference.
func (p *program) show(out *bufio.Writer, x *resolution, ref []byte) error {
	var err error
	switch {
	case x.compare:
		return p.showComparison(out, x, ref)
	case x.check:
		return p.showVerdicts(out, x, ref)
	}
	x.uri, err = x.b.Append(x.uri[:0], ref)
	if err != nil {
		p.code = exitDefects
	}
	if x.format.Format == record.JSONL {
		_, err = out.Write(x.json(ref, err))
		return err
	}
	if err != nil {
		p.say("%q: %v", ref, err)
	}
	return x.text(out, err == nil)
}

// text prints the result, or the view of it that was asked for.
func (x *resolution) text(out *bufio.Writer, ok bool) error {
	switch {
	case !ok: // an empty line
	case x.components:
		for _, c := range componentsOf(string(x.uri)) {
			fmt.Fprintf(out, "%s\t%s\n", c.Name, c.Value)
		}
	case x.relative:
		out.WriteString(x.shortest())
	default:
		out.Write(x.uri)
	}
	return out.WriteByte('\n')
}

// json is one line of --format jsonl.
func (x *resolution) json(ref []byte, err error) []byte {
	o := append(x.line[:0], '{').String("base", x.b.String()).Bytes("ref", ref)
	if err == nil {
		o = o.Bytes("uri", x.uri)
	}
	o = o.String("status", statusOf(x.b, ref, err).String())
	if err != nil {
		o = o.String("error", err.Error())
	} else {
		o = x.jsonView(o)
	}
	x.line = append(o, "}\n"...)
	return x.line
}

func statusOf(b *resolve.Base, ref []byte, err error) extract.Status {
	switch form := b.Form(ref); {
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
