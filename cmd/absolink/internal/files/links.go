package files

import (
	"errors"
	"io/fs"
	slash "path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// symlinks are the symbolic links of the output. They are made after all files: the target of a
// link may be written later, or under another name.
type symlinks struct {
	mu      sync.Mutex
	list    []symlink
	renamed map[string]string // new slash paths below the output, by slash paths below the input
}

// symlink is one symbolic link of the output.
type symlink struct{ path, target string }

// Rename notes that the file with the slash path rel below the input has the slash path to below
// the output.
func (t *Tree) Rename(rel, to string) {
	t.links.mu.Lock()
	defer t.links.mu.Unlock()
	if t.links.renamed == nil {
		t.links.renamed = make(map[string]string)
	}
	t.links.renamed[rel] = to
}

// Link notes that path, which Path returned, will be a link. It will lead to the copy of the file
// with the slash path target below the input. An existing file at path is replaced.
func (t *Tree) Link(path, target string) {
	t.links.mu.Lock()
	defer t.links.mu.Unlock()
	t.links.list = append(t.links.list, symlink{path, target})
}

// Finish ends the tree, after all files are written. It makes the links. If the target of a link
// has no copy, it calls dangling instead. Then it gives the new directories the modes of their
// sources, and the owners of their sources as far as the user may.
func (t *Tree) Finish(dangling func(path, target string)) error {
	var failed error
	slices.SortFunc(t.links.list, func(a, b symlink) int { return strings.Compare(a.path, b.path) })
	for _, l := range t.links.list {
		target := l.target
		if to, ok := t.links.renamed[target]; ok {
			target = to
		}
		err := t.makeLink(l.path, target)
		if errors.Is(err, fs.ErrNotExist) {
			dangling(l.path, l.target)
			err = nil
		}
		failed = errors.Join(failed, err)
	}
	return errors.Join(failed, t.made.finish())
}

// makeLink makes path a relative link to the file with the slash path target. The error is
// fs.ErrNotExist if there is no such file.
func (t *Tree) makeLink(path, target string) error {
	if err := t.isThere(target); err != nil {
		return err
	}
	text, err := filepath.Rel(filepath.Dir(path), filepath.Join(t.dir, filepath.FromSlash(target)))
	if err != nil {
		return err
	}
	dir, err := t.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	name := filepath.Base(path)
	err = dir.Symlink(text, name)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if there, err := dir.Lstat(name); err == nil && there.Type() == fs.ModeDir {
		return refuse("%s is a directory", path)
	}
	if err := dir.Remove(name); err != nil {
		return err
	}
	return dir.Symlink(text, name)
}

// isThere returns an error if there is no file with the slash path rel below the tree.
func (t *Tree) isThere(rel string) error {
	dir, err := t.made.open(slash.Dir(rel))
	if err != nil {
		return err
	}
	defer dir.Close()
	_, err = dir.Lstat(slash.Base(rel))
	return err
}
