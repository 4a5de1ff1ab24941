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

// symlinks are the symbolic links of the output. They are made when all files are written,
// since a file that one leads to may come later, or under another name.
type symlinks struct {
	mu      sync.Mutex
	list    []symlink
	renamed map[string]string // slash paths below the output, by those below the input
}

// symlink is one of them.
type symlink struct{ path, target string }

// Rename says that the file with the slash path rel below the input has another one below
// the output.
func (t *Tree) Rename(rel, to string) {
	t.links.mu.Lock()
	defer t.links.mu.Unlock()
	if t.links.renamed == nil {
		t.links.renamed = make(map[string]string)
	}
	t.links.renamed[rel] = to
}

// Link says that path, which Path gave, is to become a link to the copy of the file with
// the slash path target below the input. A file that was there is replaced.
func (t *Tree) Link(path, target string) {
	t.links.mu.Lock()
	defer t.links.mu.Unlock()
	t.links.list = append(t.links.list, symlink{path, target})
}

// Finish is called when all files are written. It makes the links, but for those to files
// of which there is no copy, for which it calls dangling. Then it gives the directories
// that were made the modes of those that they are copies of, and their owners as far as
// the user may.
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
// fs.ErrNotExist if that is not there.
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

// isThere returns an error if nothing has the slash path rel below the tree.
func (t *Tree) isThere(rel string) error {
	dir, err := t.made.open(slash.Dir(rel))
	if err != nil {
		return err
	}
	defer dir.Close()
	_, err = dir.Lstat(slash.Base(rel))
	return err
}
