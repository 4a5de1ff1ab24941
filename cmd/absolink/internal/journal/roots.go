package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"

	"absolink/cmd/absolink/internal/files"
)

// All files of a journal are below its roots. This is checked when the journal is written, when it
// is read, and when a file is put back. No symbolic link may be on the path of a file.

// version is the version of the first line. Version 1 had absolute paths and no roots.
const version = 2

// formatStart begins every journal.
const formatStart = `{"absolink":"journal","version":`

// errBelow is the error for a path that is not below a root of the journal.
var errBelow = errors.New("lies below none of the roots of the run")

// errDamaged is the error for the first line of a file if the line has no path.
var errDamaged = errors.New("names no file")

// longestFirst is the size limit of the first line in bytes.
const longestFirst = 16 << 20

// header is the first line.
type header struct {
	Absolink string            `json:"absolink"`
	Version  int               `json:"version"`
	Roots    []storedPath      `json:"roots"`
	Inputs   []storedPath      `json:"inputs,omitempty"`
	Options  map[string]string `json:"options,omitzero"`
}

// storedPath is a path in the first line.
type storedPath struct {
	Path       string `json:"path,omitempty"`
	PathBase64 []byte `json:"path_base64,omitempty"`
}

// Run describes the run that began a journal, as stored in the first line.
type Run struct {
	Roots   Roots
	Inputs  []string          // files and directories, absolute; empty means all files below the roots
	Options map[string]string // values of the flags that decide the output; nil if unknown
}

// Run returns the run that began the journal. The caller must not modify it.
func (j *Journal) Run() *Run { return &j.run }

// AllInputs returns the inputs of the run. A run without Inputs has read everything below its
// roots.
func (r *Run) AllInputs() []string {
	if len(r.Inputs) == 0 {
		return r.Roots
	}
	return r.Inputs
}

// Covers returns a function that reports whether a path is an input of the run, or is below an
// input.
func (r *Run) Covers() func(path string) bool {
	inputs := make(map[string]bool)
	for _, path := range r.AllInputs() {
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

// firstLine returns the first line of the journal of a run.
func firstLine(run *Run) ([]byte, error) {
	h := header{Absolink: "journal", Version: version, Roots: storedPaths(run.Roots),
		Inputs: storedPaths(run.Inputs), Options: run.Options}
	line, err := json.Marshal(&h)
	if len(line) >= longestFirst {
		return nil, errors.New("has no room for so many inputs: give the directory that they lie in")
	}
	return append(line, '\n'), err
}

// storedPaths returns paths in the form of the first line.
func storedPaths(paths []string) []storedPath {
	list := make([]storedPath, len(paths))
	for i, path := range paths {
		list[i].Path, list[i].PathBase64 = textOrBytes(path)
	}
	return list
}

// loadedPaths is the reverse of storedPaths. It returns false if a path is not absolute.
func loadedPaths(list []storedPath) (paths []string, ok bool) {
	for _, p := range list {
		path := oneOf(p.Path, p.PathBase64)
		if !filepath.IsAbs(path) || filepath.Clean(path) != path {
			return nil, false
		}
		paths = append(paths, path)
	}
	return paths, true
}

// readFirst reads the first line of the journal. It returns false if the line is missing, or
// incomplete because a run was killed while it wrote the line.
func (j *Journal) readFirst() (bool, error) {
	r := bufio.NewReader(io.NewSectionReader(j.file, 0, longestFirst))
	line, err := r.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	if n := min(len(line), len(formatStart)); string(line[:n]) != formatStart[:n] {
		return false, ErrFormat
	}
	if err == io.EOF && len(line) < longestFirst {
		return false, nil
	}
	return true, j.parseFirst(line)
}

// parseFirst sets the Run of j from the first line.
func (j *Journal) parseFirst(line []byte) error {
	var h header
	switch err := json.Unmarshal(line, &h); {
	case err == nil && h.Version == 1:
		return ErrOld
	case err != nil || h.Version != version || len(h.Roots) == 0:
		return ErrFormat
	}
	roots, ok1 := loadedPaths(h.Roots)
	inputs, ok2 := loadedPaths(h.Inputs)
	if !ok1 || !ok2 {
		return ErrFormat
	}
	j.run = Run{roots, inputs, h.Options}
	j.firstSize = int64(len(line))
	return nil
}

// Roots are the directories that contain all files of a run. Their paths are absolute and without
// symbolic links.
type Roots []string

// Roots returns the roots of the journal. The caller must not modify them.
func (j *Journal) Roots() Roots { return j.run.Roots }

// Has reports whether path is a root, or below a root. path must be absolute and without symbolic
// links.
func (r Roots) Has(path string) bool {
	_, _, ok := r.below(path)
	return ok
}

// below returns the index of the root that contains path, and the path below that root. For the
// root itself the path is ".".
func (r Roots) below(path string) (i int, rel string, ok bool) {
	for i, root := range r {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return i, rel, true
		}
	}
	return 0, "", false
}

// Directory opens a directory that is a root, or below a root. It fails if there is a symbolic link
// on path: there was none when the journal was written, so someone has put it there since.
// Operations on the returned Dir stay in the opened directory, even if another program puts another
// directory at its path.
func (r Roots) Directory(path string) (*files.Dir, error) {
	if !r.Has(path) {
		return nil, errBelow
	}
	return files.OpenRealDir(path)
}

// pathOf returns the path of the file whose first line is l.
func (j *Journal) pathOf(l *beginLine) (string, error) {
	rel := oneOf(l.Path, l.PathBase64)
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
	return s != "." && filepath.IsLocal(s) && filepath.Base(s) == s
}
