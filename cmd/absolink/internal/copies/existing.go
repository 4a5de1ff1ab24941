package copies

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	slash "path"
	"path/filepath"
	"slices"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/maildir"
)

// A run with -o replaces existing files only if told to, and looks at all its inputs before it
// begins. With --resume it leaves finished outputs alone. It recognises them by their time: a copy
// has the time of its input, and gets its name only when it is complete.

// existing is the files and directories that stood below the output directory before the run. It is
// safe for concurrent use, except clear.
type existing struct {
	dir    string
	rel    func(f *input.File) string // the slash path of an output
	mailed bool                       // messages of Maildirs are copied to Maildirs
	mails  input.Moved                // of the inputs and of the outputs
	clear  map[string]bool            // slash paths of directories below dir that can be filled
	// number of messages with an output in a Maildir, by unique name; nil unless copies are
	// replaced
	unique map[string]int
}

// of returns the path of the output of f, and the information about an existing file there, or nil.
func (x *existing) of(f *input.File) (string, fs.FileInfo) {
	path := filepath.Join(x.dir, filepath.FromSlash(x.rel(f)))
	info, err := os.Lstat(path)
	if err == nil {
		return path, info
	}
	if f.Maildir != "" && x.mailed {
		if other := x.message(path, f.Path); other != "" {
			if info, err := os.Lstat(other); err == nil {
				return other, info
			}
		}
	}
	return path, nil
}

// message returns the path of an existing copy of the message source, or "". The copy would be
// path, but its name has its own size, and its own flags if a mail program changed them. If several
// messages share a unique name, each has its own copy with its own flags.
func (x *existing) message(path, source string) string {
	copies := x.mails.Find(path, false)
	for _, c := range copies {
		if sameButSize(c, path) && !x.hasTwin(source) {
			return c
		}
	}
	if len(copies) == 1 && len(x.mails.Find(source, false)) == 1 {
		return copies[0]
	}
	return ""
}

// sameButSize reports whether two names of messages differ at most in the sizes that they give.
func sameButSize(a, b string) bool {
	x, y := maildir.Split(filepath.Base(a)), maildir.Split(filepath.Base(b))
	return x.Unique == y.Unique && x.Info == y.Info && filepath.Base(filepath.Dir(a)) == filepath.Base(filepath.Dir(b))
}

// hasTwin reports whether another message of the Maildir would have the same name as path if both
// had the same size.
func (x *existing) hasTwin(path string) bool {
	return slices.ContainsFunc(x.mails.Find(path, false), func(other string) bool {
		return filepath.Base(other) != filepath.Base(path) && sameButSize(other, path)
	})
}

// uniqueOf identifies a message of a Maildir by its slash path without size, flags and cur or new.
func uniqueOf(rel string) string {
	return slash.Join(slash.Dir(slash.Dir(rel)), maildir.Split(slash.Base(rel)).Unique)
}

// supersede removes copies of the message f that earlier runs made under other names, with other
// flags or another size. path is the new copy. If several messages share the unique name of f,
// nothing is removed.
func (t *Tree) supersede(f *input.File, path string) error {
	if !t.inMaildir(f) || t.existing.unique[uniqueOf(t.Rel(f))] != 1 {
		return nil
	}
	dir := filepath.Dir(filepath.Dir(path)) // the Maildir in the output
	for _, old := range t.existing.mails.Find(filepath.Join(t.o.Dir, filepath.FromSlash(t.Rel(f))), false) {
		if input.InMaildir(old) == input.InMaildir(path) {
			continue
		}
		if err := t.remove(filepath.Join(dir, input.InMaildir(old))); err != nil {
			return err
		}
	}
	return nil
}

// remove removes the file path of the output. It leaves everything else than a regular file.
func (t *Tree) remove(path string) error {
	dir, err := t.tree.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	name := filepath.Base(path)
	if there, err := dir.Lstat(name); err != nil || there.Type() != 0 {
		return nil
	}
	return dir.Remove(name)
}

// isEmpty reports whether the directory is empty or missing.
func (x *existing) isEmpty() bool {
	f, err := os.Open(x.dir)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return err == io.EOF
}

// check refuses existing outputs, outputs that cannot be written in their place, and an output that
// two inputs share.
func (t *Tree) check() error {
	empty := t.existing.isEmpty()
	if empty && t.inputs.URLs == "" && len(t.inputs.Args()) == 1 && t.o.Layout == nil {
		return nil // a single tree has no path twice
	}
	seen := make(map[string]bool)
	if t.o.Overwrite {
		t.existing.unique = make(map[string]int)
	}
	for f := range t.written() {
		if reason := t.conflict(&f, empty); reason != "" {
			return &files.Refusal{Reason: "-o " + t.shown() + ": " + reason}
		}
		rel := t.Rel(&f)
		if seen[rel] {
			path, _ := t.existing.of(&f)
			return &files.Refusal{Reason: fmt.Sprintf("%s and %s have the same output %s: rename one, or write each "+
				"into a directory of its own", t.firstWith(rel), f.Source, path)}
		}
		seen[rel] = true
		if t.o.Overwrite && t.inMaildir(&f) {
			t.existing.unique[uniqueOf(rel)]++
		}
	}
	return nil
}

// conflict returns the reason why the output of f cannot be written, or "".
func (t *Tree) conflict(f *input.File, empty bool) string {
	if empty {
		return ""
	}
	if reason := t.existing.blocked(slash.Dir(t.Rel(f))); reason != "" {
		return reason
	}
	path, info := t.existing.of(f)
	switch {
	case info == nil:
	case info.IsDir():
		return path + " is a directory, and the output of " + f.Source +
			" is a file: move it away, or give another directory"
	case t.o.Overwrite:
	case !t.o.Resume && t.o.Name != "":
		return "it is there already: --overwrite replaces it, or give another name"
	case !t.o.Resume:
		return path +
			" is there already: --overwrite replaces what is there, --resume goes on with an interrupted run, or " +
			"give another directory"
	case isLink(info) != (f.Skip.Target != ""), isLink(info) && !t.existing.leadsWithin(path):
		return path + " was not left by an interrupted run: move it away, or give another directory"
	}
	return ""
}

// blocked returns the reason why files cannot be written into the directory with the slash path
// rel, or "". A symbolic link blocks it, since it leads out of the output.
func (x *existing) blocked(rel string) string {
	if rel == "." || x.clear[rel] {
		return ""
	}
	if reason := x.blocked(slash.Dir(rel)); reason != "" {
		return reason
	}
	path := filepath.Join(x.dir, filepath.FromSlash(rel))
	switch info, err := os.Lstat(path); {
	case err != nil, info.IsDir():
		x.clear[rel] = true
		return ""
	case isLink(info):
		return path +
			" is a symbolic link, and files would be written where it leads: move it away, or give another directory"
	}
	return path + " is a file, and a directory is needed there: move it away, or give another directory"
}

func isLink(info fs.FileInfo) bool { return info.Mode()&fs.ModeSymlink != 0 }

// leadsWithin reports whether a run may have made the link path: it is relative and leads below the
// output directory.
func (x *existing) leadsWithin(path string) bool {
	text, err := os.Readlink(path)
	if err != nil || filepath.IsAbs(text) {
		return false
	}
	rel, err := filepath.Rel(x.dir, filepath.Join(filepath.Dir(path), text))
	return err == nil && filepath.IsLocal(rel)
}

// written yields the inputs that have an output.
func (t *Tree) written() func(yield func(input.File) bool) {
	return func(yield func(input.File) bool) {
		for f, err := range t.inputs.All(context.Background(), nil) {
			if err == nil && (f.IsInput() || f.Skip.Target != "") && !yield(f) {
				return
			}
		}
	}
}

// firstWith returns the source of the first input with a path.
func (t *Tree) firstWith(rel string) string {
	for f := range t.written() {
		if t.Rel(&f) == rel {
			return f.Source
		}
	}
	return ""
}
