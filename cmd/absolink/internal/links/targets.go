package links

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
	"absolink/cmd/absolink/internal/site"
)

// Targets says whether the files that links lead to are checked, and which files these are.
type Targets struct {
	Check        bool // add a warning to links whose file is missing
	Fragments    Fragments
	AllFragments bool     // report each missing place in a page, not only the first ones of an input
	Index        []string // names of the files that stand for their directory, or empty for site.Indexes

	tree    *site.Tree // the files, if links are checked
	anchors site.Anchors
}

// Fragments says whether the places that fragments name are checked. The zero value is
// AutoFragments.
type Fragments uint8

const (
	AutoFragments  Fragments = iota // checked; see Targets.AllFragments
	NeverFragments                  // not checked
)

// String returns auto or never.
func (f Fragments) String() string {
	return [...]string{AutoFragments: "auto", NeverFragments: "never"}[f]
}

// Register adds the flags to c.
func (t *Targets) Register(c *cobra.Command) {
	fs := c.Flags()
	fs.BoolVar(&t.Check, "check-files", false,
		"Moving: name links to files below a --root that are missing, or exist only under another name; rewrite "+
			"checks the links as they will be written")
	flag.Enum(c, &t.Fragments, "check-fragments",
		"Moving: with --check-files, look for the id or name of a fragment in its page: auto (names the first "+
			"ten missing ones of a page, all with -v and in records) or never",
		AutoFragments, NeverFragments)
	fs.Var((*flag.Names)(&t.Index), "index",
		"Moving: `NAMES` of the files that stand for their directory; the first that exists counts (default: "+
			strings.Join(site.Indexes, ", ")+")")
}

// checkIndex refuses names of index files that no file below the roots can have.
func (t *Targets) checkIndex(roots []site.Root) error {
	for _, name := range t.Index {
		if strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
			return flag.Errorf("--index %q: a name without a directory is needed, such as index.html", name)
		}
	}
	if len(t.Index) == 0 {
		return nil
	}
	for _, r := range roots {
		err := filepath.WalkDir(r.Dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && path != r.Dir && slices.Contains(t.Index, d.Name()) {
				return flag.Errorf("--index %s: %s is a directory; give the name of a file, such as index.html",
					d.Name(), path)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// LookIn sets the tree that links are checked in: the files after a move.
func (t *Targets) LookIn(tree *site.Tree) { t.tree = tree }

// IsIndex reports whether a file with the name stands for its directory.
func (t *Targets) IsIndex(name string) bool {
	if len(t.Index) == 0 {
		return slices.Contains(site.Indexes, name)
	}
	return slices.Contains(t.Index, name)
}
