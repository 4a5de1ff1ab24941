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
	mu       sync.Mutex
	list     []symlink
	newPaths map[string]string // new slash paths below the output, by slash paths below the input
}

// symlink is one symbolic link of the output.
type symlink struct{ path, target string }

// Rename says that the copy of the file rel has another name: to. Both are slash paths, rel below
// the input and to below the output. Links to the file then lead to the new name.
func (t *Tree) Rename(rel, to string) {
	t.links.mu.Lock()
	defer t.links.mu.Unlock()
	if t.links.newPaths == nil {
		t.links.newPaths = make(map[string]string)
	}
	t.links.newPaths[rel] = to
}

// Link makes Finish write a symbolic link at path, which Path returned. The link leads to the copy
// of the file with the slash path target below the input. It replaces an existing file.
func (t *Tree) Link(path, target string) {
	t.links.mu.Lock()
	defer t.links.mu.Unlock()
	t.links.list = append(t.links.list, symlink{path, target})
}

// Finish completes the tree, after all files are written. It makes the links. If the target of a
// link has no copy, it does not make the link, and calls dangling. Then it gives the new
// directories the modes of their sources, and the owners as far as the user may.
func (t *Tree) Finish(dangling func(path, target string)) error {
	var failed error
	slices.SortFunc(t.links.list, func(a, b symlink) int { return strings.Compare(a.path, b.path) })
	for _, l := range t.links.list {
		target := l.target
		if to, ok := t.links.newPaths[target]; ok {
			target = to
		}
		err := t.makeLink(l.path, target)
		if errors.Is(err, fs.ErrNotExist) {
			dangling(l.path, l.target)
			err = nil
		}
		failed = errors.Join(failed, err)
	}
	return errors.Join(failed, t.dirs.finish())
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
	dir, err := t.dirs.open(slash.Dir(rel))
	if err != nil {
		return err
	}
	defer dir.Close()
	_, err = dir.Lstat(slash.Base(rel))
	return err
}
