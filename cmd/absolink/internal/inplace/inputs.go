package inplace

import (
	"path/filepath"
	"slices"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/maildir"
)

// inputsOf returns the real paths of the inputs in args. The paths are sorted, without duplicates.
// A Maildir message has the path MAILDIR/cur/UNIQUE, because mail programs move messages from new
// to cur, and change everything in their names except UNIQUE.
//
// inputsOf leaves out an input if both the file and its directory are missing. The run reports such
// inputs later.
func inputsOf(args []string) []string {
	var paths []string
	for _, arg := range args {
		if path, err := inputOf(arg); err == nil {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// inputOf returns the path that inputsOf returns for one argument.
func inputOf(arg string) (string, error) {
	path, err := realPath(arg)
	if err != nil { // the file is missing: it may be a message that a mail program has moved
		path, err = realPath(filepath.Dir(arg))
		path = filepath.Join(path, filepath.Base(arg))
	}
	if err == nil && input.MaildirHolds(path) {
		path = filepath.Join(maildirOf(path), "cur", maildir.Split(filepath.Base(path)).Unique)
	}
	return path, err
}

// rootsOf returns directories that contain all files of the inputs in args. It leaves out a
// directory that is below another of these directories. It also leaves out the directory of an
// input if both the file and the directory are missing.
func rootsOf(args []string) journal.Roots {
	var roots []string
	for _, arg := range args {
		if dir, err := rootOf(arg); err == nil {
			roots = append(roots, dir)
		}
	}
	slices.SortFunc(roots, func(a, b string) int { return len(a) - len(b) })
	var top journal.Roots
	for _, root := range roots {
		if !top.Has(root) {
			top = append(top, root)
		}
	}
	return top
}

// rootOf returns the directory that contains all files of one argument. For a Maildir message this
// is the Maildir, because mail programs move the message inside the Maildir.
func rootOf(arg string) (string, error) {
	if input.IsDir(arg) {
		return realPath(arg)
	}
	if path, err := realPath(arg); err == nil {
		arg = path
	}
	if input.MaildirHolds(arg) {
		return realPath(filepath.Join(filepath.Dir(arg), ".."))
	}
	return realPath(filepath.Dir(arg))
}
