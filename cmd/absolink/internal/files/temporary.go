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
	infix    = ".absolink-"
	maxName  = 180 // the maximum length of NAME in bytes; a temporary name must have less than 255
	attempts = 100 // the maximum number of new names that are tried
)

// pattern matches the names of temporary files. The groups are the two hashes of HOST, and CHECK.
var pattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.(?s:.*)\.absolink-([0-9a-f]{8})([0-9a-f]{8})?-[0-9]+-([0-9a-f]{8})$`)
})

// host returns a short hash of the name of this machine.
var host = sync.OnceValue(func() string {
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	return shortHash(name)
})

// Boot returns a short hash of the boot ID, which identifies the running kernel until it stops. All
// containers of a machine have the same boot ID. Boot returns "" if the boot ID is unknown.
var Boot = sync.OnceValue(func() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || len(id) == 0 {
		return ""
	}
	return shortHash(string(id))
})

// shortHash returns a hash of s in eight hexadecimal digits.
func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// IsTemporary reports whether a base name is the name of a temporary file, of any machine. The file
// may be in use.
func IsTemporary(name string) bool {
	if !strings.HasPrefix(name, ".") {
		return false
	}
	_, ok := parseName(name)
	return ok
}

// machine identifies the machine in the name of a temporary file, by the two hashes. boot is "" if
// the boot ID was unknown.
type machine struct{ host, boot string }

// isThis reports whether m is this machine.
func (m machine) isThis() bool { return m.host == host() || m.boot != "" && m.boot == Boot() }

// parseName returns the machine in the name of a temporary file. ok is false if name is not such a
// name.
func parseName(name string) (m machine, ok bool) {
	groups := pattern().FindStringSubmatch(name)
	if groups == nil || groups[3] != shortHash(strings.TrimSuffix(name, groups[3])) {
		return machine{}, false
	}
	return machine{host: groups[1], boot: groups[2]}, true
}

// inUse holds the base names of the temporary files that this process uses.
var inUse sync.Map

// InUse reports whether this process uses a temporary file with this base name.
func InUse(name string) bool {
	_, ok := inUse.Load(name)
	return ok
}

// Temporary is a temporary file. The caller must call Cleanup.
type Temporary struct {
	*os.File
	dir   *Dir
	base  string
	made  fs.FileInfo // set by hold
	keeps bool        // set by KeepName: Drop and Cleanup remove nothing
}

// Base returns the base name of f.
func (f *Temporary) Base() string { return f.base }

// Made describes f before anything was written to it.
func (f *Temporary) Made() fs.FileInfo { return f.made }

// Cleanup closes f, and removes the file with the name of f. After an exchange of names, this is
// another file than f.
func (f *Temporary) Cleanup() error { return errors.Join(f.Close(), f.Drop()) }

// Drop removes the file with the name of f, as Cleanup does. f stays open.
func (f *Temporary) Drop() error {
	defer inUse.Delete(f.base)
	if f.keeps {
		return nil
	}
	return f.dir.Remove(f.base)
}

// KeepName makes Drop and Cleanup leave the file with the name of f alone.
func (f *Temporary) KeepName() { f.keeps = true }

// CreateTemporary makes a temporary file for the file with this name in dir, and opens it for
// reading and writing. dir must stay open. The file has the permissions perm minus the umask.
func CreateTemporary(dir *Dir, name string, perm fs.FileMode) (*Temporary, error) {
	prefix := "." + shorten(name) + infix + host() + Boot() + "-"
	for n := 1; ; n++ {
		base := prefix + strconv.FormatInt(rand.Int64(), 10) + "-"
		base += shortHash(base)
		f, held, err := createHeld(dir, base, perm)
		if held || err == nil && n == attempts {
			return f, nil
		}
		if f != nil {
			f.Close()
		}
		inUse.Delete(base)
		if n == attempts || err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
}

// createHeld makes a temporary file with the name base, and locks it. held is the result of hold. f
// is nil if the file could not be made, and not nil if only hold failed.
func createHeld(dir *Dir, base string, perm fs.FileMode) (f *Temporary, held bool, err error) {
	inUse.Store(base, true)
	file, err := dir.Open(base, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, false, err
	}
	f = &Temporary{File: file, dir: dir, base: base}
	held, err = f.hold()
	return f, held, err
}

// shorten returns name, cut to maxName bytes at the end of a character.
func shorten(name string) string {
	if len(name) <= maxName {
		return name
	}
	n := maxName
	for n > maxName-utf8.UTFMax && !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n]
}

// hold locks f and sets f.made. held is false if a Sweeper of another process has removed f before
// f was locked. If the file system has no locks, no Sweeper removes f, and held is true.
func (f *Temporary) hold() (held bool, err error) {
	lockErr := flock(f.File, true)
	f.made, err = f.Stat()
	if err != nil {
		return false, err
	}
	if lockErr != nil {
		return true, nil
	}
	now, err := f.dir.Lstat(f.base)
	return err == nil && now.Is(f.made), nil
}

// Hold locks the file f until this process closes it. It returns false if another process has
// locked f. It returns an error if the system cannot lock f.
func Hold(f *os.File) (bool, error) {
	err := flock(f, false)
	if errors.Is(err, errBusy) {
		return false, nil
	}
	return err == nil, err
}

// holdPatiently is Hold, but tries for up to a tenth of a second. A Sweeper of another run may lock
// f for a moment, to see whether f is left over.
func holdPatiently(f *os.File) {
	for range 100 {
		if free, err := Hold(f); free || err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// RemoveTemporary removes the file with this name in dir if that file is f. The caller must have
// locked f with Hold. So if two runs find the same left-over file, neither of them removes a newer
// file with this name.
func RemoveTemporary(f *os.File, dir *Dir, name string) error {
	if !dir.Is(name, f) {
		return nil
	}
	return dir.Remove(name)
}

// Sweeper removes left-over temporary files, once in each directory. The zero value is ready to
// use. It is safe for concurrent use.
type Sweeper struct{ seen sync.Map }

// Sweep removes the temporary files of this machine that no process uses from the directory at
// path. It opens the directory with open. Files that cannot be read or removed stay. If several
// goroutines call Sweep for one directory, all calls return after the removal.
func (s *Sweeper) Sweep(path string, open func(path string) (*Dir, error)) {
	once, _ := s.seen.LoadOrStore(path, new(sync.Once))
	once.(*sync.Once).Do(func() { sweep(path, open) })
}

// sweep does the work of Sweep, at every call.
func sweep(path string, open func(path string) (*Dir, error)) {
	d, err := open(path)
	if err != nil {
		return
	}
	defer d.Close()
	for name := range d.Names() {
		if m, ok := parseName(name); ok && m.isThis() {
			removeLeftOver(d, name)
		}
	}
}

// removeLeftOver removes the temporary file with this name if it belongs to the user and no process
// has locked it.
func removeLeftOver(d *Dir, name string) {
	f, err := d.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || !isMine(f, info) {
		return
	}
	if free, err := Hold(f); free && err == nil {
		RemoveTemporary(f, d, name)
	}
}
