// Package input finds the files that a command works on, tells their kind, and opens them. It never
// holds a large file in memory.
//
//	r := &input.Reader{Options: input.Options{MaxSize: 64 << 20}}
//	for f, err := range input.Walk([]string{"mirror"}, false) {
//		if err != nil || !f.IsInput() {
//			continue
//		}
//		d, err := r.Open(ctx, f) // closed before the next one is opened
//	}
//
// Files in reading order: file.go (an input); found.go, maildir_unix.go, maildir_windows.go,
// maildir.go, moved.go, walk.go (finding files); kind.go, foreign.go, unknown.go (the kind of a
// file); content.go, place.go, decision.go, document.go (a document and its parts); holes_linux.go,
// holes_other.go, holes.go (sparse files); emlx.go (files of Apple Mail); stream.go, retrieved.go,
// decode.go, open.go (opening a file); wacz.go, remote.go (files in a WACZ, and on a server).
package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/unit"
)

// Stdin is the argument, and the source, that stands for standard input.
const Stdin = "-"

// File is one input, or an entry of a directory that is skipped (see [Skip]).
type File struct {
	Source string // as the command line gives it; for a file found in a directory, that directory and the path below it
	Path   string // path for the operating system, or empty for standard input
	Inside string // name of a web archive in the WACZ at Path, or empty
	Rel    string // slash path below the directory that the command line names, or the base name
	Bytes  int64  // size, or -1 if it is unknown

	Named bool // named on the command line, not found in a directory
	Link  bool // a symbolic link that was found in a directory
	Skip  Skip
	found foundAt

	Maildir string // the Maildir, if the file is one of its messages, or empty

	URL    string // the URL of a retrieved input, after retrieval the final URL after redirects; empty for a file
	Listed bool   // the URL comes from a list or a unit; without a URL, the File stands for the list itself

	Unit    *unit.Unit // range to read, or nil for the whole file
	UnitEnd *unit.Unit // if not nil, the File is not an input but marks the end of the inputs of this unit
}

// foundAt is the place where a walk found a file. The zero value means that no walk found it.
type foundAt struct {
	root *root  // the directory that was walked
	path string // slash path below it
}

// Skip is the reason to skip an entry of a directory. The zero value means that the entry is an
// input.
type Skip struct {
	Cause  Cause
	Why    string // Cause in words for a user
	Target string // for a link: slash path of its target below the same directory, or empty
}

// Cause is the kind of reason to skip an entry of a directory.
type Cause uint8

const (
	NoSkip     Cause = iota // an input, not skipped
	Vanished                // a temporary file or lock of this program that has vanished
	Temporary               // a temporary file of this program, by its name
	NoMessage               // inside a Maildir, but not one of its messages
	Special                 // a pipe, a socket or a device
	ToDir                   // a link to a directory
	ToInput                 // a link to a file below the same directory, which is an input itself
	ToUnchosen              // a link to such a file, but the user's patterns exclude that file
	Outside                 // a link to a file outside the directory
	Duplicate               // a file that is an input already
)

// IsInput reports whether f is an input.
func (f *File) IsInput() bool { return f.Skip.Cause == NoSkip }

// IsList reports whether f stands for a list of inputs that cannot be read.
func (f *File) IsList() bool { return f.Listed && f.URL == "" }

// IsMail reports whether f is a message of a Maildir, judged by its place.
func (f *File) IsMail() bool {
	return f.Path != "" && !f.Link && (f.Maildir != "" || MaildirHolds(f.Path))
}

// isShortLived reports whether f is a short-lived file of this program: a temporary file or a lock.
// err is the error of the stat of f.
func (f *File) isShortLived(err error) bool {
	return files.IsTemporary(filepath.Base(f.Path)) || f.IsReleasedLock(err)
}

// IsReleasedLock reports whether f is a lock, found in a directory, that was released before it
// could be read. err is the error of reading it.
func (f *File) IsReleasedLock(err error) bool {
	return !f.Named && strings.HasSuffix(f.Path, ".lock") && errors.Is(err, fs.ErrNotExist)
}

// Pathless returns err without the path and the system call of an [fs.PathError]. Messages of the
// program already name the source.
func Pathless(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// IsDir reports whether path leads to a directory.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
