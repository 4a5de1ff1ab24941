// Package source has the inputs of a command: the files, directories and URLs that its
// arguments name, those of a list of URLs, and the units of a list of them.
//
//	s := source.Set{Include: []string{"*.html"}}
//	if err := s.Take([]string{"mirror"}); err != nil {
//		return err // a *flag.Error
//	}
//	for f, err := range s.All(ctx, os.Stdin) { … }
package source

import (
	"context"
	"io"
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/glob"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/secret"
	"absolink/cmd/absolink/internal/unit"
)

// Set is the inputs of one command. The exported fields are set before Take.
type Set struct {
	Include   flag.List  // of directories only files that match one of these patterns; empty = all
	Exclude   flag.List  // of directories no files that match one of these, nor what is below them
	Follow    bool       // of directories also the files outside of them that links lead to
	FilesFrom string     // file with inputs, which Join reads; Stdin, or "" for none
	URLs      string     // file with URLs, one a line; Stdin, or "" for none
	Units     string     // file with units, which are all inputs then; Stdin, or "" for none
	Prefix    string     // directory or URL that the files of an index are below
	Shard     unit.Shard // only these of all inputs
	Once      bool       // a file that several arguments lead to is one input
	Lasts     bool       // behind the inputs of a unit comes a file that says so

	UnitsFormat unit.Format // of Units

	args   []string
	chosen glob.Set
	tally  []atomic.Int64 // how many inputs each argument gave
}

// Take sets the arguments, of which none stands for standard input. The error, a *flag.Error,
// says why the inputs cannot be read.
func (s *Set) Take(args []string) error {
	s.args = args
	s.tally = make([]atomic.Int64, len(args))
	stdin := 0
	for _, list := range []string{s.URLs, s.FilesFrom} {
		if list == input.Stdin {
			stdin++
		}
	}
	for _, a := range args {
		switch a {
		case "":
			return flag.Errorf("an INPUT is an empty text: give a name, or - for standard input")
		case input.Stdin:
			stdin++
		}
	}
	switch {
	case stdin > 1:
		return flag.Errorf("standard input (-) is given twice, and can be read only once: leave one out")
	case s.Units == "" && (s.UnitsFormat != unit.Lines || s.Prefix != ""):
		return flag.Errorf("--units-format and --prefix need --units FILE: add it")
	case s.UnitsFormat != unit.Lines && s.Prefix == "":
		return flag.Errorf("--units-format %v: add --prefix with the URL or directory that its files are below, such "+
			"as https://data.commoncrawl.org/", s.UnitsFormat)
	case s.UnitsFormat == unit.Lines && s.Prefix != "":
		return flag.Errorf("--prefix needs --units-format cdx, cdxj, csv or json: other units have whole paths")
	case IsURL(s.Prefix) && strings.ContainsAny(s.Prefix, "?#"):
		return flag.Errorf("--prefix %s: a URL without a query is needed, which file names can be added to",
			secret.URL(s.Prefix))
	case s.Units != "" && (len(args) > 0 || s.URLs != ""):
		return flag.Errorf("--units names all inputs: leave the others out, or add them to the list")
	}
	return s.choose()
}

// choose reads the patterns.
func (s *Set) choose() error {
	for _, f := range []struct {
		flag  string
		texts []string
		list  *[]glob.Pattern
	}{{"--include", s.Include, &s.chosen.Include}, {"--exclude", s.Exclude, &s.chosen.Exclude}} {
		for _, text := range f.texts {
			p, err := glob.Parse(text)
			if err != nil {
				return flag.Errorf("%s: %v", f.flag, err)
			}
			*f.list = append(*f.list, p)
		}
	}
	return nil
}

// Args returns the arguments, which are not to be changed.
func (s *Set) Args() []string { return s.args }

// One reports whether the inputs are one document, message, mailbox, Maildir or archive,
// which can have one retrieval URI.
func (s *Set) One() bool {
	if s.URLs != "" || s.Units != "" || len(s.args) > 1 {
		return false
	}
	return len(s.args) == 0 || !input.IsDir(s.args[0]) || input.IsMaildir(s.args[0])
}

// All yields the inputs of the shard: those that the arguments name, of directories those
// that are chosen, and then those of the list of URLs; or the units. An error belongs to the
// file that comes with it, which may stand for a list that cannot be read. stdin is what a
// list may come from, nil if inputs are only counted: what can be read once is not read then.
// Reading ends with ctx.
func (s *Set) All(ctx context.Context, stdin io.Reader) iter.Seq2[input.File, error] {
	if s.Units != "" {
		return s.units(ctx, stdin)
	}
	return func(yield func(input.File, error) bool) {
		n := 0
		for f, err := range s.unshared(ctx, stdin) {
			n++
			if (s.Shard.Has(n-1) || f.IsList()) && !yield(f, err) {
				return
			}
		}
	}
}

// unshared yields all inputs but units.
func (s *Set) unshared(ctx context.Context, stdin io.Reader) iter.Seq2[input.File, error] {
	return func(yield func(input.File, error) bool) {
		args := s.args
		if len(args) == 0 && s.URLs == "" {
			args = []string{input.Stdin}
		}
		var seen once
		for i, arg := range args {
			for f, err := range s.chosenOf(arg) {
				if s.Once && len(args) > 1 {
					seen.pass(&f, arg)
				}
				if i < len(s.tally) {
					s.tally[i].Add(1)
				}
				if !yield(f, err) {
					return
				}
			}
		}
		if s.URLs == "" || !counts(s.URLs, stdin) {
			return
		}
		for f, err := range s.listed(ctx, stdin) {
			if !yield(f, err) {
				return
			}
		}
	}
}

// chosenOf yields the inputs that an argument names, of a directory those that are
// chosen.
func (s *Set) chosenOf(arg string) iter.Seq2[input.File, error] {
	return func(yield func(input.File, error) bool) {
		for f, err := range s.named(arg) {
			if !f.Named && f.Rel != "." && !s.chosen.Has(f.Rel) {
				continue
			}
			if f.Skip.Cause == input.ToInput && !s.chosen.Has(f.Skip.Target) {
				f.Skip = input.Skip{Cause: input.ToUnchosen, Why: f.Skip.Why}
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// named yields the inputs that an argument names.
func (s *Set) named(arg string) iter.Seq2[input.File, error] {
	if IsURL(arg) {
		return func(yield func(input.File, error) bool) { yield(urlFile(arg, false), nil) }
	}
	return func(yield func(input.File, error) bool) {
		for f, err := range input.Walk([]string{arg}, s.Follow) {
			if err != nil && f.Path == arg {
				f.Source = secret.URL(f.Source) // a URL of another scheme, or one with the slashes wrong
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// Unmatched says which directories among the arguments gave no input, and which patterns
// matched no file. It is called when All has yielded all.
func (s *Set) Unmatched() []string { return slices.Concat(s.barren(), s.idle()) }

// barren describes the directories that no input was found in.
func (s *Set) barren() (list []string) {
	for i := range s.tally {
		if s.tally[i].Load() > 0 || !input.IsDir(s.args[i]) {
			continue
		}
		why := "is empty: give a directory with files, or a file"
		if len(s.Include)+len(s.Exclude) > 0 {
			why = "has no file that --include and --exclude leave"
		}
		list = append(list, s.args[i]+" "+why)
	}
	return list
}

// idle describes the patterns that matched no file.
func (s *Set) idle() (list []string) {
	for _, f := range []struct {
		flag     string
		patterns []glob.Pattern
	}{{"--include", s.chosen.Include}, {"--exclude", s.chosen.Exclude}} {
		for _, p := range f.patterns {
			if !p.Matched() {
				list = append(list,
					f.flag+" "+p.String()+
						" matches no file of a directory: *.html matches at any depth, /news/** from its top")
			}
		}
	}
	return list
}
