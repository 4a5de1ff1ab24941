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

// A mail program moves the messages of a Maildir while they are worked on: from new to
// cur, and to another name with other flags. The unique name stays.

// MovesFollowed is how often a message is looked for anew.
const MovesFollowed = 20

// MovesMissed is how often a Maildir is read anew for a message that it does not have: one
// that is renamed while a directory is read may be in no place of the list.
const MovesMissed = 4

// readingMoved is for how long Maildirs are read anew in any case, and then for no more than
// half of the time of the run: of a large one thousands of messages may have gone.
const readingMoved = 10 * time.Second

// Moved are the messages of Maildirs by their unique names, as far as they were asked
// for. Several have the same one where a message was copied. The zero value is ready, and
// safe for concurrent use.
type Moved struct {
	mu    sync.Mutex
	dirs  map[string]map[string][]string
	began time.Time
	spent time.Duration // on reading directories
}

// Find returns where the message of a Maildir may be that once was path. anew says that
// the Maildir is read again.
func (m *Moved) Find(path string, anew bool) []string {
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
	if m.dirs[dir] == nil || anew && m.spent < max(readingMoved, now.Sub(m.began)/2) {
		m.dirs[dir] = MailByName(dir)
		m.spent += time.Since(now)
	}
	return m.dirs[dir][maildir.Split(filepath.Base(path)).Unique]
}

// MailByName returns the paths of the messages of a Maildir by unique name. They are moved
// from new to cur: one that is moved meanwhile is listed under both paths.
func MailByName(dir string) map[string][]string {
	list := make(map[string][]string)
	for _, sub := range []string{"new", "cur"} {
		entries, _ := os.ReadDir(filepath.Join(dir, sub)) // what cannot be read is not found
		for _, e := range entries {
			unique := maildir.Split(e.Name()).Unique
			list[unique] = append(list[unique], filepath.Join(dir, sub, e.Name()))
		}
	}
	return list
}

// Again returns the message f under the name that it has now, and reports whether it was
// found: of several with its unique name none is it.
func (m *Moved) Again(f File) (File, bool) {
	path, err := filepath.Abs(f.Path)
	if err != nil {
		return f, false
	}
	for n := range 1 + MovesMissed {
		there := slices.DeleteFunc(slices.Clone(m.Find(path, n > 0)), IsGone)
		if len(there) == 1 {
			return renamed(f, path, there[0]), true
		}
	}
	return f, false
}

// IsGone reports whether nothing stands at path.
func IsGone(path string) bool {
	_, err := os.Lstat(path)
	return err != nil
}

// renamed returns the file f, which was path, under the path now, named as before as far
// as that goes.
func renamed(f File, path, now string) File {
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

// InMaildir returns the path of a message from its Maildir on: "cur/1.host:2,S".
func InMaildir(path string) string {
	return filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path))
}
