// Package input finds the files that a command works on, tells their kind, and
// opens them so that a large one is never held in memory.
package input

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/temporary"
	"absolink/cmd/absolink/internal/unit"
)

// Stdin is the argument, and the source, that stands for standard input.
const Stdin = "-"

// File is one input.
type File struct {
	Source string // as named on the command line, joined with the path below it where that is a directory
	Path   string // as the operating system knows it; "" for standard input
	Rel    string // slash path below the directory named, or the base name
	Named  bool   // named on the command line itself, not found in a directory
	Link   bool   // a symbolic link, found in a directory
	Size   int64  // -1 if unknown
	Skip   string // why the entry of a directory is no input, "" if it is one

	Maildir string // the Maildir that it is a message of, "" if of none

	Unit *unit.Unit // the range of it that is to be read, nil for the whole

	URL    string // that it is retrieved from, in the end the one after redirects; "" for a file
	Listed bool   // the URL is one of a list, or a unit; without a URL it is the list itself
	media  string // Content-Type of what was retrieved
}

// IsList reports whether f stands for a list of inputs that cannot be read.
func (f *File) IsList() bool { return f.Listed && f.URL == "" }

// Walk yields the files that args name, in the order of args, those of a
// directory in lexical order of their paths. No args stand for standard input.
// An error belongs to the File that comes with it; the walk goes on after it.
//
// A symbolic link on the command line is followed; in a directory one to a file
// is, one to a directory is not. Of a Maildir, which is a directory with cur and
// new, these two are walked and the Maildirs in it that are its folders, never tmp.
func Walk(args []string) iter.Seq2[File, error] {
	if len(args) == 0 {
		args = []string{Stdin}
	}
	return func(yield func(File, error) bool) {
		for _, arg := range args {
			if !walkArg(arg, yield) {
				return
			}
		}
	}
}

func walkArg(arg string, yield func(File, error) bool) bool {
	if arg == Stdin {
		return yield(File{Source: Stdin, Named: true, Size: -1}, nil)
	}
	f := File{Source: arg, Path: arg, Rel: filepath.Base(arg), Named: true, Size: -1}
	info, err := os.Stat(arg)
	if err != nil {
		return yield(f, reason(err))
	}
	if info.IsDir() {
		return walkTree(arg, yield)
	}
	if info.Mode().IsRegular() {
		f.Size = info.Size()
	}
	return yield(f, nil)
}

// walkTree yields the files below root, which may be a link to a directory:
// hence the separator at its end.
func walkTree(root string, yield func(File, error) bool) bool {
	dir := strings.TrimRight(root, string(filepath.Separator)) + string(filepath.Separator)
	goOn := true
	var mail maildirs
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return mail.enter(path)
		}
		f := below(root, dir, path)
		f.Maildir, f.Skip = mail.of(path)
		if err != nil {
			goOn = yield(f, reason(err))
		} else {
			goOn = yieldEntry(f, d, yield)
		}
		if !goOn {
			return fs.SkipAll
		}
		return nil
	})
	return goOn
}

// below names the entry of the tree at root that stands at path.
func below(root, dir, path string) File {
	rel, err := filepath.Rel(filepath.Clean(root), path)
	if err != nil || rel == "." {
		return File{Source: root, Path: path, Rel: ".", Size: -1}
	}
	return File{Source: dir + rel, Path: path, Rel: filepath.ToSlash(rel), Size: -1}
}

// yieldEntry yields one entry of a directory that is no directory itself.
func yieldEntry(f File, d fs.DirEntry, yield func(File, error) bool) bool {
	info, err := d.Info()
	if f.passing(err) {
		f.Skip = "of a run that is under way, or was killed"
		return yield(f, nil)
	}
	if err == nil && d.Type()&fs.ModeSymlink != 0 {
		f.Link = true
		info, err = os.Stat(f.Path)
	}
	switch {
	case err != nil:
		return yield(f, reason(err))
	case f.Skip != "":
	case info.IsDir():
		f.Skip = "a link to a directory is not followed"
	case !info.Mode().IsRegular():
		f.Skip = "not a regular file"
	default:
		f.Size = info.Size()
	}
	return yield(f, nil)
}

// passing reports whether f is a file of ours that comes and goes beside others:
// one that waits for its name, or a lock that is gone, as err says.
func (f *File) passing(err error) bool {
	return temporary.Is(filepath.Base(f.Path)) || f.Unlocked(err)
}

// Unlocked reports whether f is a lock, found in a directory, that was given up
// before it could be read, by the error of that.
func (f *File) Unlocked(err error) bool {
	return !f.Named && strings.HasSuffix(f.Path, ".lock") && errors.Is(err, fs.ErrNotExist)
}

// reason drops the path from an error of the operating system, since the
// message that it ends in names the source already.
func reason(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	return err
}
