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

// Tree is a directory that the files of other directories are written to under
// the same relative paths. It is safe for concurrent use.
type Tree struct {
	dir    string   // without symbolic links
	inputs []string // directories that are read, without symbolic links
	report string   // file that is no output, without symbolic links; "" if there is none
	made   directories
	links  symlinks

	mu   sync.Mutex
	seen map[[16]byte]bool // hashes of the paths that were given out
}

// NewTree returns the tree at dir for output from args. A *Refusal says that the output
// would stand in the place of an input, or below one, or that dir is a file.
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
	t := &Tree{dir: real, seen: make(map[[16]byte]bool)}
	for _, arg := range args {
		if err := t.addInput(arg); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// fileAbove returns the path above dir that is a file.
func fileAbove(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// Begin makes the directory of the output, if it isn't there, a copy of the directories
// that are read. Nothing is created before.
func (t *Tree) Begin() error {
	if err := os.MkdirAll(filepath.Dir(t.dir), 0o777); err != nil {
		return err
	}
	above, err := OpenDir(filepath.Dir(t.dir))
	if err != nil {
		return err
	}
	t.made.above = above
	t.made.name = t.name()
	t.made.known = make(map[string]*made)
	for _, in := range t.inputs {
		if err := t.Directory(".", in); err != nil {
			return err
		}
	}
	return t.Directory(".", "")
}

// name returns the name of the tree in the directory that it lies in.
func (t *Tree) name() string {
	if t.dir == filepath.Dir(t.dir) {
		return "."
	}
	return filepath.Base(t.dir)
}

// Close gives back what Begin has opened.
func (t *Tree) Close() error {
	var err error
	for _, dir := range []*Dir{t.made.above, t.made.top} {
		if dir != nil {
			err = errors.Join(err, dir.Close())
		}
	}
	t.made.above, t.made.top = nil, nil
	return err
}

// rel returns the slash path of path, which Path gave, below the tree.
func (t *Tree) rel(path string) (string, error) {
	rel, err := filepath.Rel(t.dir, path)
	return filepath.ToSlash(rel), err
}

// Open opens the directory path, which lies in the tree. It must be closed. A symbolic link on
// the way, whenever it was laid there, is a *Refusal.
func (t *Tree) Open(path string) (*Dir, error) {
	rel, err := t.rel(path)
	if err != nil {
		return nil, err
	}
	return t.made.open(rel)
}

// Create is [Create] for a path that Path gave. What is written is written below the tree,
// through no symbolic link.
func (t *Tree) Create(path string, src fs.FileInfo, write Writer) error {
	dir, err := t.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return create(dir, filepath.Base(path), src, write)
}

// Resume says, before Begin, that a killed run may have made some of the directories that are
// there: those that look like it get the modes of what they are copies of, too.
func (t *Tree) Resume() { t.made.resume = true }

// Keep says that path, below the tree, is the finished counterpart of the file with the slash
// path rel, found in the directory from of an input: Path gives it to no other.
func (t *Tree) Keep(path, rel, from string) error {
	if err := t.Directory(slash.Dir(rel), from); err != nil {
		return err
	}
	real, err := realPath(path)
	if err != nil {
		return err
	}
	if !t.claim(real) {
		return refuse("two inputs have the output %s", path)
	}
	return nil
}

// KeepReport makes Path refuse the path of the report, which is written meanwhile.
func (t *Tree) KeepReport(path string) {
	if real, err := realPath(path); err == nil {
		t.report = real
	}
}

// addInput remembers a directory that is read. Inputs that can't be found are
// the walk's business.
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

// Directory makes the directory with the slash path rel, a copy of the directory from of
// an input; "" if it is a copy of none.
func (t *Tree) Directory(rel, from string) error {
	return t.made.make(filepath.Join(t.dir, filepath.FromSlash(rel)), rel, from)
}

// Path returns where the file with the slash path rel is to be written, and makes the
// directories above it, as copies of the directory from of an input and those above that.
// It refuses to give a path twice, and one that is the report or an input, or lies below
// an input.
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
	if !t.claim(path) {
		return "", &Refusal{"two inputs have the output " + path}
	}
	return path, nil
}

func (t *Tree) claim(path string) bool {
	sum := sha256.Sum256([]byte(path))
	key := [16]byte(sum[:16])
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen[key] {
		return false
	}
	t.seen[key] = true
	return true
}

// Same reports whether two names are those of one file, or would be.
func Same(a, b string) bool {
	if ia, err := os.Stat(a); err == nil {
		ib, err := os.Stat(b)
		return err == nil && os.SameFile(ia, ib)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}

// Within reports whether path is dir or lies below it, symbolic links followed.
func Within(path, dir string) bool {
	path, err := realPath(path)
	if err != nil {
		return false
	}
	dir, err = realPath(dir)
	return err == nil && within(path, dir)
}

// within reports whether path is dir or lies below it; both are real paths.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// realPath returns the absolute path without symbolic links. What of it does not
// exist stays as it is.
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
