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
	mark     = ".absolink-"
	longest  = 180 // bytes of NAME that are kept; with all else a name stays below 255
	attempts = 100 // to lock a new file before another run takes it for left over
)

var pattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.(?s:.*)\.absolink-([0-9a-f]{8})([0-9a-f]{8})?-[0-9]+-([0-9a-f]{8})$`)
})

// host stands for this machine in names, by its name.
var host = sync.OnceValue(func() string {
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	return short(name)
})

// Boot stands for the kernel that this process runs on, from its start to its end, in all
// its containers; it is "" where that is not known.
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

// IsTemporary reports whether a file of this base name is a temporary one, of whatever
// machine, in use or not.
func IsTemporary(name string) bool { return strings.HasPrefix(name, ".") && parse(name) != nil }

// parse returns the parts of the name of a temporary file, nil if it is none: all, the
// machine by its name, by its kernel, and the check.
func parse(name string) []string {
	m := pattern().FindStringSubmatch(name)
	if m == nil || m[3] != short(strings.TrimSuffix(name, m[3])) {
		return nil
	}
	return m
}

// live are the base names of the files that this process has made and not cleaned up.
var live sync.Map

// InUse reports whether a temporary file of this base name is in use by this process.
func InUse(name string) bool {
	_, ok := live.Load(name)
	return ok
}

// Temporary is a temporary file. It must be cleaned up.
type Temporary struct {
	*os.File
	dir  *Dir
	base string
	made fs.FileInfo
}

// Base returns the base name of f.
func (f *Temporary) Base() string { return f.base }

// Made returns what f was when it was made, before anything was written to it.
func (f *Temporary) Made() fs.FileInfo { return f.made }

// Cleanup closes f and removes what has its name: where that was exchanged for another
// one's it is the file that had that before.
func (f *Temporary) Cleanup() error { return errors.Join(f.Close(), f.Drop()) }

// Drop takes the name away. f stays open.
func (f *Temporary) Drop() error {
	defer live.Delete(f.base)
	return f.dir.Remove(f.base)
}

// CreateTemporary makes a temporary file for the name name in dir, which must stay open, for
// reading and writing, with the permissions perm as the umask has them.
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

// Nameless makes a temporary file that goes when it is closed, in the directory that
// the system has for them.
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

// shorten cuts a name that has no room for more, at the end of a character.
func shorten(name string) string {
	if len(name) <= longest {
		return name
	}
	n := longest
	for n > longest-utf8.UTFMax && !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n]
}

// hold locks f, notes what it is, and reports whether it still has its name: another process
// may have taken it for left over before it was locked.
func (f *Temporary) hold() (bool, error) {
	unlockable := flock(f.File, true)
	var err error
	if f.made, err = f.Stat(); err != nil {
		return false, err
	}
	if unlockable != nil {
		return true, nil // no process can lock here, so none removes it
	}
	now, err := f.dir.Lstat(f.base)
	return err == nil && now.Is(f.made), nil
}

// Hold locks the file f for as long as it is open in this process, and reports
// whether no other process has done so. An error says that it can't be known.
func Hold(f *os.File) (bool, error) {
	err := flock(f, false)
	if errors.Is(err, errBusy) {
		return false, nil
	}
	return err == nil, err
}

// HoldSoon is Hold, but waits up to a tenth of a second for others: another run that looks
// whether f is left over locks it for a moment.
func HoldSoon(f *os.File) {
	for range 100 {
		if free, err := Hold(f); free || err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// RemoveTemporary removes the file name in dir if it is f, which the caller holds, so that two
// that find the same file left over never remove what has come in its place.
func RemoveTemporary(f *os.File, dir *Dir, name string) error {
	if !dir.Is(name, f) {
		return nil
	}
	return dir.Remove(name)
}

// Sweeper removes what is left over in the directories of a run, in each once.
// The zero value is ready, and safe for concurrent use.
type Sweeper struct{ seen sync.Map }

// Sweep removes the temporary files of this machine that no process uses any more in the
// directory path, which open opens; when it returns they are gone. What cannot be read or removed
// stays where it is.
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
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || !Mine(info) {
		return
	}
	if free, err := Hold(f); free && err == nil {
		RemoveTemporary(f, d, name)
	}
}
