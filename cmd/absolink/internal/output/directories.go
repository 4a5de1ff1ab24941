package output

import (
	"errors"
	"io/fs"
	"os"
	slash "path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// directories are those of the output, by path. One that the run makes is a copy of the
// directory that its files come from, and no user may do more in it than there. So that it
// can be filled the user may do everything in it until finish is called.
type directories struct {
	mu     sync.Mutex
	known  map[string]*made
	resume bool // a killed run may have made some that are there
}

// made is one of them.
type made struct {
	made bool            // by this run, or the killed one that it goes on with; the mode of another stays
	told bool            // whether that is decided
	from map[string]bool // the directories that it is a copy of
	src  fs.FileInfo     // of the first of them; nil if there is none
	perm fs.FileMode     // what all of them permit
}

// make makes the directory path, whose path below the output is rel, and those above it.
// It is a copy of src, and those above are copies of those above src. Where src is "" the
// umask decides.
func (d *directories) make(path, rel, src string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.makeLocked(path, rel, src)
}

func (d *directories) makeLocked(path, rel, src string) error {
	dir := d.known[path]
	if dir == nil {
		if rel != "." {
			if err := d.makeLocked(filepath.Dir(path), slash.Dir(rel), above(src)); err != nil {
				return err
			}
		}
		perm := fs.ModePerm
		if src != "" {
			perm = 0o700 // until copyOf says who else may do what in it
		}
		var err error
		if dir, err = newMade(path, perm); err != nil {
			return err
		}
		d.known[path] = dir
	}
	if src != "" && d.resume && !dir.told {
		if err := dir.adopt(path, src); err != nil {
			return err
		}
	}
	return dir.copyOf(path, src)
}

// above returns the directory above src, "" for none.
func above(src string) string {
	if src == "" {
		return ""
	}
	return filepath.Dir(src)
}

// newMade makes the directory path if it is not there. A symbolic link in its place is
// refused: it leads out of the output.
func newMade(path string, perm fs.FileMode) (*made, error) {
	err := os.Mkdir(path, perm)
	if errors.Is(err, fs.ErrExist) {
		info, err := os.Lstat(path)
		switch {
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			err = refuse("%s is a symbolic link, and nothing is written where it leads", path)
		case err == nil && !info.IsDir():
			err = &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
		}
		return &made{perm: fs.ModePerm}, err
	}
	return &made{made: true, told: true, perm: fs.ModePerm}, err
}

// adopt takes a directory that is there for one that a killed run has made as a copy of
// src, if it can be: it permits group and others what that would, and belongs to the user
// or has the owner of src already.
func (d *made) adopt(path, src string) error {
	d.told = true
	now, err := os.Stat(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(src)
	if err != nil {
		return err
	}
	user := uint32(os.Geteuid())
	mine := owner(now) == user || user == 0 && owner(now) == owner(info)
	d.made = mine && now.Mode().Perm()&0o077 == info.Mode().Perm()&^unwritable()&0o077
	return nil
}

// copyOf says that the directory, which stands at path, is a copy of src too.
func (d *made) copyOf(path, src string) error {
	if !d.made || src == "" || d.from[src] {
		return nil
	}
	info, err := os.Stat(src)
	if err != nil {
		return err
	}
	if d.src == nil {
		d.src, d.from = info, make(map[string]bool)
	}
	d.from[src] = true
	d.perm &= info.Mode()
	return opened(path, func(f *os.File) error {
		now, err := f.Stat()
		if err != nil {
			return err
		}
		return f.Chmod(d.perm&^unwritable() | 0o700 | inherited(now))
	})
}

// finish gives the directories that were made their owners and modes, those below others
// first.
func (d *directories) finish() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var paths []string
	for path, dir := range d.known {
		if dir.src != nil {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return strings.Compare(b, a) })
	var failed error
	for _, path := range paths {
		failed = errors.Join(failed, d.known[path].finish(path))
	}
	return failed
}

func (d *made) finish(path string) error {
	return opened(path, func(f *os.File) error { return imitate(f, d.src, d.perm) })
}
