package input

import (
	"errors"
	"io/fs"
	"maps"
	slash "path"
	"path/filepath"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/maildir"
)

// errMaildir is the error for a Maildir on a system where readsMaildirs is false.
var errMaildir = errors.New("a Maildir: this system forbids its file names; read it where it came from, " +
	"or give its messages as files")

// IsMaildir reports whether the directory dir is a Maildir: it has the subdirectories cur and new.
func IsMaildir(dir string) bool {
	return IsDir(filepath.Join(dir, "cur")) && IsDir(filepath.Join(dir, "new"))
}

// MaildirHolds reports whether path is in cur or new of a Maildir. The file itself need not exist.
func MaildirHolds(path string) bool {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return false
	}
	base := filepath.Base(dir)
	return (base == "cur" || base == "new") && IsMaildir(filepath.Dir(dir))
}

// maildirs has the Maildirs that a walk has entered. For each Maildir it has the entries that were
// in new at that time, by unique name. A mail program may move a message from new to cur after the
// walk has read cur. The walk yields such a message when it comes to new.
type maildirs struct {
	read    func(rel string) ([]fs.DirEntry, error) // reads the directory at a slash path below the walked directory
	entered map[string]map[string]fs.DirEntry       // key: path of the Maildir
}

// enter returns nil if the walk should enter the directory dir, and otherwise fs.SkipDir. If dir is
// a Maildir, enter records it. rel is the path of dir below the walked directory. The walk must
// call enter for each directory before it yields the entries of the directory.
func (m *maildirs) enter(dir, rel string) error {
	dir = filepath.Clean(dir)
	parent := filepath.Dir(dir)
	in := m.entered[parent] != nil && dir != parent
	switch {
	case IsMaildir(dir):
		if m.entered == nil {
			m.entered = make(map[string]map[string]fs.DirEntry)
		}
		m.entered[dir] = m.readNew(rel)
	case in && !holdsMail(dir), m.holds(dir):
		return fs.SkipDir
	}
	return nil
}

// of returns the Maildir whose message is at path, or "".
func (m *maildirs) of(path string) string {
	if m.holds(path) {
		return filepath.Dir(filepath.Dir(path))
	}
	return ""
}

// holds reports whether the entry at path is in cur or new of a Maildir.
func (m *maildirs) holds(path string) bool {
	dir := filepath.Dir(path)
	return m.entered[filepath.Dir(dir)] != nil && holdsMail(dir)
}

// markYielded records that the walk has yielded the message at path.
func (m *maildirs) markYielded(path string) {
	delete(m.entered[filepath.Dir(filepath.Dir(path))], maildir.Split(filepath.Base(path)).Unique)
}

// isNew reports whether dir is the subdirectory new of a Maildir.
func (m *maildirs) isNew(dir string) bool {
	dir = filepath.Clean(dir)
	return filepath.Base(dir) == "new" && m.entered[filepath.Dir(dir)] != nil
}

// newEntries returns the entries of dir, the subdirectory new of a Maildir, in lexical order. It
// adds the entries that were there when the walk entered the Maildir, except those that the walk
// has meanwhile yielded from cur.
func (m *maildirs) newEntries(dir, rel string) ([]fs.DirEntry, error) {
	entries, err := m.read(rel)
	gone := m.entered[filepath.Dir(filepath.Clean(dir))]
	for _, d := range entries {
		delete(gone, maildir.Split(d.Name()).Unique)
	}
	entries = slices.AppendSeq(entries, maps.Values(gone))
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// readNew returns the entries in new of a Maildir, by unique name. rel is the path of the Maildir
// below the walked directory.
func (m *maildirs) readNew(rel string) map[string]fs.DirEntry {
	entries, _ := m.read(slash.Join(rel, "new")) // the walk itself reports the error
	list := make(map[string]fs.DirEntry, len(entries))
	for _, d := range entries {
		list[maildir.Split(d.Name()).Unique] = d
	}
	return list
}

// MaildirOf returns the Maildir whose message is at path, or "".
func MaildirOf(path string) string {
	dir := filepath.Dir(path)
	if in := filepath.Dir(dir); holdsMail(dir) && IsMaildir(in) {
		return in
	}
	return ""
}

// holdsMail reports whether a directory has one of the names of directories with messages: cur or
// new.
func holdsMail(dir string) bool {
	name := filepath.Base(dir)
	return name == "cur" || name == "new"
}
