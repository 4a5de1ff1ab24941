// Package directory holds directories open, so that files in them are looked at, made,
// moved and removed by base name, whatever stands under the directory's own name by then.
//
// Whoever can write the directory above can swap a directory for a symbolic link at any
// moment. What was checked and what is written are the same only if both go through one
// handle.
package directory

import (
	"io"
	"iter"
	"os"
	"path/filepath"
)

// LinkError says that a symbolic link stands where none may.
type LinkError struct{ Path string }

func (e *LinkError) Error() string { return e.Path + " is a symbolic link by now" }

// Real returns the absolute path without symbolic links.
func Real(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil || filepath.IsAbs(path) {
		return path, err
	}
	here, err := os.Getwd() // may lead through links itself
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(filepath.Join(here, path))
}

// Names yields the names in the directory, in no order, up to the first error.
func (d *Dir) Names() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		f, err := d.readable()
		if err != nil {
			yield("", err)
			return
		}
		defer f.Close()
		for {
			list, err := f.Readdirnames(1000)
			for _, name := range list {
				if !yield(name, nil) {
					return
				}
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				yield("", err)
				return
			}
		}
	}
}
