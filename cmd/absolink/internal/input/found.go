package input

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"absolink/cmd/absolink/internal/files"
)

// Somebody with write access to a tree can replace a file or directory by a symbolic link at any
// moment. Therefore a walk reads directories through the handle of the walked directory. A found
// file is opened relative to the walked directory, and never through a symbolic link. So the file
// is opened where it was found, or not at all.

// root is a directory that is walked.
type root struct {
	path string      // path of the directory; absolute and without symbolic links, if the system finds this path
	info fs.FileInfo // info of the directory when the walk began
}

// errReplaced is the error if another directory has replaced the walked directory.
var errReplaced = errors.New("another directory has taken the place of the INPUT since the run began: it is not read")

// errLinked is the error if the path of a file now has a symbolic link.
var errLinked = errors.New("a symbolic link has replaced it, or a directory above it, since the run " +
	"began: it is not read")

// errIrregular is the error if a file has become a pipe or device since the walk found it.
var errIrregular = errors.New("is no longer a regular file: it is not read")

// newRoot opens the directory arg and returns the root for it.
func newRoot(arg string) (*root, *files.Dir, error) {
	dir, err := files.OpenDir(arg)
	if err != nil {
		return nil, nil, err
	}
	r := &root{path: arg}
	if real, err := files.RealPath(arg); err == nil {
		r.path = real
	}
	if r.info, err = dir.Stat(); err != nil {
		dir.Close()
		return nil, nil, err
	}
	return r, dir, nil
}

// open opens the directory again. It returns errReplaced if another directory is there now.
func (r *root) open() (*files.Dir, error) {
	dir, err := files.OpenDir(r.path)
	if err != nil {
		return nil, err
	}
	info, err := dir.Stat()
	if err == nil && !os.SameFile(info, r.info) {
		err = errReplaced
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	return dir, nil
}

// openFound opens f, which a walk has found. It keeps the walked directory open for the next file.
func (r *Reader) openFound(f *File) (*os.File, error) {
	if r.root != f.found.root {
		if r.dir != nil {
			r.dir.Close()
		}
		r.root = nil
		r.dir = nil
		dir, err := f.found.root.open()
		if err != nil {
			return nil, err
		}
		r.root = f.found.root
		r.dir = dir
	}
	file, err := r.dir.OpenBelow(f.found.path, os.O_RDONLY)
	if link := (*files.LinkError)(nil); errors.As(err, &link) {
		return nil, errLinked
	}
	return file, err
}

// entry is an entry of a directory. It implements fs.DirEntry and fs.FileInfo.
type entry struct {
	name string
	mode fs.FileMode // the type bits
	size int64
	err  error // error of the Lstat of the entry
}

func (e *entry) Name() string               { return e.name }
func (e *entry) IsDir() bool                { return e.mode.IsDir() }
func (e *entry) Type() fs.FileMode          { return e.mode }
func (e *entry) Mode() fs.FileMode          { return e.mode }
func (e *entry) Size() int64                { return e.size }
func (e *entry) ModTime() time.Time         { return time.Time{} } // not used
func (e *entry) Sys() any                   { return nil }
func (e *entry) Info() (fs.FileInfo, error) { return e, e.err }

// tree presents a walked directory as a file system without symbolic links.
type tree struct{ *files.Dir }

func (t tree) Open(name string) (fs.File, error)          { return t.OpenBelow(name, os.O_RDONLY) }
func (t tree) Stat(string) (fs.FileInfo, error)           { return t.Dir.Stat() } // fs.WalkDir asks for "."
func (t tree) ReadDir(name string) ([]fs.DirEntry, error) { return readDir(t.Dir, name) }

// readDir returns the entries of the directory at the slash path rel below dir, in lexical order.
// With an error it returns the entries that were read before.
func readDir(dir *files.Dir, rel string) (list []fs.DirEntry, err error) {
	d, err := dir.Below(rel)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var name string
	for name, err = range d.Names() {
		if err != nil {
			break
		}
		e := &entry{name: name}
		there, failed := d.Lstat(name)
		e.err = failed
		if failed == nil {
			e.mode = there.Type()
			e.size = there.Size()
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}
