package files

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

// directories are the directories of the output, by path. A directory that the run makes is a copy
// of the directory that its files come from, and gives nobody more permissions than that one. But
// until finish is called, the user has all permissions, so that the run can fill it.
type directories struct {
	above  *Dir   // the directory that contains the output
	name   string // the name of the output in above
	top    *Dir   // the output itself, once it is made
	mu     sync.Mutex
	known  map[string]*made
	resume bool // existing directories may come from a killed run
}

// made is a directory of the output.
type made struct {
	rel     string          // its slash path below the output
	made    bool            // this run, or the killed run that it resumes, made it; others keep their mode
	decided bool            // whether made is decided
	from    map[string]bool // the directories that it is a copy of
	src     fs.FileInfo     // of the first source; nil if there is no source
	perm    fs.FileMode     // the permissions that all sources give
}

// make makes the directory path and the directories above it. rel is the path below the output. The
// directory is a copy of src, and the directories above it are copies of the directories above src.
// If src is "", the umask decides.
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
			perm = 0o700 // until copyOf sets the permissions of others
		}
		var err error
		if dir, err = d.newMade(path, rel, perm); err != nil {
			return err
		}
		d.known[path] = dir
	}
	if src != "" && d.resume && !dir.decided {
		if err := d.adopt(dir, src); err != nil {
			return err
		}
	}
	return d.copyOf(dir, src)
}

// above returns the directory above src, or "" if src is "".
func above(src string) string {
	if src == "" {
		return ""
	}
	return filepath.Dir(src)
}

// newMade makes the directory path, with the slash path rel, unless it exists. It refuses a
// symbolic link in its place: the link leads out of the output.
func (d *directories) newMade(path, rel string, perm fs.FileMode) (*made, error) {
	in, name := d.above, d.name
	if rel != "." {
		var err error
		if in, err = d.open(slash.Dir(rel)); err != nil {
			return nil, err
		}
		defer in.Close()
		name = slash.Base(rel)
	}
	dir := &made{rel: rel, perm: fs.ModePerm}
	err := in.Mkdir(name, perm)
	dir.made = err == nil
	dir.decided = dir.made
	if errors.Is(err, fs.ErrExist) {
		var there *Entry
		there, err = in.Lstat(name)
		switch {
		case err != nil:
		case there.Type() == fs.ModeSymlink:
			err = refuse("%s is a symbolic link, and nothing is written where it leads", path)
		case there.Type() != fs.ModeDir:
			err = &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
		}
	}
	if err == nil && rel == "." {
		d.top, err = in.Below(name)
	}
	return dir, refuseLink(err)
}

// open opens the directory with the slash path rel. The caller must close it. The error is a
// *Refusal if there is a symbolic link on the way.
func (d *directories) open(rel string) (*Dir, error) {
	dir, err := d.top.Below(rel)
	return dir, refuseLink(err)
}

// refuseLink turns a *LinkError into a *Refusal. It returns any other error unchanged.
func refuseLink(err error) error {
	if link := (*LinkError)(nil); errors.As(err, &link) {
		return refuse("%v: nothing is written where it leads", err)
	}
	return err
}

// withOpen opens a directory of the output and calls f with it.
func (d *directories) withOpen(dir *made, f func(*os.File) error) error {
	file, err := d.top.OpenBelow(dir.rel, os.O_RDONLY)
	if err != nil {
		return refuseLink(err)
	}
	defer file.Close()
	return f(file)
}

// adopt decides whether an existing directory counts as a copy of src that a killed run made. It
// does if it gives group and others the same permissions as such a copy. It must also belong to the
// user, or if the user is root, to the owner of src.
func (d *directories) adopt(dir *made, src string) error {
	dir.decided = true
	info, err := os.Stat(src)
	if err != nil {
		return err
	}
	there, err := d.open(dir.rel)
	if err != nil {
		return err
	}
	defer there.Close()
	now, err := there.Stat()
	if err != nil {
		return err
	}
	user := uint32(os.Geteuid())
	mine := owner(now) == user || user == 0 && owner(now) == owner(info)
	dir.made = mine && now.Mode().Perm()&0o077 == info.Mode().Perm()&^unwritable()&0o077
	return nil
}

// copyOf notes that a directory is a copy of src, too.
func (d *directories) copyOf(dir *made, src string) error {
	if !dir.made || src == "" || dir.from[src] {
		return nil
	}
	info, err := os.Stat(src)
	if err != nil {
		return err
	}
	if dir.src == nil {
		dir.src = info
		dir.from = make(map[string]bool)
	}
	dir.from[src] = true
	dir.perm &= info.Mode()
	return d.withOpen(dir, func(f *os.File) error {
		now, err := f.Stat()
		if err != nil {
			return err
		}
		return f.Chmod(dir.perm&^unwritable() | 0o700 | inherited(now))
	})
}

// finish gives the new directories their owners and modes. A directory comes before the directory
// that contains it.
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
		dir := d.known[path]
		failed = errors.Join(failed, d.withOpen(dir, func(f *os.File) error { return imitate(f, dir.src, dir.perm) }))
	}
	return failed
}
