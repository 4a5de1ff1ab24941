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
// input directories of its files: it gives nobody more permissions than these. But until finish is
// called, the user has all permissions on it, so that the run can write to it.
type directories struct {
	parent  *Dir   // the directory that contains the output
	name    string // the name of the output in parent
	top     *Dir   // the output itself, once it is made
	mu      sync.Mutex
	byPath  map[string]*directory
	resumed bool // existing directories may come from a killed run
}

// directory is a directory of the output.
type directory struct {
	rel     string          // its slash path below the output
	ours    bool            // it was made by this run, or by the killed run that this run resumes
	decided bool            // ours does not change any more
	sources map[string]bool // paths of the input directories of which it is a copy
	src     fs.FileInfo     // describes the first source; nil if there is none
	perm    fs.FileMode     // the permissions that all sources give
}

// ensure makes the directory at path and the directories above it, unless they exist. rel is its
// slash path below the output. A directory that ensure makes is a copy of the directory src, and
// the directories above it are copies of the directories above src. If src is "", the umask decides
// the mode.
func (d *directories) ensure(path, rel, src string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ensureLocked(path, rel, src)
}

// ensureLocked is ensure for a caller that has locked d.mu.
func (d *directories) ensureLocked(path, rel, src string) error {
	dir := d.byPath[path]
	if dir == nil {
		var err error
		dir, err = d.makeWithParents(path, rel, src)
		if err != nil {
			return err
		}
	}
	if src != "" && d.resumed && !dir.decided {
		if err := d.decideOurs(dir, src); err != nil {
			return err
		}
	}
	return d.addSource(dir, src)
}

// makeWithParents makes the directory at path and the directories above it, unless they exist, and
// adds them to d.
func (d *directories) makeWithParents(path, rel, src string) (*directory, error) {
	parentSrc := ""
	perm := fs.ModePerm
	if src != "" {
		parentSrc = filepath.Dir(src)
		perm = 0o700 // until addSource sets the permissions of others
	}
	if rel != "." {
		if err := d.ensureLocked(filepath.Dir(path), slash.Dir(rel), parentSrc); err != nil {
			return nil, err
		}
	}
	dir, err := d.makeOne(path, rel, perm)
	if err != nil {
		return nil, err
	}
	d.byPath[path] = dir
	return dir, nil
}

// makeOne makes the directory at path, unless it exists. rel is its slash path below the output.
// The directory above it must exist. makeOne refuses a symbolic link, which leads out of the
// output.
func (d *directories) makeOne(path, rel string, perm fs.FileMode) (*directory, error) {
	parent := d.parent
	name := d.name
	if rel != "." {
		var err error
		parent, err = d.open(slash.Dir(rel))
		if err != nil {
			return nil, err
		}
		defer parent.Close()
		name = slash.Base(rel)
	}
	dir := &directory{rel: rel, perm: fs.ModePerm}
	err := parent.Mkdir(name, perm)
	dir.ours = err == nil
	dir.decided = dir.ours
	if errors.Is(err, fs.ErrExist) {
		err = checkDirectory(parent, name, path)
	}
	if err == nil && rel == "." {
		d.top, err = parent.Below(name)
	}
	return dir, refuseLink(err)
}

// checkDirectory returns an error if name in parent is not a directory. path is the path of name.
func checkDirectory(parent *Dir, name, path string) error {
	e, err := parent.Lstat(name)
	switch {
	case err != nil:
		return err
	case e.Type() == fs.ModeSymlink:
		return refuse("%s is a symbolic link, and absolink does not write through links", path)
	case e.Type() != fs.ModeDir:
		return &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
	}
	return nil
}

// open opens the directory with the slash path rel. The caller must close it. The error is a
// *Refusal if there is a symbolic link on the way.
func (d *directories) open(rel string) (*Dir, error) {
	dir, err := d.top.Below(rel)
	return dir, refuseLink(err)
}

// refuseLink returns a *Refusal if err is a *LinkError. Otherwise it returns err.
func refuseLink(err error) error {
	if link := (*LinkError)(nil); errors.As(err, &link) {
		return refuse("%v: absolink does not write through links", err)
	}
	return err
}

// withOpen opens dir, and calls f with the open directory.
func (d *directories) withOpen(dir *directory, f func(*os.File) error) error {
	file, err := d.top.OpenBelow(dir.rel, os.O_RDONLY)
	if err != nil {
		return refuseLink(err)
	}
	defer file.Close()
	return f(file)
}

// decideOurs sets dir.ours for a directory that existed before this run. ours is set if two
// conditions hold. The directory gives group and others the permissions that a copy of src has. And
// it belongs to the user or, if the user is root, to the owner of src.
func (d *directories) decideOurs(dir *directory, src string) error {
	dir.decided = true
	info, err := os.Stat(src)
	if err != nil {
		return err
	}
	existing, err := d.open(dir.rel)
	if err != nil {
		return err
	}
	defer existing.Close()
	now, err := existing.Stat()
	if err != nil {
		return err
	}
	user := uint32(os.Geteuid())
	mine := owner(now) == user || user == 0 && owner(now) == owner(info)
	dir.ours = mine && now.Mode().Perm()&0o077 == info.Mode().Perm()&^maskedWriteBits()&0o077
	return nil
}

// addSource adds src to the sources of dir, and removes the permissions of dir that src does not
// give. It does nothing if dir is not ours, if src is "", or if src is already a source.
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
		return f.Chmod(dir.perm&^maskedWriteBits() | 0o700 | inheritedBits(now))
	})
}

// finish gives the directories of this run the owners and modes of their sources. It handles a
// directory before its parent, because the user may not be permitted to enter the parent
// afterwards.
func (d *directories) finish() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var paths []string
	for path, dir := range d.byPath {
		if dir.src != nil {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return strings.Compare(b, a) })
	var failed error
	for _, path := range paths {
		dir := d.byPath[path]
		failed = errors.Join(failed, d.withOpen(dir, func(f *os.File) error { return copyMode(f, dir.src, dir.perm) }))
	}
	return failed
}
