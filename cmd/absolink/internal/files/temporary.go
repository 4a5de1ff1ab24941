package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	mark        = ".absolink-"
	longestName = 180 // the largest number of bytes of NAME that are kept; the whole name stays below 255
	attempts    = 100 // the largest number of new names that are tried
)

var pattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.(?s:.*)\.absolink-([0-9a-f]{8})([0-9a-f]{8})?-[0-9]+-([0-9a-f]{8})$`)
})

// host returns a short hash of the name of this machine, for the names of files.
var host = sync.OnceValue(func() string {
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	return short(name)
})

// Boot identifies the running kernel, from its start to its end, in all its containers. It is "" if
// that is unknown.
var Boot = sync.OnceValue(func() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || len(id) == 0 {
		return ""
	}
	return short(string(id))
})

func short(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// IsTemporary reports whether a base name is the name of a temporary file. The file may belong to
// any machine, and may be in use.
func IsTemporary(name string) bool { return strings.HasPrefix(name, ".") && parse(name) != nil }

// parse returns the parts of the name of a temporary file: the whole name, the machine by its name,
// the machine by its kernel, and the check. It returns nil for any other name.
func parse(name string) []string {
	m := pattern().FindStringSubmatch(name)
	if m == nil || m[3] != short(strings.TrimSuffix(name, m[3])) {
		return nil
	}
	return m
}

// live holds the base names of the temporary files that this process has made and not cleaned up.
var live sync.Map

// InUse reports whether this process uses a temporary file with this base name.
func InUse(name string) bool {
	_, ok := live.Load(name)
	return ok
}

// Temporary is a temporary file. The caller must call Cleanup.
type Temporary struct {
	*os.File
	dir  *Dir
	base string
	made fs.FileInfo // set by hold
	kept bool        // Drop keeps the name
}

// Base returns the base name of f.
func (f *Temporary) Base() string { return f.base }

// Made describes f as it was made, before anything was written to it.
func (f *Temporary) Made() fs.FileInfo { return f.made }

// Cleanup closes f, and removes the file that has its name. After an exchange of names that is
// another file than f.
func (f *Temporary) Cleanup() error { return errors.Join(f.Close(), f.Drop()) }

// Drop removes the file with the name of f. f stays open.
func (f *Temporary) Drop() error {
	defer live.Delete(f.base)
	if f.kept {
		return nil
	}
	return f.dir.Remove(f.base)
}

// KeepName makes Drop and Cleanup keep the file that has the name of f.
func (f *Temporary) KeepName() { f.kept = true }

// CreateTemporary makes a temporary file for the file name in dir, and opens it for reading and
// writing. dir must stay open. The file has the permissions perm minus the umask.
func CreateTemporary(dir *Dir, name string, perm fs.FileMode) (*Temporary, error) {
	name = "." + shorten(name) + mark + host() + Boot() + "-"
	for n := 1; ; n++ {
		base := name + strconv.FormatInt(rand.Int64(), 10) + "-"
		base += short(base)
		live.Store(base, true)
		file, err := dir.Open(base, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if err == nil {
			f := &Temporary{File: file, dir: dir, base: base}
			var held bool
			if held, err = f.hold(); held || err == nil && n == attempts {
				return f, nil
			}
			file.Close()
		}
		live.Delete(base)
		if n == attempts || err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
}

// Nameless makes a file without a name in the system's directory of temporary files. The file
// disappears when it is closed.
func Nameless() (*os.File, error) {
	f, err := os.CreateTemp("", "absolink-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// shorten cuts a name that is too long, at the end of a character.
func shorten(name string) string {
	if len(name) <= longestName {
		return name
	}
	n := longestName
	for n > longestName-utf8.UTFMax && !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n]
}

// hold locks f and sets f.made. It returns false if another process has taken f for left over
// before the lock, and has removed its name.
func (f *Temporary) hold() (bool, error) {
	unlockable := flock(f.File, true)
	var err error
	if f.made, err = f.Stat(); err != nil {
		return false, err
	}
	if unlockable != nil {
		return true, nil // if no process can lock here, no process removes f
	}
	now, err := f.dir.Lstat(f.base)
	return err == nil && now.Is(f.made), nil
}

// Hold locks the file f for as long as it is open in this process. It returns false if another
// process has locked f. It returns an error if the system cannot tell.
func Hold(f *os.File) (bool, error) {
	err := flock(f, false)
	if errors.Is(err, errBusy) {
		return false, nil
	}
	return err == nil, err
}

// holdSoon is Hold, but waits up to a tenth of a second for other processes. A Sweeper of another
// run locks f for a moment to see whether f is left over.
func holdSoon(f *os.File) {
	for range 100 {
		if free, err := Hold(f); free || err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// RemoveTemporary removes the file name in dir if it is f. The caller must hold f: see Hold. So two
// runs that find the same left-over file never remove a newer file with its name.
func RemoveTemporary(f *os.File, dir *Dir, name string) error {
	if !dir.Is(name, f) {
		return nil
	}
	return dir.Remove(name)
}

// Sweeper removes left-over temporary files in the directories of a run, once in each directory.
// The zero value is ready to use. It is safe for concurrent use.
type Sweeper struct{ seen sync.Map }

// Sweep removes the temporary files of this machine that no process uses from the directory path.
// It opens the directory with open. Files that cannot be read or removed stay. If several
// goroutines call Sweep for one directory, each returns when the files are gone.
func (s *Sweeper) Sweep(path string, open func(path string) (*Dir, error)) {
	once, _ := s.seen.LoadOrStore(path, new(sync.Once))
	once.(*sync.Once).Do(func() { sweep(path, open) })
}

func sweep(path string, open func(path string) (*Dir, error)) {
	d, err := open(path)
	if err != nil {
		return
	}
	defer d.Close()
	for name := range d.Names() {
		if m := parse(name); m != nil && (m[1] == host() || m[2] != "" && m[2] == Boot()) {
			removeLeftOver(d, name)
		}
	}
}

func removeLeftOver(d *Dir, name string) {
	f, err := d.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || !isMine(info) {
		return
	}
	if free, err := Hold(f); free && err == nil {
		RemoveTemporary(f, d, name)
	}
}
