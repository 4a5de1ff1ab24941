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

// Targets says whether the target files of links are checked, and which file stands for a
// directory.
type Targets struct {
	Check        bool // look for the file of each link, and add a warning to the link if it is missing
	Fragments    Fragments
	AllFragments bool     // report each missing fragment, not only the first ten of a document or message
	Index        []string // names of the files that stand for their directory; if empty, site.Indexes

	tree    *site.Tree // finds the target files; set by Options.Prepare (if Check is set) and by SetTree
	anchors site.Anchors
}

// Fragments says whether a check of links also looks in the target page for the id or name in the
// fragment. The zero value is AutoFragments.
type Fragments uint8

const (
	AutoFragments  Fragments = iota // look for the id or name; Targets.AllFragments says how many are reported
	NeverFragments                  // do not look for it
)

// String returns auto or never.
func (f Fragments) String() string {
	return [...]string{AutoFragments: "auto", NeverFragments: "never"}[f]
}

// Register adds the flags to c.
func (t *Targets) Register(c *cobra.Command) {
	fs := c.Flags()
	fs.BoolVar(&t.Check, "check-files", false,
		"Moving: report links whose file below a --root is missing or has another name; rewrite checks the links "+
			"that it will write")
	flag.Enum(c, &t.Fragments, "check-fragments",
		"Moving: with --check-files, look in the target page for the id or name in the fragment, `WHEN`: "+
			"auto (reports the first ten missing ones of a document or message; -v and records have all) or never",
		AutoFragments, NeverFragments)
	fs.Var((*flag.Names)(&t.Index), "index",
		"Moving: `NAMES` of the files that stand for their directory; the first that exists counts (default: "+
			strings.Join(site.Indexes, ", ")+")")
}

// checkIndex refuses names of index files that contain a directory. It also refuses a name that
// belongs to a directory below the roots.
func (t *Targets) checkIndex(roots []site.Root) error {
	for _, name := range t.Index {
		if strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
			return flag.Errorf("--index %q: give a file name without a directory, such as index.html", name)
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

// SetTree replaces the tree in which the target files of links are looked up. It is for a site that
// moves. Call it after [Options.Prepare].
func (t *Targets) SetTree(tree *site.Tree) { t.tree = tree }

// IsIndex reports whether a file of this name stands for its directory. Case does not matter.
func (t *Targets) IsIndex(name string) bool {
	if len(t.Index) == 0 {
		return site.IsIndex(site.Indexes, name)
	}
	return site.IsIndex(t.Index, name)
}
