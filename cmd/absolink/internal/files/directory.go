// Package files makes, replaces and removes files. At any moment, even after an interrupt, a file
// has either its whole old content or its whole new content.
//
// # Directories
//
// A [Dir] is an open directory. Its methods take the base names of files in it. A user who can
// write to the parent of a directory can replace the directory by a symbolic link at any moment. So
// the check of a file and the write to it must go through the same open directory. On Unix this
// needs features that [os.Root] lacks: the exchange of two names, hard links that refuse a symbolic
// link, and an open that does not wait for a pipe. On Windows os.Root is enough.
//
// # New content
//
// New content goes to a temporary file in the same directory. This file gets the mode, owner and
// time of its source, and in [Replace] also the extended attributes. Then it is renamed. [Replace]
// flushes the file to the disk before the rename, and the directory after the rename. So the old or
// the new content also survives a crash. [Create] does not flush, because the source of a copy
// still exists. The [Writer] of the caller may read the content back and refuse it: before the
// rename nothing has changed.
//
// # Temporary files
//
// A temporary file stands beside the file that it will replace, and is named
//
//	.NAME.absolink-HOST-RANDOM-CHECK
//
// HOST identifies the machine, by a hash of its name and a hash of its boot ID. RANDOM is a number.
// CHECK is a hash of the name up to it, so that no other program uses such a name by chance.
//
// The process that writes the file locks it (flock; LockFileEx on Windows). The lock ends with the
// process. So if no process has locked such a file of this machine, the file is left over, and a
// [Sweeper] removes it. The name does not contain a process number, because the system reuses these
// numbers. A container has its own host name, but the boot ID of its machine, and sees the locks of
// the machine. Files with other names, and files of other machines or users, are never touched. On
// a file system without locks, no file counts as left over.
//
//	directory.go      an open directory
//	temporary.go      temporary files, and their removal after a kill
//	spool.go          bytes in memory, or in a nameless file if they are many
//	create.go         new files
//	replace.go        files that replace others
//	mode.go           the mode and owner of a copy
//	names.go          names that are allowed on Windows
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
	current, err := os.Getwd() // this path may contain symbolic links, too
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

// renameInSteps is RenameNew for systems that cannot do it in one step. First it gives the file a
// second name, to, which fails if that name exists. Then it removes the old name. A kill between
// these steps leaves both names. If the file system has no hard links, renameInSteps checks that no
// file has the name to, and then renames the file.
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

// Is reports whether name is the open file f. It returns false if name is a symbolic link to f.
func (d *Dir) Is(name string, f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	e, err := d.Lstat(name)
	return err == nil && e.Is(info)
}
