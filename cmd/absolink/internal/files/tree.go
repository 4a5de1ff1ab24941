package files

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	slash "path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// Tree is an output directory. Files of input directories are written to it under the same relative
// paths. It is safe for concurrent use.
type Tree struct {
	dir    string   // without symbolic links
	inputs []string // input directories, without symbolic links
	report string   // path of the report without symbolic links, or empty; see ReserveReport
	dirs   directories
	links  symlinks

	mu       sync.Mutex
	reserved map[[16]byte]bool // hashes of the paths that Path returned
}

// NewTree returns the tree at dir for the output of the inputs args. The error is a *Refusal if dir
// is a file, or if the output would be an input or lie below one.
func NewTree(dir string, args []string) (*Tree, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, refuse("%s is a file: -o takes a directory; one file is written with > %s", dir, dir)
	}
	real, err := realPath(dir)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, refuse("-o %s: on the way there stands a file, %s, and a directory is needed: give another "+
			"directory", dir, fileAbove(dir))
	}
	if err != nil {
		return nil, err
	}
	t := &Tree{dir: real, reserved: make(map[[16]byte]bool)}
	for _, arg := range args {
		if err := t.addInput(arg); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// fileAbove returns the part of the path dir that is a file.
func fileAbove(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// Begin makes the output directory, unless it exists, as a copy of the input directories. Before
// Begin nothing is created.
func (t *Tree) Begin() error {
	if err := os.MkdirAll(filepath.Dir(t.dir), 0o777); err != nil {
		return err
	}
	above, err := OpenDir(filepath.Dir(t.dir))
	if err != nil {
		return err
	}
	t.dirs.above = above
	t.dirs.name = t.name()
	t.dirs.known = make(map[string]*directory)
	for _, in := range t.inputs {
		if err := t.Directory(".", in); err != nil {
			return err
		}
	}
	return t.Directory(".", "")
}

// name returns the name of the tree in the directory that contains it.
func (t *Tree) name() string {
	if t.dir == filepath.Dir(t.dir) {
		return "."
	}
	return filepath.Base(t.dir)
}

// Close closes the directories that Begin has opened.
func (t *Tree) Close() error {
	var err error
	for _, dir := range []*Dir{t.dirs.above, t.dirs.top} {
		if dir != nil {
			err = errors.Join(err, dir.Close())
		}
	}
	t.dirs.above, t.dirs.top = nil, nil
	return err
}

// rel returns the slash path below the tree of path, which Path returned.
func (t *Tree) rel(path string) (string, error) {
	rel, err := filepath.Rel(t.dir, path)
	return filepath.ToSlash(rel), err
}

// Open opens the directory path, which lies in the tree. The caller must close it. The error is a
// *Refusal if there is a symbolic link on the way, even a new one.
func (t *Tree) Open(path string) (*Dir, error) {
	rel, err := t.rel(path)
	if err != nil {
		return nil, err
	}
	return t.dirs.open(rel)
}

// Create is [Create] for a path that Path returned. It writes only below the tree, through no
// symbolic link.
func (t *Tree) Create(path string, src fs.FileInfo, write Writer) error {
	dir, err := t.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return create(dir, filepath.Base(path), src, write)
}

// Resume says that a killed run may have made some of the existing directories. Directories that
// look like it get the modes of their sources. Resume must be called before Begin.
func (t *Tree) Resume() { t.dirs.resume = true }

// AddFinished says that path, below the tree, is already the complete output of the file rel from
// the input directory from. Path then does not return that path for another file.
func (t *Tree) AddFinished(path, rel, from string) error {
	if err := t.Directory(slash.Dir(rel), from); err != nil {
		return err
	}
	real, err := realPath(path)
	if err != nil {
		return err
	}
	if !t.reserve(real) {
		return refuse("two inputs have the output %s", path)
	}
	return nil
}

// ReserveReport makes Path refuse the path of the report, which is being written.
func (t *Tree) ReserveReport(path string) {
	if real, err := realPath(path); err == nil {
		t.report = real
	}
}

// addInput adds the input arg. The error is a *Refusal if the output would be the input or lie in
// it. An input that does not exist is ignored, because the run reports it later.
func (t *Tree) addInput(arg string) error {
	real, err := realPath(arg)
	if err != nil {
		return nil
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil
	}
	if info.IsDir() {
		t.inputs = append(t.inputs, real)
		if within(t.dir, real) {
			return refuse("the output %s lies in the input %s", t.dir, arg)
		}
		return nil
	}
	if target, err := os.Stat(filepath.Join(t.dir, filepath.Base(arg))); err == nil && os.SameFile(target, info) {
		return refuse("the output %s is the input %s", filepath.Join(t.dir, filepath.Base(arg)), arg)
	}
	return nil
}

// Directory makes the directory with the slash path rel, as a copy of the directory from of an
// input. If from is "", the umask decides its mode.
func (t *Tree) Directory(rel, from string) error {
	return t.dirs.ensure(filepath.Join(t.dir, filepath.FromSlash(rel)), rel, from)
}

// Path returns the output path of the file with the slash path rel, and reserves it. It makes the
// directories above the path, as copies of the input directory from and the directories above that.
// src describes the input file, or is nil. The error is a *Refusal if the path was returned before,
// if it is the report or the input, or if it lies below an input.
func (t *Tree) Path(rel, from string, src os.FileInfo) (string, error) {
	path := filepath.Join(t.dir, filepath.FromSlash(rel))
	if err := t.Directory(slash.Dir(rel), from); err != nil {
		return "", err
	}
	for _, in := range t.inputs {
		if within(path, in) {
			return "", &Refusal{"the output " + path + " lies in the input " + in}
		}
	}
	if info, err := os.Stat(path); err == nil && src != nil && os.SameFile(info, src) {
		return "", &Refusal{"the output " + path + " is the input"}
	}
	if path == t.report {
		return "", &Refusal{"the output " + path + " is the report"}
	}
	if !t.reserve(path) {
		return "", &Refusal{"two inputs have the output " + path}
	}
	return path, nil
}

// reserve returns false if path was reserved before.
func (t *Tree) reserve(path string) bool {
	sum := sha256.Sum256([]byte(path))
	key := [16]byte(sum[:16])
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reserved[key] {
		return false
	}
	t.reserved[key] = true
	return true
}

// Same reports whether two names name the same file, or would name it if the file existed.
func Same(a, b string) bool {
	if ia, err := os.Stat(a); err == nil {
		ib, err := os.Stat(b)
		return err == nil && os.SameFile(ia, ib)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}

// Within reports whether path is dir or lies below it. It follows symbolic links.
func Within(path, dir string) bool {
	path, err := realPath(path)
	if err != nil {
		return false
	}
	dir, err = realPath(dir)
	return err == nil && within(path, dir)
}

// within reports whether path is dir or lies below it. Both must be real paths.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// realPath returns the absolute path without symbolic links. The end of the path need not exist.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for rest := ""; ; abs = filepath.Dir(abs) {
		real, err := filepath.EvalSymlinks(abs)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || abs == filepath.Dir(abs) {
			return "", err
		}
		rest = filepath.Join(filepath.Base(abs), rest)
	}
}
