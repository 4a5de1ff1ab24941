package inplace

import (
	"path/filepath"
	"slices"

	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/journal"
	"absolink/cmd/absolink/internal/maildir"
)

// inputsOf returns the real paths of args, the inputs, sorted. It cuts the name of a Maildir
// message to the part that mail readers do not change. It leaves out inputs that do not exist,
// because the run reports them later.
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

// inputOf returns the path of arg, an input, for inputsOf.
func inputOf(arg string) (string, error) {
	path, err := realPath(arg)
	if err != nil { // a mail reader has moved the message
		path, err = realPath(filepath.Dir(arg))
		path = filepath.Join(path, filepath.Base(arg))
	}
	if err == nil && input.MaildirHolds(path) {
		path = filepath.Join(maildirOf(path), "cur", maildir.Split(filepath.Base(path)).Unique)
	}
	return path, err
}

// rootsOf returns the directories that contain all files of args, the inputs. It leaves out
// directories that are below another result, and inputs that do not exist.
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

// rootOf returns the directory that contains all files of arg, an input. For a Maildir message it
// is the Maildir, because mail readers move messages inside it.
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
