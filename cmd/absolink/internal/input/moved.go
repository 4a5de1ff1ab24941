package input

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"absolink/cmd/absolink/internal/maildir"
)

// A mail program may move messages of a Maildir while absolink works on them: from new to cur, or
// to a name with other flags. The unique name stays the same.

// MaxMoves is the number of times that a run looks for a message that is moved again and again.
const MaxMoves = 20

// MaxRereads is the number of times that a Maildir is read again to find a missing message. The
// listing of a directory may miss a message that is renamed at that moment.
const MaxRereads = 4

// maxRereadTime is the time that a run may always spend on reading Maildirs again. A long run may
// spend half of its time. Without a limit, a large Maildir that thousands of messages have left
// would be read thousands of times.
const maxRereadTime = 10 * time.Second

// Moved finds moved messages of Maildirs by their unique names. It reads a Maildir when it first
// looks for one of its messages. If a message was copied, several messages have the same unique
// name. The zero value is ready for use. A Moved is safe for concurrent use.
type Moved struct {
	mu    sync.Mutex
	dirs  map[string]map[string][]string
	began time.Time
	spent time.Duration // time spent on reading directories
}

// Find returns the paths at which the message that was at path may be now. If reread is true, it
// reads the Maildir again first, as far as the time limit allows.
func (m *Moved) Find(path string, reread bool) []string {
	if !MaildirHolds(path) {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dirs == nil {
		m.dirs = make(map[string]map[string][]string)
		m.began = time.Now()
	}
	dir, now := filepath.Dir(filepath.Dir(path)), time.Now()
	if m.dirs[dir] == nil || reread && m.spent < max(maxRereadTime, now.Sub(m.began)/2) {
		m.dirs[dir] = MailByName(dir)
		m.spent += time.Since(now)
	}
	return m.dirs[dir][maildir.Split(filepath.Base(path)).Unique]
}

// MailByName returns the paths of the messages of the Maildir dir, by unique name. A message that
// moves from new to cur during the call is listed under both paths.
func MailByName(dir string) map[string][]string {
	list := make(map[string][]string)
	for _, sub := range []string{"new", "cur"} {
		entries, _ := os.ReadDir(filepath.Join(dir, sub)) // a directory that cannot be read counts as empty
		for _, e := range entries {
			unique := maildir.Split(e.Name()).Unique
			list[unique] = append(list[unique], filepath.Join(dir, sub, e.Name()))
		}
	}
	return list
}

// FindAgain returns f with the present name of its message, and true. If the message is not found,
// or several messages have its unique name, it returns f and false.
func (m *Moved) FindAgain(f File) (File, bool) {
	path, err := filepath.Abs(f.Path)
	if err != nil {
		return f, false
	}
	for n := range 1 + MaxRereads {
		there := slices.DeleteFunc(slices.Clone(m.Find(path, n > 0)), IsGone)
		if len(there) == 1 {
			return withNewPath(f, path, there[0]), true
		}
	}
	return f, false
}

// IsGone reports whether no file is at path.
func IsGone(path string) bool {
	_, err := os.Lstat(path)
	return err != nil
}

// withNewPath returns f after a move from path to now. The names in f keep their form, such as a
// relative path, if possible.
func withNewPath(f File, path, now string) File {
	old, made := InMaildir(path), InMaildir(now)
	for _, name := range []*string{&f.Source, &f.Path, &f.Rel} {
		if rest, ok := strings.CutSuffix(*name, old); ok {
			*name = rest + made
		} else {
			*name = now
		}
	}
	if f.Named {
		f.Rel = filepath.Base(now)
	}
	f.Bytes = -1
	if f.found.root == nil {
		return f
	}
	if rest, ok := strings.CutSuffix(f.found.path, filepath.ToSlash(old)); ok {
		f.found.path = rest + filepath.ToSlash(made)
	} else if in, dir, err := newRoot(filepath.Dir(filepath.Dir(now))); err == nil { // new or cur itself was walked
		dir.Close()
		f.found.root = in
		f.found.path = filepath.ToSlash(made)
	}
	return f
}

// InMaildir returns the part of a message's path that begins with cur or new: "cur/1.host:2,S".
func InMaildir(path string) string {
	return filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path))
}
