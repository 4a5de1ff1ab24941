package source

import (
	"io/fs"
	"os"
	"path/filepath"
)

// RelOf returns the slash path that a file, by its absolute name, has below a directory that
// is an argument, or the base name of one that is an argument itself: where its copy has its
// place. It is "" for a file that is no input: outside of all arguments, left out by a
// pattern, or a link out of them that is not followed.
func (s *Set) RelOf(file string) string {
	for _, arg := range s.args {
		dir, err := filepath.Abs(arg)
		if err != nil || IsURL(arg) {
			continue
		}
		rel, err := filepath.Rel(dir, file)
		switch {
		case err != nil || !filepath.IsLocal(rel):
		case rel == ".":
			return filepath.Base(file)
		case s.chosen.Has(filepath.ToSlash(rel)) && (s.Follow || within(dir, file)):
			return filepath.ToSlash(rel)
		}
	}
	return ""
}

// within reports whether file, below dir, is no symbolic link or one to below dir.
func within(dir, file string) bool {
	info, err := os.Lstat(file)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return err == nil
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return false
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return false
	}
	rel, err := filepath.Rel(dir, real)
	return err == nil && filepath.IsLocal(rel)
}
