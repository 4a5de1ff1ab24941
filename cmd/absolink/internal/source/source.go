// Package source finds the inputs of a command: the files, directories and URLs in its arguments,
// the URLs of a list, or the units of a list.
//
//	s := source.Set{Include: []string{"*.html"}}
//	if err := s.SetArgs([]string{"mirror"}); err != nil {
//		return err // a *flag.Error
//	}
//	for f, err := range s.All(ctx, os.Stdin) { … }
//
// Files in reading order: url.go, once.go, source.go, list.go, units.go, place.go.
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

// Set is the set of inputs of a command. Set the exported fields before SetArgs.
type Set struct {
	Include   flag.List  // patterns of the files that are read in directories, or empty for all files
	Exclude   flag.List  // patterns of the files and directories that are skipped in directories
	Follow    bool       // also read files outside a directory to which links in it lead
	FilesFrom string     // file with inputs, for ReadFilesFrom; input.Stdin, or empty
	URLs      string     // file with URLs, one a line; input.Stdin, or empty
	Units     string     // file with units, which are then the only inputs; input.Stdin, or empty
	Prefix    string     // directory or URL of the files that an index names
	Shard     unit.Shard // the part of the inputs that is read
	Once      bool       // read a file only once if several arguments lead to it

	// MarkUnitEnds yields an extra File with UnitEnd after the inputs of each unit.
	MarkUnitEnds bool

	UnitsFormat unit.Format // of Units

	args     []string
	patterns glob.Set       // the parsed Include and Exclude
	counts   []atomic.Int64 // number of inputs of each argument
}

// SetArgs sets the arguments, and parses the patterns. Without arguments the input is standard
// input. The error is a [*flag.Error] if arguments and fields do not fit together.
func (s *Set) SetArgs(args []string) error {
	s.args = args
	s.counts = make([]atomic.Int64, len(args))
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
	case IsURL(s.Prefix) && (strings.Contains(s.Prefix, "#") || strings.HasSuffix(s.Prefix, "=")):
		shown, _, _ := strings.Cut(secret.URL(s.Prefix), "?")
		return flag.Errorf("--prefix %s: file names are added to its path, before its query: leave out a fragment, "+
			"and a query that ends with \"=\"", shown)
	case s.Units != "" && (len(args) > 0 || s.URLs != ""):
		return flag.Errorf("--units names all inputs: leave the others out, or add them to the list")
	}
	return s.parsePatterns()
}

// parsePatterns parses Include and Exclude.
func (s *Set) parsePatterns() error {
	for _, f := range []struct {
		flag  string
		texts []string
		list  *[]glob.Pattern
	}{{"--include", s.Include, &s.patterns.Include}, {"--exclude", s.Exclude, &s.patterns.Exclude}} {
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

// Args returns the arguments. The caller must not modify them.
func (s *Set) Args() []string { return s.args }

// IsSingle reports whether the input is a single document, message, mailbox, Maildir or archive, so
// that it can have a retrieval URI.
func (s *Set) IsSingle() bool {
	if s.URLs != "" || s.Units != "" || len(s.args) > 1 {
		return false
	}
	return len(s.args) == 0 || !input.IsDir(s.args[0]) || input.IsMaildir(s.args[0])
}

// All yields the inputs of the shard: the files of the arguments, of directories only those that
// the patterns choose, and then the URLs of the list. If Units is set, it yields the units instead.
// An error belongs to its File, which stands for the list if a list cannot be read. A list may be
// read from stdin. To count inputs before a run, pass nil as stdin. Then All skips lists that can
// be read only once. Reading ends when ctx is done.
func (s *Set) All(ctx context.Context, stdin io.Reader) iter.Seq2[input.File, error] {
	if s.Units != "" {
		return s.units(ctx, stdin)
	}
	return func(yield func(input.File, error) bool) {
		n := 0
		for f, err := range s.allInputs(ctx, stdin) {
			n++
			if (s.Shard.Has(n-1) || f.IsList()) && !yield(f, err) {
				return
			}
		}
	}
}

// allInputs yields the inputs of all shards, except units.
func (s *Set) allInputs(ctx context.Context, stdin io.Reader) iter.Seq2[input.File, error] {
	return func(yield func(input.File, error) bool) {
		args := s.args
		if len(args) == 0 && s.URLs == "" {
			args = []string{input.Stdin}
		}
		var seen duplicates
		for i, arg := range args {
			for f, err := range s.chosenFiles(arg) {
				if s.Once && len(args) > 1 {
					seen.skipRepeated(&f, arg)
				}
				if i < len(s.counts) {
					s.counts[i].Add(1)
				}
				if !yield(f, err) {
					return
				}
			}
		}
		if s.URLs == "" || !canReadList(s.URLs, stdin) {
			return
		}
		for f, err := range s.listedURLs(ctx, stdin) {
			if !yield(f, err) {
				return
			}
		}
	}
}

// chosenFiles yields the inputs of an argument. Of a directory it yields only files that the
// patterns choose.
func (s *Set) chosenFiles(arg string) iter.Seq2[input.File, error] {
	return func(yield func(input.File, error) bool) {
		for f, err := range s.inputsOf(arg) {
			if !f.Named && f.Rel != "." && !s.patterns.Has(f.Rel) {
				continue
			}
			if f.Skip.Cause == input.ToInput && !s.patterns.Has(f.Skip.Target) {
				f.Skip = input.Skip{Cause: input.ToUnchosen, Why: f.Skip.Why}
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// inputsOf yields all inputs of an argument.
func (s *Set) inputsOf(arg string) iter.Seq2[input.File, error] {
	if IsURL(arg) {
		return func(yield func(input.File, error) bool) { yield(urlFile(arg, false), nil) }
	}
	return func(yield func(input.File, error) bool) {
		for f, err := range input.Walk([]string{arg}, s.Follow) {
			if err != nil && f.Path == arg {
				f.Source = secret.URL(f.Source) // it may be a URL of another scheme, or with wrong slashes
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// Unmatched describes the directories in the arguments that have no input, and the patterns that
// match no file. Call it after All has yielded everything.
func (s *Set) Unmatched() []string { return slices.Concat(s.emptyDirectories(), s.unusedPatterns()) }

// emptyDirectories describes the arguments that are directories without inputs.
func (s *Set) emptyDirectories() (list []string) {
	for i := range s.counts {
		if s.counts[i].Load() > 0 || !input.IsDir(s.args[i]) {
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

// unusedPatterns describes the patterns that matched no file.
func (s *Set) unusedPatterns() (list []string) {
	for _, f := range []struct {
		flag     string
		patterns []glob.Pattern
	}{{"--include", s.patterns.Include}, {"--exclude", s.patterns.Exclude}} {
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
