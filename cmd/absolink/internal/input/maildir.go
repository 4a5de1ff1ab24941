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

// errMaildir refuses a Maildir where readsMaildirs is false.
var errMaildir = errors.New("a Maildir: its messages have names that this system cannot give; read it where it came " +
	"from, or give its messages as files")

// IsMaildir reports whether the directory dir is a Maildir: it has cur and new.
func IsMaildir(dir string) bool {
	return IsDir(filepath.Join(dir, "cur")) && IsDir(filepath.Join(dir, "new"))
}

// MaildirHolds reports whether the file path is a message of a Maildir, by where it stands.
func MaildirHolds(path string) bool {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return false
	}
	base := filepath.Base(dir)
	return (base == "cur" || base == "new") && IsMaildir(filepath.Dir(dir))
}

// maildirs are the Maildirs that a walk has entered, and what stood in new of each then,
// by unique name. A mail program moves messages from new to cur, perhaps after the walk
// has read cur: those that it has not met there are yielded when it comes to new.
type maildirs struct {
	read func(rel string) ([]fs.DirEntry, error) // reads a directory by its slash path below that of the walk
	in   map[string]map[string]fs.DirEntry       // by paths of Maildirs
}

// enter says of a directory, which has the slash path rel below that of the walk, whether it is
// to be walked. It must be asked of each before its entries.
func (m *maildirs) enter(dir, rel string) error {
	dir = filepath.Clean(dir)
	parent := filepath.Dir(dir)
	in := m.in[parent] != nil && dir != parent
	switch {
	case IsMaildir(dir):
		if m.in == nil {
			m.in = make(map[string]map[string]fs.DirEntry)
		}
		m.in[dir] = m.arrived(rel)
	case in && !holdsMail(dir), m.message(dir):
		return fs.SkipDir
	}
	return nil
}

// of returns the Maildir that a file is a message of, "" if it is none.
func (m *maildirs) of(path string) string {
	if m.message(path) {
		return filepath.Dir(filepath.Dir(path))
	}
	return ""
}

// message reports whether an entry lies in cur or new of a Maildir.
func (m *maildirs) message(path string) bool {
	dir := filepath.Dir(path)
	return m.in[filepath.Dir(dir)] != nil && holdsMail(dir)
}

// met notes that the walk has yielded a message of a Maildir.
func (m *maildirs) met(path string) {
	delete(m.in[filepath.Dir(filepath.Dir(path))], maildir.Split(filepath.Base(path)).Unique)
}

// isNew reports whether dir is new of a Maildir.
func (m *maildirs) isNew(dir string) bool {
	dir = filepath.Clean(dir)
	return filepath.Base(dir) == "new" && m.in[filepath.Dir(dir)] != nil
}

// new returns what stands in new of a Maildir, and what stood there when the walk came to
// the Maildir and was not met since, in lexical order.
func (m *maildirs) new(dir, rel string) ([]fs.DirEntry, error) {
	entries, err := m.read(rel)
	gone := m.in[filepath.Dir(filepath.Clean(dir))]
	for _, d := range entries {
		delete(gone, maildir.Split(d.Name()).Unique)
	}
	entries = slices.AppendSeq(entries, maps.Values(gone))
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// arrived returns what stands in new of a Maildir by unique name.
func (m *maildirs) arrived(rel string) map[string]fs.DirEntry {
	entries, _ := m.read(slash.Join(rel, "new")) // the walk itself names the error
	list := make(map[string]fs.DirEntry, len(entries))
	for _, d := range entries {
		list[maildir.Split(d.Name()).Unique] = d
	}
	return list
}

// MaildirOf returns the Maildir that a file is a message of by its path, "" if of
// none.
func MaildirOf(path string) string {
	dir := filepath.Dir(path)
	if in := filepath.Dir(dir); holdsMail(dir) && IsMaildir(in) {
		return in
	}
	return ""
}

func holdsMail(dir string) bool {
	name := filepath.Base(dir)
	return name == "cur" || name == "new"
}
