package source

import (
	"io/fs"
	"os"
	"path/filepath"
)

// CopyPath returns the path of the copy of a file in the output, with slashes. file is the absolute
// path of the file. For a file below an argument, CopyPath returns the path below that directory.
// For an argument itself, it returns the base name. For a file that is not an input, it returns "":
// the file is outside all arguments, or a pattern excludes it, or it is a link to outside that is
// not followed.
func (s *Set) CopyPath(file string) string {
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
		case s.patterns.Has(filepath.ToSlash(rel)) && isWalked(dir, rel) && (s.Follow || staysWithin(dir, file)):
			return filepath.ToSlash(rel)
		}
	}
	return ""
}

// isWalked reports whether a walk through the directory dir reaches the file with the path rel
// below it, and reads it. It must be a regular file or a link to one. No directory between dir and
// the file may be a symbolic link. The result is true if the file is missing.
func isWalked(dir, rel string) bool {
	for i, c := range rel {
		if c != filepath.Separator {
			continue
		}
		if info, err := os.Lstat(filepath.Join(dir, rel[:i])); err == nil && !info.IsDir() {
			return false
		}
	}
	info, err := os.Stat(filepath.Join(dir, rel))
	return err != nil || info.Mode().IsRegular()
}

// staysWithin reports whether file, which is below dir, is not a symbolic link, or links to a file
// below dir.
func staysWithin(dir, file string) bool {
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
