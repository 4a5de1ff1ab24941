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

// directories are the directories of the output. A directory that the run makes is a copy of the
// input directory that its files come from, and gives nobody more permissions. But until finish is
// called, the user has all permissions on it, so that the run can fill it.
type directories struct {
	above  *Dir   // the directory that contains the output
	name   string // the name of the output in above
	top    *Dir   // the output itself, once it is made
	mu     sync.Mutex
	known  map[string]*directory // by path
	resume bool                  // existing directories may come from a killed run
}

// directory is a directory of the output.
type directory struct {
	rel     string          // its slash path below the output
	ours    bool            // this run made it, or the killed run that it resumes
	decided bool            // ours is final
	sources map[string]bool // paths of the input directories that it is a copy of
	src     fs.FileInfo     // of the first source; nil if there is no source
	perm    fs.FileMode     // the permissions that all sources give
}

// ensure makes the directory path and the directories above it, unless they exist. rel is its slash
// path below the output. The directory becomes a copy of src, and the directories above it become
// copies of the directories above src. If src is "", the umask decides the mode.
func (d *directories) ensure(path, rel, src string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ensureLocked(path, rel, src)
}

func (d *directories) ensureLocked(path, rel, src string) error {
	dir := d.known[path]
	if dir == nil {
		if rel != "." {
			if err := d.ensureLocked(filepath.Dir(path), slash.Dir(rel), above(src)); err != nil {
				return err
			}
		}
		perm := fs.ModePerm
		if src != "" {
			perm = 0o700 // until addSource sets the permissions of others
		}
		var err error
		if dir, err = d.makeOne(path, rel, perm); err != nil {
			return err
		}
		d.known[path] = dir
	}
	if src != "" && d.resume && !dir.decided {
		if err := d.decideOurs(dir, src); err != nil {
			return err
		}
	}
	return d.addSource(dir, src)
}

// above returns the directory above src, or "" if src is "".
func above(src string) string {
	if src == "" {
		return ""
	}
	return filepath.Dir(src)
}

// makeOne makes the directory path, with the slash path rel, unless it exists. The directory above
// it must exist. makeOne refuses a symbolic link, which leads out of the output.
func (d *directories) makeOne(path, rel string, perm fs.FileMode) (*directory, error) {
	in, name := d.above, d.name
	if rel != "." {
		var err error
		if in, err = d.open(slash.Dir(rel)); err != nil {
			return nil, err
		}
		defer in.Close()
		name = slash.Base(rel)
	}
	dir := &directory{rel: rel, perm: fs.ModePerm}
	err := in.Mkdir(name, perm)
	dir.ours = err == nil
	dir.decided = dir.ours
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
func (d *directories) withOpen(dir *directory, f func(*os.File) error) error {
	file, err := d.top.OpenBelow(dir.rel, os.O_RDONLY)
	if err != nil {
		return refuseLink(err)
	}
	defer file.Close()
	return f(file)
}

// decideOurs sets dir.ours of a directory that existed before this run. A killed run has made it if
// it gives group and others the same permissions as a copy of src. It must also belong to the user,
// or if the user is root, to the owner of src.
func (d *directories) decideOurs(dir *directory, src string) error {
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
	dir.ours = mine && now.Mode().Perm()&0o077 == info.Mode().Perm()&^unwritable()&0o077
	return nil
}

// addSource makes src a further source of dir, and takes away the permissions that src does not
// give.
func (d *directories) addSource(dir *directory, src string) error {
	if !dir.ours || src == "" || dir.sources[src] {
		return nil
	}
	info, err := os.Stat(src)
	if err != nil {
		return err
	}
	if dir.src == nil {
		dir.src = info
		dir.sources = make(map[string]bool)
	}
	dir.sources[src] = true
	dir.perm &= info.Mode()
	return d.withOpen(dir, func(f *os.File) error {
		now, err := f.Stat()
		if err != nil {
			return err
		}
		return f.Chmod(dir.perm&^unwritable() | 0o700 | inherited(now))
	})
}

// finish gives the directories of this run their owners and modes. It finishes a directory before
// the directory that contains it, which may then be closed to the user.
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
