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

// A run with -o replaces existing files only with --overwrite. It looks for existing outputs of all
// inputs before it writes the first output. With --resume it leaves finished outputs alone. It
// recognises them by their time: an output has the time of its input, and gets its name only when
// it is complete.

// existing finds the files and directories that stood below the output directory before the run. It
// is safe for concurrent use, except blocked.
type existing struct {
	dir         string
	relPath     func(f *input.File) string // the slash path of an output
	hasMaildirs bool                       // messages of Maildirs are copied to Maildirs
	messages    input.Moved                // messages in the Maildirs of the inputs and outputs
	writable    map[string]bool            // slash paths below dir of directories that are not blocked
	// withUnique is the number of messages of the inputs with a unique name, by uniqueOf of their
	// outputs. It is nil without Overwrite.
	withUnique map[string]int
}

// output returns the path of the output of f, and information about the existing file there. The
// information is nil if there is no such file.
func (x *existing) output(f *input.File) (string, fs.FileInfo) {
	path := filepath.Join(x.dir, filepath.FromSlash(x.relPath(f)))
	info, err := os.Lstat(path)
	if err == nil {
		return path, info
	}
	if f.Maildir != "" && x.hasMaildirs {
		if other := x.renamedCopy(path, f.Path); other != "" {
			if info, err := os.Lstat(other); err == nil {
				return other, info
			}
		}
	}
	return path, nil
}

// renamedCopy returns the path of an existing copy of the message at source, or "". path is its
// path with the name of the message. The name of the copy gives the size of the copy, and has other
// flags if a mail program has changed them. If several messages share a unique name, only a copy
// with the same flags counts.
func (x *existing) renamedCopy(path, source string) string {
	copies := x.messages.Find(path, false)
	for _, c := range copies {
		if sameButSize(c, path) && !x.hasTwin(source) {
			return c
		}
	}
	if len(copies) == 1 && len(x.messages.Find(source, false)) == 1 {
		return copies[0]
	}
	return ""
}

// sameButSize reports whether the paths of two messages differ at most in the sizes in their names.
func sameButSize(a, b string) bool {
	x, y := maildir.Split(filepath.Base(a)), maildir.Split(filepath.Base(b))
	return x.Unique == y.Unique && x.Info == y.Info && filepath.Base(filepath.Dir(a)) == filepath.Base(filepath.Dir(b))
}

// hasTwin reports whether the name of another message in the Maildir differs from the name of the
// message at path only in its sizes.
func (x *existing) hasTwin(path string) bool {
	return slices.ContainsFunc(x.messages.Find(path, false), func(other string) bool {
		return filepath.Base(other) != filepath.Base(path) && sameButSize(other, path)
	})
}

// uniqueOf returns the slash path of a Maildir joined with the unique name of a message in it. rel
// is the slash path of the message.
func uniqueOf(rel string) string {
	return slash.Join(slash.Dir(slash.Dir(rel)), maildir.Split(slash.Base(rel)).Unique)
}

// removeOldCopies removes the copies of the message f that earlier runs made under other names:
// with other flags or another size. path is the new copy. If several messages share the unique name
// of f, nothing is removed.
func (t *Tree) removeOldCopies(f *input.File, path string) error {
	rel := t.RelPath(f)
	if !t.toMaildir(f) || t.existing.withUnique[uniqueOf(rel)] != 1 {
		return nil
	}
	dir := filepath.Dir(filepath.Dir(path)) // the Maildir in the output
	for _, old := range t.existing.messages.Find(filepath.Join(t.o.Dir, filepath.FromSlash(rel)), false) {
		if input.InMaildir(old) == input.InMaildir(path) {
			continue
		}
		if err := t.removeFile(filepath.Join(dir, input.InMaildir(old))); err != nil {
			return err
		}
	}
	return nil
}

// removeFile removes the file at path, which lies in the output. It removes nothing that is not a
// regular file.
func (t *Tree) removeFile(path string) error {
	dir, err := t.tree.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	name := filepath.Base(path)
	info, err := dir.Lstat(name)
	if err != nil || info.Type() != 0 {
		return nil
	}
	return dir.Remove(name)
}

// isEmpty reports whether the output directory is empty or missing.
func (x *existing) isEmpty() bool {
	f, err := os.Open(x.dir)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return err == io.EOF
}

// checkOutputs refuses outputs that exist, outputs whose path is blocked, and an output that two
// inputs share.
func (t *Tree) checkOutputs() error {
	empty := t.existing.isEmpty()
	if empty && t.inputs.URLs == "" && len(t.inputs.Args()) == 1 && t.o.Layout == nil {
		return nil // two files of one tree never have the same path
	}
	seen := make(map[string]bool)
	if t.o.Overwrite {
		t.existing.withUnique = make(map[string]int)
	}
	for f := range t.inputsWithOutput() {
		if reason := t.conflict(&f, empty); reason != "" {
			return &files.Refusal{Reason: "-o " + t.argument() + ": " + reason}
		}
		rel := t.RelPath(&f)
		if seen[files.Key(rel)] {
			path, _ := t.existing.output(&f)
			return &files.Refusal{Reason: fmt.Sprintf("%s and %s have the same output %s: rename one, or write each "+
				"into a directory of its own", t.firstWithPath(rel), f.Source, path)}
		}
		seen[files.Key(rel)] = true
		if t.o.Overwrite && t.toMaildir(&f) {
			t.existing.withUnique[uniqueOf(rel)]++
		}
	}
	return nil
}

// conflict returns the reason why an existing file keeps the output of f from being written. It
// returns "" if there is none. empty says that nothing exists.
func (t *Tree) conflict(f *input.File, empty bool) string {
	if empty {
		return ""
	}
	if reason := t.existing.blocked(slash.Dir(t.RelPath(f))); reason != "" {
		return reason
	}
	path, info := t.existing.output(f)
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
// rel: it, or a directory above it, is a file or a symbolic link. It returns "" if nothing is in
// the way.
func (x *existing) blocked(rel string) string {
	if rel == "." || x.writable[rel] {
		return ""
	}
	if reason := x.blocked(slash.Dir(rel)); reason != "" {
		return reason
	}
	path := filepath.Join(x.dir, filepath.FromSlash(rel))
	switch info, err := os.Lstat(path); {
	case err != nil, info.IsDir():
		x.writable[rel] = true
		return ""
	case isLink(info):
		return path +
			" is a symbolic link, and files would be written where it leads: move it away, or give another directory"
	}
	return path + " is a file, and a directory is needed there: move it away, or give another directory"
}

func isLink(info fs.FileInfo) bool { return info.Mode()&fs.ModeSymlink != 0 }

// leadsWithin reports whether the symbolic link at path is relative and leads below the output
// directory. Only such a link can come from an earlier run.
func (x *existing) leadsWithin(path string) bool {
	target, err := os.Readlink(path)
	if err != nil || filepath.IsAbs(target) {
		return false
	}
	rel, err := filepath.Rel(x.dir, filepath.Join(filepath.Dir(path), target))
	return err == nil && filepath.IsLocal(rel)
}

// inputsWithOutput yields the inputs that have an output, and the symbolic links that are copied.
func (t *Tree) inputsWithOutput() func(yield func(input.File) bool) {
	return func(yield func(input.File) bool) {
		for f, err := range t.inputs.All(context.Background(), nil) {
			if err == nil && (f.IsInput() || f.Skip.Target != "") && !yield(f) {
				return
			}
		}
	}
}

// firstWithPath returns the source of the first input whose output has the slash path rel.
func (t *Tree) firstWithPath(rel string) string {
	for f := range t.inputsWithOutput() {
		if files.Key(t.RelPath(&f)) == files.Key(rel) {
			return f.Source
		}
	}
	return ""
}
