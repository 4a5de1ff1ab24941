package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/files"
)

// The files of a journal lie below its roots: when they are noted, when they are read back, and
// when they are put back. No symbolic link may stand on their paths.

// version is the version of the first line. Version 1 had absolute paths and no roots.
const version = 2

// start is the beginning of every journal.
const start = `{"absolink":"journal","version":`

// errBelow says that a path is not below a root of the journal.
var errBelow = errors.New("lies below none of the roots of the run")

// errDamaged says that a line does not name a file.
var errDamaged = errors.New("names no file")

// longestFirst limits the length of the first line.
const longestFirst = 16 << 20

type header struct {
	Absolink string            `json:"absolink"`
	Version  int               `json:"version"`
	Roots    []place           `json:"roots"`
	Inputs   []place           `json:"inputs,omitempty"`
	Options  map[string]string `json:"options,omitzero"`
}

type place struct {
	Path       string `json:"path,omitempty"`
	PathBase64 []byte `json:"path_base64,omitempty"`
}

// Run describes the run that began a journal, as stored in the first line.
type Run struct {
	Roots   Roots
	Inputs  []string          // files and directories, absolute; if empty, everything below the roots
	Options map[string]string // values of the flags that decide the output; nil if unknown
}

// Run returns the run that began the journal. The caller must not modify it.
func (j *Journal) Run() *Run { return &j.run }

// Takes returns a function that reports whether a path is an input of the run, or lies below an
// input.
func (r *Run) Takes() func(path string) bool {
	inputs := make(map[string]bool)
	list := r.Inputs
	if len(list) == 0 {
		list = r.Roots
	}
	for _, path := range list {
		inputs[path] = true
	}
	return func(path string) bool {
		for ; ; path = filepath.Dir(path) {
			if inputs[path] || path == filepath.Dir(path) {
				return inputs[path]
			}
		}
	}
}

func firstLine(run *Run) ([]byte, error) {
	h := header{Absolink: "journal", Version: version, Roots: places(run.Roots),
		Inputs: places(run.Inputs), Options: run.Options}
	line, err := json.Marshal(&h)
	if len(line) >= longestFirst {
		return nil, errors.New("has no room for so many inputs: give the directory that they lie in")
	}
	return append(line, '\n'), err
}

func places(paths []string) []place {
	list := make([]place, len(paths))
	for i, path := range paths {
		list[i].Path, list[i].PathBase64 = text(path)
	}
	return list
}

// paths is the reverse of places. It reports whether all are absolute.
func paths(list []place) (paths []string, ok bool) {
	for _, p := range list {
		path := either(p.Path, p.PathBase64)
		if !filepath.IsAbs(path) || filepath.Clean(path) != path {
			return nil, false
		}
		paths = append(paths, path)
	}
	return paths, true
}

// readFirst reads the first line, and reports whether it is complete: a killed run may have left a
// part of it.
func (j *Journal) readFirst() (bool, error) {
	r := bufio.NewReader(io.NewSectionReader(j.file, 0, longestFirst))
	line, err := r.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	if n := min(len(line), len(start)); string(line[:n]) != start[:n] {
		return false, ErrFormat
	}
	if err == io.EOF && len(line) < longestFirst {
		return false, nil
	}
	return true, j.takeFirst(line)
}

func (j *Journal) takeFirst(line []byte) error {
	var h header
	switch err := json.Unmarshal(line, &h); {
	case err == nil && h.Version == 1:
		return ErrOld
	case err != nil || h.Version != version || len(h.Roots) == 0:
		return ErrFormat
	}
	roots, ok1 := paths(h.Roots)
	inputs, ok2 := paths(h.Inputs)
	if !ok1 || !ok2 {
		return ErrFormat
	}
	j.run = Run{roots, inputs, h.Options}
	j.first = int64(len(line))
	return nil
}

// Roots are the directories that hold all files of a run, absolute and without symbolic links.
type Roots []string

// Roots returns the roots of the journal. The caller must not modify them.
func (j *Journal) Roots() Roots { return j.run.Roots }

// Has reports whether path is a root or lies below a root. path must be absolute and without
// symbolic links.
func (r Roots) Has(path string) bool {
	_, _, ok := r.below(path)
	return ok
}

// below returns the index of the root above path, and the path below that root, "." for the root
// itself.
func (r Roots) below(path string) (i int, rel string, ok bool) {
	for i, root := range r {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return i, rel, true
		}
	}
	return 0, "", false
}

// Directory opens a directory that is a root or lies below a root. It follows no symbolic link,
// since the path had no links when it was noted. Work through the returned directory stays in it,
// even if another program puts something else in its place.
func (r Roots) Directory(path string) (*files.Dir, error) {
	if !r.Has(path) {
		return nil, errBelow
	}
	return files.OpenRealDir(path)
}

// at returns the path of the file that begins with l.
func (j *Journal) at(l *beginLine) (string, error) {
	rel := either(l.Path, l.PathBase64)
	switch {
	case rel == "":
		return "", errDamaged
	case l.Root < 0 || l.Root >= len(j.run.Roots) || !filepath.IsLocal(rel) || filepath.Clean(rel) != rel || rel == ".":
		return "", errBelow
	}
	return filepath.Join(j.run.Roots[l.Root], rel), nil
}

// isName reports whether s is a valid base name of a file.
func isName(s string) bool {
	return s != "." && filepath.IsLocal(s) && !strings.ContainsRune(s, filepath.Separator)
}
