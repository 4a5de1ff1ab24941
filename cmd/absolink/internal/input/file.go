// Package input finds the files that a command works on, tells their kind, and opens them so that a
// large file is never held in memory.
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

// File is one input, or an entry of a directory that is none: see Skip.
type File struct {
	Source string // as the command line names it, joined with the path below a directory that it names
	Path   string // as the operating system knows it; "" for standard input
	Inside string // name of a web archive in a WACZ, whose path is Path
	Rel    string // slash path below the directory that the command line names, or the base name
	Bytes  int64  // size; -1 if it is not known

	Named bool // the command line names it; else it was found in a directory
	Link  bool // it is a symbolic link that was found in a directory
	Skip  Skip
	found found

	Maildir string // the Maildir that it is a message of; "" if it is none

	URL    string // from which it is retrieved, and after that the URL after redirects; "" for a file
	Listed bool   // the URL stands in a list, or is a unit; without a URL the File stands for the list

	Unit *unit.Unit // range that is to be read; nil for the whole
	Last *unit.Unit // not nil: the File is no input, and all inputs of this unit came before it
}

// found is where a walk found a file. The zero value is that of a file that no walk found.
type found struct {
	root *root  // the directory that was walked
	path string // slash path below it
}

// Skip is why an entry of a directory is no input. The zero value is that of an input.
type Skip struct {
	Cause  Cause
	Why    string // Cause in words for a user
	Target string // slash path, below the same directory, of the file that a link leads to; "" for all else
}

// Cause is why an entry of a directory is no input.
type Cause uint8

// The causes.
const (
	NoSkip     Cause = iota // it is an input
	Passing                 // it was a temporary file or lock of this program, and is gone
	Temporary               // it is a temporary file of this program by its name
	NoMessage               // it lies in a Maildir, and is no message of it
	Special                 // it is a pipe, a socket or a device
	ToDir                   // a link to a directory
	ToInput                 // a link to a file below the same directory, which is an input itself
	ToUnchosen              // a link to such a file that the patterns of the user leave out
	Outside                 // a link to a file outside of the directory
	Again                   // the same file is an input already
)

// IsInput reports whether f is an input.
func (f *File) IsInput() bool { return f.Skip.Cause == NoSkip }

// IsList reports whether f stands for a list of inputs that cannot be read.
func (f *File) IsList() bool { return f.Listed && f.URL == "" }

// IsMail reports whether f is a message of a Maildir, by where it stands.
func (f *File) IsMail() bool {
	return f.Path != "" && !f.Link && (f.Maildir != "" || MaildirHolds(f.Path))
}

// isPassing reports whether f is a file of this program that comes and goes beside others: a
// temporary file, or a lock. err is the error of looking at it.
func (f *File) isPassing(err error) bool {
	return files.IsTemporary(filepath.Base(f.Path)) || f.Unlocked(err)
}

// Unlocked reports whether f is a lock, found in a directory, that was given up before it could be
// read. err is the error of reading it.
func (f *File) Unlocked(err error) bool {
	return !f.Named && strings.HasSuffix(f.Path, ".lock") && errors.Is(err, fs.ErrNotExist)
}

// Pathless drops the path and the system call from an error of the operating system. The message of
// the program names the source already.
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
