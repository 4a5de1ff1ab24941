// Package files makes, replaces and removes files. At any moment, even after an interrupt, the name
// of a file stands for the whole old content or the whole new content.
//
// # Directories
//
// A [Dir] is an open directory. Its methods take the base names of files in it. A user who can
// write to the directory above can replace a directory by a symbolic link at any moment. So the
// check of a file and the write to it must go through the same open directory. On Unix this needs
// more than [os.Root]: the exchange of two names, hard links that refuse a symbolic link, and an
// open that does not wait for a pipe. On Windows os.Root is enough.
//
// # New content
//
// New content goes to a temporary file in the same directory. The file gets the mode, owner and
// time of its source, and in [Replace] also the extended attributes. Then a rename gives it its
// name. [Replace] flushes the file to the disk before the rename, and the directory after it. So
// the old or the new content also survives a crash. [Create] does not flush, because the source of
// a copy still exists. The [Writer] of the caller may read the content back and refuse it: until
// the rename nothing has changed.
//
// # Temporary files
//
// A temporary file stands beside the file that it will replace, and is named
//
//	.NAME.absolink-HOST-RANDOM-CHECK
//
// HOST identifies the machine, by a hash of its name and a hash of its boot ID. RANDOM is a number.
// CHECK is a hash of everything before it, so that no other program uses such a name by chance.
//
// The process that writes the file holds a lock (flock) on it, which ends with the process. So if
// no process locks such a file of this machine, the file is left over, and a [Sweeper] removes it.
// The name has no process number, because the system reuses them. A container has the boot ID of
// the machine that it runs on, whatever its own name is, and both see the same locks. Files with
// other names, and files of other machines or users, are never touched. On a file system without
// such locks, no file counts as left over.
//
//	directory.go      an open directory
//	temporary.go      temporary files, and their removal after a kill
//	spool.go          bytes in memory, or in a nameless file if they are many
//	create.go         new files
//	replace.go        files that replace others
//	mode.go           the mode and owner of a copy
//	tree.go           a tree of output files; directories.go its directories, links.go its links
//	interruptible.go  a writer that stops with a context
//	why.go            messages
//
// Files such as owner_unix.go have the parts that differ between systems.
package files

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

// LinkError is the error for a symbolic link where none is allowed.
type LinkError struct{ Path string }

func (e *LinkError) Error() string { return e.Path + " is a symbolic link by now" }

// RealPath returns the absolute path of path, without symbolic links.
func RealPath(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil || filepath.IsAbs(path) {
		return path, err
	}
	current, err := os.Getwd() // may contain symbolic links itself
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(filepath.Join(current, path))
}

// Names yields the names in the directory, in no particular order, up to the first error.
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

// RenameNew renames a file to a name that must not exist. If the name exists, the error is
// fs.ErrExist, and both files keep their names.
func (d *Dir) RenameNew(from, to string) error {
	err := d.renameNew(from, to)
	if errors.Is(err, errors.ErrUnsupported) {
		return d.renameInSteps(from, to)
	}
	return err
}

// renameInSteps is RenameNew for systems that cannot do it in one step. It gives the file the name
// to as a second name, which fails if that name exists, and then removes the name from. A kill
// between these steps leaves both names. If the file system has no hard links, renameInSteps first
// checks that the name to does not exist, and then renames.
func (d *Dir) renameInSteps(from, to string) error {
	err := d.Link(from, to)
	if err == nil {
		return d.Remove(from)
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := d.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: d.Path(from), New: d.Path(to), Err: fs.ErrExist}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return d.Rename(from, to)
}

// Is reports whether name is the open file f. It is false if name is a symbolic link to f.
func (d *Dir) Is(name string, f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	e, err := d.Lstat(name)
	return err == nil && e.Is(info)
}
