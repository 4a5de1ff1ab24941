package main

import (
	"io"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/document"
	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/glob"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/site"
	"absolink/extract"
)

// trees are the flags that say which files of directories are inputs, which URIs
// they have, and whether links lead to them.
type trees struct {
	include, exclude flag.List
	checkFiles       bool
	follow           bool

	mapped site.Roots // roots, checked
	chosen glob.Set
	files  *site.Files // nil = links are not checked
}

// register adds the flags to c.
func (t *trees) register(c *cobra.Command) {
	fs := c.Flags()
	fs.Var(&t.include, "include", "of directories only files that match `GLOB`: *.html at any depth, /news/** from the top (repeatable)")
	fs.Var(&t.exclude, "exclude", "of directories no files that match `GLOB`, nor what is below them (repeatable)")
	fs.BoolVar(&t.follow, "follow", false, "of directories also the files outside of them that symbolic links lead to; not with --in-place")
	fs.BoolVar(&t.checkFiles, "check-files", false, "say which links to files below a --root have none, or one of another name")
}

// check finds what cannot be carried out. The roots are added before.
func (t *trees) check() error {
	for _, f := range []struct {
		flag  string
		texts []string
		list  *[]glob.Pattern
	}{{"--include", t.include, &t.chosen.Include}, {"--exclude", t.exclude, &t.chosen.Exclude}} {
		for _, text := range f.texts {
			p, err := glob.Parse(text)
			if err != nil {
				return usagef("%s: %v", f.flag, err)
			}
			*f.list = append(*f.list, p)
		}
	}
	if !t.checkFiles {
		return nil
	}
	if len(t.mapped.All()) == 0 {
		return usagef("--check-files goes with --root DIR=URI, which says where the files are")
	}
	t.files = site.NewFiles(&t.mapped)
	return nil
}

// inputs yields the inputs that args name, of directories those that are chosen, and
// then those of --urls, or the units of --units; of all of them those of the shard, and
// lists that cannot be read. stdin is what a list may come from, nil if it is not to be read.
func (o *options) inputs(args []string, stdin io.Reader) iter.Seq2[input.File, error] {
	if o.units != "" {
		return o.unitFiles(stdin)
	}
	return func(yield func(input.File, error) bool) {
		n := 0
		for f, err := range o.unshared(args, stdin) {
			if n++; (o.shard.Has(n-1) || f.IsList()) && !yield(f, err) {
				return
			}
		}
	}
}

// chosenOf yields the inputs that an argument names, of a directory those that are
// chosen.
func (o *options) chosenOf(arg string) iter.Seq2[input.File, error] {
	return func(yield func(input.File, error) bool) {
		for f, err := range o.named(arg) {
			if !f.Named && f.Rel != "." && !o.chosen.Has(f.Rel) {
				continue
			}
			if f.Target != "" && !o.chosen.Has(f.Target) {
				f.Target, f.Unchosen = "", true
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// unshared yields all inputs.
func (o *options) unshared(args []string, stdin io.Reader) iter.Seq2[input.File, error] {
	return func(yield func(input.File, error) bool) {
		if len(args) == 0 && o.urls == "" {
			args = []string{input.Stdin}
		}
		var seen once
		for i, arg := range args {
			for f, err := range o.chosenOf(arg) {
				if o.single && len(args) > 1 {
					seen.pass(&f, arg)
				}
				if o.count(i); !yield(f, err) {
					return
				}
			}
		}
		if o.urls == "" || o.urls == input.Stdin && stdin == nil {
			return
		}
		for f, err := range o.list(stdin) {
			if !yield(f, err) {
				return
			}
		}
	}
}

// count notes an input of the argument number i.
func (o *options) count(i int) {
	if i < len(o.tally) {
		o.tally[i].Add(1)
	}
}

// named yields the inputs that an argument names.
func (t *trees) named(arg string) iter.Seq2[input.File, error] {
	if isURL(arg) {
		return func(yield func(input.File, error) bool) { yield(urlFile(arg, false), nil) }
	}
	return input.Walk([]string{arg}, t.follow)
}

// look notes a link to a file that is not there, in its warnings and in e, and returns
// the URI of the file that is probably meant, "" if there is none.
func (t *trees) look(d *document.Document, l *extract.Link, e *report.Entry) (meant string) {
	if l.Status != extract.Resolved && l.Status != extract.AbsoluteRef || l.Kind == extract.KindHint || l.Element == "base" {
		return ""
	}
	verdict, meant := t.files.Check(string(l.URI))
	warning, text := "missing", "missing: "+console.Printable(string(l.Value))
	switch verdict {
	case site.Moved:
		warning, text = "moved?", "moved?: "+console.Printable(string(l.Value))+" is there as "+meant
	case site.Missing:
	default:
		return ""
	}
	l.Warnings = append(slices.Clip(l.Warnings), warning)
	e.Add(d.Problem(l.Span, text))
	return meant
}
