// Package files makes, replaces and removes files so that at every moment, after an interrupt too,
// the name of a file stands for the whole old content or the whole new one.
//
// # Directories
//
// A [Dir] holds a directory open, and names files in it by base name. Whoever can write the
// directory above can exchange a directory for a symbolic link at any moment. What was checked and
// what is written are the same only if both go through one handle. On Unix this needs more than
// [os.Root]: the exchange of two names, hard links that refuse a symbolic link, and opening without
// waiting for a pipe. On Windows os.Root does it.
//
// # New content
//
// New content goes to a temporary file in the same directory, gets the mode, owner, time and
// extended attributes of the source, and takes the name by a rename. If it replaces the only copy,
// it is flushed to the disk before the rename, and the directory after it, so that the same holds
// after a crash. Copies are left to the system, since their source is still there. The caller's
// [Writer] may read back what it has written and refuse it: until the rename nothing has happened.
//
// # Temporary files
//
// A temporary file stands beside the file that it is to become, under the name
//
//	.NAME.absolink-HOST-RANDOM-CHECK
//
// HOST stands for the machine: for its name, and for a number that its kernel drew when it
// started. RANDOM is a number. CHECK is a sum of all before it, so that no other program gives a
// file such a name by chance. The process that writes the file holds a lock (flock) on it, which
// ends with the process. So a file of this machine under such a name that no process locks is left
// over, and a [Sweeper] removes it. Process numbers are not used, since the system gives them out
// again. A container counts as the machine that it runs on, whatever its name is, since both see
// the same locks. A file under any other name, or of another machine or user, is never touched. On
// a file system without such locks nothing counts as left over.
//
//	directory.go   a directory that is held open
//	temporary.go   temporary files, and their removal after a kill
//	spool.go       bytes that go to a nameless file once they are many
//	create.go      new files
//	replace.go     files that take the place of others
//	tree.go        a tree of output files; directories.go its directories, links.go its links
//	why.go         messages
package files

import (
	"io"
	"iter"
	"os"
	"path/filepath"
)

// LinkError says that a symbolic link stands where none may.
type LinkError struct{ Path string }

func (e *LinkError) Error() string { return e.Path + " is a symbolic link by now" }

// RealPath returns the absolute path without symbolic links.
func RealPath(path string) (string, error) {
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
