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

// A run with -o replaces nothing that is there, unless it is told to: all its inputs are
// looked at before it begins. With --resume what an earlier run has finished is left alone,
// which is seen by its time: a copy has that of its input, and its name only when it is whole.

// existing is the files and directories that stood below the directory of the outputs before the
// run. It is safe for concurrent use, but for clear.
type existing struct {
	dir   string
	mails input.Moved     // of the inputs and of the outputs
	clear map[string]bool // slash paths of directories below dir that can be filled
	// how many messages have an output in a Maildir under a unique name; nil unless copies are
	// replaced
	unique map[string]int
}

// of returns the path of the output of f, and what is there; nil if nothing is.
func (x *existing) of(f *input.File) (string, fs.FileInfo) {
	path := filepath.Join(x.dir, filepath.FromSlash(f.Rel))
	info, err := os.Lstat(path)
	if err == nil {
		return path, info
	}
	if f.Maildir != "" {
		if other := x.message(path, f.Path); other != "" {
			if info, err := os.Lstat(other); err == nil {
				return other, info
			}
		}
	}
	return path, nil
}

// message returns where the copy of the message source is that would be path under the same
// name, "" if there is none: its name tells its own size, and the flags of before where a
// mail program has changed them since. Of several messages with one unique name each has
// its own copy, with its own flags.
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

// sameButSize reports whether two paths of messages differ at most in what their names tell
// of sizes.
func sameButSize(a, b string) bool {
	x, y := maildir.Split(filepath.Base(a)), maildir.Split(filepath.Base(b))
	return x.Unique == y.Unique && x.Info == y.Info && filepath.Base(filepath.Dir(a)) == filepath.Base(filepath.Dir(b))
}

// hasTwin reports whether another message of the Maildir would have the name of path if
// both told the same size.
func (x *existing) hasTwin(path string) bool {
	return slices.ContainsFunc(x.mails.Find(path, false), func(other string) bool {
		return filepath.Base(other) != filepath.Base(path) && sameButSize(other, path)
	})
}

// uniqueOf names a message of a Maildir by its slash path without size, flags and cur or new.
func uniqueOf(rel string) string {
	return slash.Join(slash.Dir(slash.Dir(rel)), maildir.Split(slash.Base(rel)).Unique)
}

// supersede removes the copies that an earlier run made of the message f where f, whose
// copy is now path, has them under another name, which tells other flags or another size.
// Where several messages have the unique name of f nothing is removed.
func (t *Tree) supersede(f *input.File, path string) error {
	if f.Maildir == "" || t.existing.unique[uniqueOf(f.Rel)] != 1 {
		return nil
	}
	dir := filepath.Dir(filepath.Dir(path)) // the Maildir in the output
	for _, old := range t.existing.mails.Find(filepath.Join(t.o.Dir, filepath.FromSlash(f.Rel)), false) {
		if input.InMaildir(old) == input.InMaildir(path) {
			continue
		}
		if err := t.remove(filepath.Join(dir, input.InMaildir(old))); err != nil {
			return err
		}
	}
	return nil
}

// remove removes the file path of the output. What is no regular file stays.
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

// isEmpty reports whether nothing is in the directory, or it is not there.
func (x *existing) isEmpty() bool {
	f, err := os.Open(x.dir)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return err == io.EOF
}

// check refuses outputs that are there already, or cannot be written where they
// belong, and one that two inputs have.
func (t *Tree) check() error {
	empty := t.existing.isEmpty()
	if empty && t.inputs.URLs == "" && len(t.inputs.Args()) == 1 {
		return nil // a single tree has no path twice
	}
	seen := make(map[string]bool)
	if t.o.Overwrite {
		t.existing.unique = make(map[string]int)
	}
	for f := range t.written() {
		if reason := t.conflict(&f, empty); reason != "" {
			return &files.Refusal{Reason: "-o " + t.o.Dir + ": " + reason}
		}
		if seen[f.Rel] {
			path, _ := t.existing.of(&f)
			return &files.Refusal{Reason: fmt.Sprintf("%s and %s have the same output %s: rename one, or write each "+
				"into a directory of its own", t.firstWith(f.Rel), f.Source, path)}
		}
		seen[f.Rel] = true
		if t.o.Overwrite && f.Maildir != "" {
			t.existing.unique[uniqueOf(f.Rel)]++
		}
	}
	return nil
}

// conflict says why the output of f cannot be written, "" if it can.
func (t *Tree) conflict(f *input.File, empty bool) string {
	if empty {
		return ""
	}
	if reason := t.existing.blocked(slash.Dir(f.Rel)); reason != "" {
		return reason
	}
	path, info := t.existing.of(f)
	switch {
	case info == nil:
	case info.IsDir():
		return path + " is a directory, and the output of " + f.Source +
			" is a file: move it away, or give another directory"
	case t.o.Overwrite:
	case !t.o.Resume:
		return path +
			" is there already: --overwrite replaces what is there, --resume goes on with an interrupted run, or " +
			"give another directory"
	case isLink(info) != (f.Skip.Target != ""), isLink(info) && !t.existing.leadsWithin(path):
		return path + " is nothing that an interrupted run left: move it away, or give another directory"
	}
	return ""
}

// blocked says why no file can be written into the directory with the slash path rel, ""
// if some can. Symbolic links lead out of the output.
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

// leadsWithin reports whether the link path is one that a run can have made: a relative one
// to something below the directory of the output.
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
		if f.Rel == rel {
			return f.Source
		}
	}
	return ""
}
