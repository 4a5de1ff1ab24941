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
	dir    string   // path of the output directory, without symbolic links
	inputs []string // input directories, without symbolic links
	report string   // path of the report without symbolic links, or empty; see SetReport
	dirs   directories
	links  symlinks

	mu       sync.Mutex
	reserved map[[16]byte]bool // hashes of the reserved paths
}

// NewTree returns the tree at dir for the output of args, the inputs. The error is a *Refusal if
// dir is a file, or if the output would be an input or lie below an input.
func NewTree(dir string, args []string) (*Tree, error) {
	if refuseDevice(dir) != nil {
		return nil, refuse("-o %s is a device on Windows: give another directory", dir)
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, refuse("%s is a file: -o takes a directory; one file is written with > %s", dir, dir)
	}
	real, err := realPath(dir)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, refuse("-o %s: %s is a file, not a directory: give another directory", dir, findFile(dir))
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

// findFile returns the path of the file above dir: the longest part of the path dir that exists.
func findFile(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// Begin makes the output directory, unless it exists. The directory is a copy of the input
// directories. Nothing is created before Begin.
func (t *Tree) Begin() error {
	if err := os.MkdirAll(filepath.Dir(t.dir), 0o777); err != nil {
		return err
	}
	parent, err := OpenDir(filepath.Dir(t.dir))
	if err != nil {
		return err
	}
	t.dirs.parent = parent
	t.dirs.name = t.name()
	t.dirs.byPath = make(map[string]*directory)
	for _, input := range t.inputs {
		if err := t.MakeDir(".", input); err != nil {
			return err
		}
	}
	return t.MakeDir(".", "")
}

// name returns the name of the output directory in its parent.
func (t *Tree) name() string {
	if t.dir == filepath.Dir(t.dir) {
		return "."
	}
	return filepath.Base(t.dir)
}

// Close closes the directories that Begin has opened.
func (t *Tree) Close() error {
	var err error
	for _, dir := range []*Dir{t.dirs.parent, t.dirs.top} {
		if dir != nil {
			err = errors.Join(err, dir.Close())
		}
	}
	t.dirs.parent, t.dirs.top = nil, nil
	return err
}

// rel returns the slash path of path, relative to the tree.
func (t *Tree) rel(path string) (string, error) {
	rel, err := filepath.Rel(t.dir, path)
	return filepath.ToSlash(rel), err
}

// Open opens the directory at path, which lies in the tree. The caller must close it. The error is
// a *Refusal if there is a symbolic link on the way, even a new one.
func (t *Tree) Open(path string) (*Dir, error) {
	rel, err := t.rel(path)
	if err != nil {
		return nil, err
	}
	return t.dirs.open(rel)
}

// Create is [Create] for a path that Reserve returned. It writes only below the tree, through no
// symbolic link.
func (t *Tree) Create(path string, src fs.FileInfo, write Writer) error {
	dir, err := t.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return create(dir, filepath.Base(path), src, write)
}

// SetResumed records that a killed run may have made some of the existing directories. Finish then
// gives the modes of their sources to the directories that seem to come from that run. Call
// SetResumed before Begin.
func (t *Tree) SetResumed() { t.dirs.resumed = true }

// ReserveFinished reserves path for a complete output that already exists there. rel is the slash
// path of the output, and from the input directory of its source. The error is a *Refusal if path
// was reserved before.
func (t *Tree) ReserveFinished(path, rel, from string) error {
	if err := t.MakeDir(slash.Dir(rel), from); err != nil {
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

// SetReport makes Reserve refuse the path of the report, which is being written.
func (t *Tree) SetReport(path string) {
	if real, err := realPath(path); err == nil {
		t.report = real
	}
}

// addInput adds the input arg. The error is a *Refusal if the output would be the input or lie in
// it. addInput ignores an input that does not exist, because the run reports it later.
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

// MakeDir makes the directory with the slash path rel, and the directories above it, unless they
// exist. They become copies of from, a directory of an input, and of the directories above from. If
// from is "", the umask decides their modes.
func (t *Tree) MakeDir(rel, from string) error {
	return t.dirs.ensure(filepath.Join(t.dir, filepath.FromSlash(rel)), rel, from)
}

// Reserve returns the output path of the file with the slash path rel, and reserves it. It makes
// the directories above the path, as MakeDir does. from is the input directory that holds the file,
// and src describes the file, or is nil. The error is a *Refusal if the path was reserved before,
// if it is the report or the input, or if it lies below an input.
func (t *Tree) Reserve(rel, from string, src os.FileInfo) (string, error) {
	path := filepath.Join(t.dir, filepath.FromSlash(rel))
	if err := t.MakeDir(slash.Dir(rel), from); err != nil {
		return "", err
	}
	for _, input := range t.inputs {
		if within(path, input) {
			return "", refuse("the output %s lies in the input %s", path, input)
		}
	}
	if info, err := os.Stat(path); err == nil && src != nil && os.SameFile(info, src) {
		return "", refuse("the output %s is the input", path)
	}
	if Key(path) == Key(t.report) {
		return "", refuse("the output %s is the report", path)
	}
	if !t.reserve(path) {
		return "", refuse("two inputs have the output %s", path)
	}
	return path, nil
}

// reserve reserves path and returns true, unless path was reserved before.
func (t *Tree) reserve(path string) bool {
	sum := sha256.Sum256([]byte(Key(path)))
	key := [16]byte(sum[:16])
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reserved[key] {
		return false
	}
	t.reserved[key] = true
	return true
}

// Same reports whether two paths lead to the same file. Paths without a file are compared as
// absolute paths.
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

// realPath returns the absolute path without symbolic links. The last parts of the path need not
// exist.
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
