package inplace

import (
	"path/filepath"
	"slices"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/maildir"
)

// inputsOf returns the real paths of the inputs args, sorted and each once. The path of a Maildir
// message becomes MAILDIR/cur/UNIQUE, because mail readers move messages from new to cur, and
// change everything in their names except UNIQUE. inputsOf leaves out an input if its directory is
// missing too. The run reports such inputs later.
func inputsOf(args []string) []string {
	var inputs []string
	for _, arg := range args {
		if path, err := inputOf(arg); err == nil {
			inputs = append(inputs, path)
		}
	}
	slices.Sort(inputs)
	return slices.Compact(inputs)
}

// inputOf returns the path that inputsOf returns for the input arg.
func inputOf(arg string) (string, error) {
	path, err := realPath(arg)
	if err != nil { // the file is missing; it may be a message that a mail reader has moved
		path, err = realPath(filepath.Dir(arg))
		path = filepath.Join(path, filepath.Base(arg))
	}
	if err == nil && input.MaildirHolds(path) {
		path = filepath.Join(maildirOf(path), "cur", maildir.Split(filepath.Base(path)).Unique)
	}
	return path, err
}

// rootsOf returns the directories that contain all files of the inputs args. rootsOf leaves out a
// directory that is below another one. It also leaves out an input if its directory is missing too.
func rootsOf(args []string) journal.Roots {
	var roots []string
	for _, a := range args {
		if dir, err := rootOf(a); err == nil {
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

// rootOf returns the directory that contains all files of the input arg. For a Maildir message this
// is the Maildir, because mail readers move the message inside the Maildir.
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
