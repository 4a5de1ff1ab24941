// Package input finds the files that a command works on, tells their kind, and opens them. It never
// holds a large file in memory.
//
//	r := &input.Reader{Options: input.Options{MaxSize: 64 << 20}}
//	for f, err := range input.Walk([]string{"mirror"}, false) {
//		if err != nil || !f.IsInput() {
//			continue
//		}
//		d, err := r.Open(ctx, f) // call d.Close before the next Open
//	}
//
// Files in reading order: file.go (an input); found.go, maildir_unix.go, maildir_windows.go,
// maildir.go, moved.go, walk.go (finding files); kind.go, unknown.go, record.go (the kind of a
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

// Stdin is the argument that stands for standard input. It is also the Source of that input.
const Stdin = "-"

// File is one input, or an entry of a directory that is skipped (see [Skip]).
type File struct {
	// Source is the name for messages. It is the argument of the command line, followed by the path
	// below it for a file in a directory.
	Source string
	Path   string // path for the operating system; empty for standard input
	Inside string // name of a web archive in the WACZ at Path, or empty
	Rel    string // slash path below the directory on the command line; base name of a named file
	Bytes  int64  // size, or -1 if it is unknown

	Named bool // the file is named on the command line, not found in a directory
	Link  bool // the file is a symbolic link that was found in a directory
	Skip  Skip
	found foundAt

	Maildir string // the Maildir if the file is a message in it, or empty

	URL     string // URL of an input that is retrieved; then the final one, after redirects; empty for a file
	Charset string // charset of the document that a client has sent; empty if the options or the document tell it
	Listed  bool   // the URL comes from a list or a unit; if URL is empty, the File is no input: see IsList

	Unit    *unit.Unit // the range to read; nil for the whole file
	UnitEnd *unit.Unit // not nil if the File is not an input, but only marks the end of this unit
}

// foundAt says where a walk found a file. The zero value says that no walk found it.
type foundAt struct {
	root *root  // the directory that was walked
	path string // path below root, with slashes
}

// Skip is the reason to skip an entry of a directory. With the zero value the entry is an input.
type Skip struct {
	Cause  Cause
	Why    string // the cause in words, for a user
	Target string // slash path of the target of a link below the walked directory, or empty
}

// Cause says why an entry of a directory is skipped.
type Cause uint8

const (
	NoSkip     Cause = iota // the entry is an input
	Vanished                // a temporary file or lock of this program that has been removed since
	Temporary               // a file with the name of a temporary file of this program
	NoMessage               // a file in a Maildir that is not one of its messages
	Special                 // a pipe, a socket or a device
	ToDir                   // a link to a directory
	ToInput                 // a link to a file below the same directory, which is an input itself
	ToUnchosen              // a link to a file below the same directory that the user's patterns exclude
	Outside                 // a link to a file outside the directory
	Duplicate               // a file that is already an input
)

// IsInput reports whether f is an input.
func (f *File) IsInput() bool { return f.Skip.Cause == NoSkip }

// IsList reports whether f is not an input, but stands for a list of inputs that cannot be read, or
// for a line of it that is not an input.
func (f *File) IsList() bool { return f.Listed && f.URL == "" }

// IsMail reports whether f is a message of a Maildir, by its path.
func (f *File) IsMail() bool {
	return f.Path != "" && !f.Link && (f.Maildir != "" || MaildirHolds(f.Path))
}

// isShortLived reports whether f is a temporary file or a released lock of this program. err is the
// error of the Lstat of f.
func (f *File) isShortLived(err error) bool {
	return files.IsTemporary(filepath.Base(f.Path)) || f.IsReleasedLock(err)
}

// IsReleasedLock reports whether f, found in a directory, is a lock file that was removed before f
// was read. err is the error of reading f.
func (f *File) IsReleasedLock(err error) bool {
	return !f.Named && strings.HasSuffix(f.Path, ".lock") && errors.Is(err, fs.ErrNotExist)
}

// Pathless returns err without the path and the system call of an [fs.PathError]. The messages of
// the program already name the source.
func Pathless(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// IsDir reports whether path is a directory, or a link to one.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
