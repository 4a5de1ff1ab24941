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

// symlinks are the symbolic links of the output. They are made after all files, because the target
// of a link may be written later, or under another name.
type symlinks struct {
	mu          sync.Mutex
	list        []symlink
	outputPaths map[string]string // see SetOutputPath
}

// symlink is a symbolic link of the output.
type symlink struct {
	path   string
	target string // the parameter of AddLink
}

// SetOutputPath records that the output for the slash path rel is written to the slash path
// outputRel. Links to rel then lead to outputRel.
func (t *Tree) SetOutputPath(rel, outputRel string) {
	t.links.mu.Lock()
	defer t.links.mu.Unlock()
	if t.links.outputPaths == nil {
		t.links.outputPaths = make(map[string]string)
	}
	t.links.outputPaths[rel] = outputRel
}

// AddLink makes Finish write a symbolic link at path, which Reserve returned. The link leads to the
// output for the slash path target: see SetOutputPath. It replaces an existing file at path.
func (t *Tree) AddLink(path, target string) {
	t.links.mu.Lock()
	defer t.links.mu.Unlock()
	t.links.list = append(t.links.list, symlink{path, target})
}

// Finish completes the tree. Call it after all files are written. It makes the links. If the target
// of a link has no copy, it does not make the link, and calls dangling. Then it gives the new
// directories the modes of their sources, and the owners if the user may.
func (t *Tree) Finish(dangling func(path, target string)) error {
	var failed error
	slices.SortFunc(t.links.list, func(a, b symlink) int { return strings.Compare(a.path, b.path) })
	for _, l := range t.links.list {
		target := l.target
		if path, ok := t.links.outputPaths[target]; ok {
			target = path
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

// makeLink makes path a relative link to the file with the slash path target below the output. The
// error is fs.ErrNotExist if there is no such file.
func (t *Tree) makeLink(path, target string) error {
	if err := t.checkExists(target); err != nil {
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
	if e, err := dir.Lstat(name); err == nil && e.Type() == fs.ModeDir {
		return refuse("%s is a directory", path)
	}
	if err := dir.Remove(name); err != nil {
		return err
	}
	return dir.Symlink(text, name)
}

// checkExists returns an error if there is no file with the slash path rel below the output.
func (t *Tree) checkExists(rel string) error {
	dir, err := t.dirs.open(slash.Dir(rel))
	if err != nil {
		return err
	}
	defer dir.Close()
	_, err = dir.Lstat(slash.Base(rel))
	return err
}
