package e2e

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/cli"
	"absolink/testdata/effort"
)

// A loss of power is simulated. A recorder traces a run, and keeps every change of a file or a
// directory. Then it puts the files into a state that a disk may have after a loss of power at any
// moment: changes before the last flush are there, and of all later changes any part, in any order.

// sectorSize is the number of bytes that a disk writes as a whole.
const sectorSize = 512

// change is a change of a file or a directory, or a flush.
type change struct {
	start, end int // when the call began and returned, in calls

	inode *inode // the file that changes; nil for a change of names
	data  []byte // written at offset
	at    int64  // offset
	size  int64  // new size of the file; -1 if data or the attributes change
	attrs bool   // mode and time change
	mode  fs.FileMode
	time  time.Time

	names map[string]*inode // new meaning of names; nil for a name that is removed

	flushed string // the directory that is flushed, or "" if inode is flushed
	flush   bool
}

// inode is a file, which may have several names.
type inode struct {
	content []byte
	mode    fs.FileMode
	time    time.Time
}

// recorder records the changes below a directory.
type recorder struct {
	dir     string
	before  map[string]*inode // files before the run
	names   map[string]*inode // files now
	inodes  map[uint64]*inode // by number
	starts  map[*call]int
	clock   int
	changes []change
	failure string // a change that the recorder does not know
}

// recordRun runs the command in c.dir and records its changes.
func recordRun(t *testing.T, c *crash, args []string) *recorder {
	t.Helper()
	r := &recorder{dir: c.dir, before: make(map[string]*inode), names: make(map[string]*inode),
		inodes: make(map[uint64]*inode), starts: make(map[*call]int)}
	err := filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		file := &inode{content, info.Mode(), info.ModTime()}
		r.before[path] = file
		r.names[path] = file
		r.inodes[inodeNumber(info)] = file
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	tr := &tracer{dir: c.dir, after: r.add, before: func(_ int, c *call) unix.Errno {
		r.clock++
		r.starts[c] = r.clock
		return 0
	}}
	if got := tr.run(t, c.dir, args); got.killed || got.code != cli.ExitDone || r.failure != "" {
		t.Fatalf("%q: got %+v, and failed to record %q", args, got, r.failure)
	}
	return r
}

// inodeNumber returns the number of the inode of a file.
func inodeNumber(info fs.FileInfo) uint64 { return info.Sys().(*syscall.Stat_t).Ino }

// add adds the changes of a call that has returned.
func (r *recorder) add(c *call, thread int) {
	r.clock++
	if c.failed {
		return
	}
	g := change{start: r.starts[c], end: r.clock, size: -1}
	switch c.number {
	case unix.SYS_OPENAT:
		r.addOpen(g, c, thread)
		return
	case unix.SYS_FLOCK, unix.SYS_FCHOWN:
		return
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2:
		g.names = map[string]*inode{c.path: nil, c.to: r.names[c.path]}
		if c.number == unix.SYS_RENAMEAT2 && c.args[4] == unix.RENAME_EXCHANGE {
			g.names[c.path] = r.names[c.to]
		}
	case unix.SYS_LINKAT:
		g.names = map[string]*inode{c.to: r.names[c.path]}
	case unix.SYS_UNLINKAT:
		g.names = map[string]*inode{c.path: nil}
	default:
		if !r.setFile(&g, c, thread) {
			return
		}
	}
	maps.Copy(r.names, g.names)
	r.changes = append(r.changes, g)
}

// setFile completes g, a change of an open file or a flush. It returns false if nothing changes.
func (r *recorder) setFile(g *change, c *call, thread int) bool {
	fd := filepath.Join("/proc", fmt.Sprint(thread), "fd", fmt.Sprint(c.args[0]))
	info, err := os.Stat(fd)
	if err != nil {
		r.failure = c.name() + ": " + err.Error()
		return false
	}
	if info.IsDir() {
		g.flush = c.number == unix.SYS_FSYNC
		g.flushed = c.path
		return g.flush
	}
	g.inode = r.inodes[inodeNumber(info)]
	if g.inode == nil {
		r.failure = c.name() + " of the unknown file " + c.path
		return false
	}
	switch c.number {
	case unix.SYS_FSYNC:
		g.flush = true
	case unix.SYS_PWRITE64:
		g.data = readMemory(thread, c.args[1], int(c.result), false)
		g.at = int64(c.args[3])
	case unix.SYS_WRITE:
		g.data = readMemory(thread, c.args[1], int(c.result), false)
		g.at = position(thread, c.args[0]) - c.result
	case unix.SYS_FTRUNCATE:
		g.size = int64(c.args[1])
	case unix.SYS_FCHMOD, unix.SYS_UTIMENSAT:
		g.attrs = true
		g.mode = info.Mode()
		g.time = info.ModTime()
	default:
		r.failure = fmt.Sprint("system call ", c.number)
		return false
	}
	return true
}

// addOpen adds the changes of a call that opened a file: it may be new, or lose its content.
func (r *recorder) addOpen(g change, c *call, thread int) {
	info, err := os.Stat(filepath.Join("/proc", fmt.Sprint(thread), "fd", fmt.Sprint(c.result)))
	if err != nil {
		r.failure = "open: " + err.Error()
		return
	}
	file := r.names[c.path]
	switch {
	case file == nil:
		file = &inode{mode: info.Mode(), time: info.ModTime()}
		r.inodes[inodeNumber(info)] = file
		r.names[c.path] = file
		g.names = map[string]*inode{c.path: file}
	case c.args[2]&unix.O_TRUNC != 0:
		g.inode = file
		g.size = 0
	default:
		return
	}
	r.changes = append(r.changes, g)
}

// position returns the position of a descriptor in its file.
func position(thread int, fd uint64) (n int64) {
	text, _ := os.ReadFile(filepath.Join("/proc", fmt.Sprint(thread), "fdinfo", fmt.Sprint(fd)))
	fmt.Sscanf(string(text), "pos: %d", &n)
	return n
}

// isFlushed reports whether the change n is on the disk for sure at the time now.
func (r *recorder) isFlushed(n, now int) bool {
	g := &r.changes[n]
	return slices.ContainsFunc(r.changes, func(f change) bool {
		if !f.flush || f.start < g.end || f.end > now {
			return false
		}
		if g.names == nil {
			return f.inode == g.inode
		}
		for path := range g.names {
			if filepath.Dir(path) == f.flushed {
				return true
			}
		}
		return false
	})
}

// disk holds the files of a disk, by name.
type disk map[string]*inode

// after returns a state of the disk after a loss of power at the time now. A change that is not
// flushed is on the disk with the given probability.
func (r *recorder) after(now int, probability float64, random *rand.Rand) disk {
	d := make(disk)
	files := make(map[*inode]*inode) // on the disk, by the file of the recorder
	on := func(file *inode) *inode {
		if file != nil && files[file] == nil {
			made := *file
			made.content = slices.Clone(file.content)
			files[file] = &made
		}
		return files[file]
	}
	for path, file := range r.before {
		d[path] = on(file)
	}
	for n := range r.changes {
		g := &r.changes[n]
		if g.start > now {
			continue
		}
		flushed := g.end <= now && r.isFlushed(n, now)
		stays := func() bool { return flushed || random.Float64() < probability }
		switch {
		case g.flush:
		case g.data != nil:
			on(g.inode).write(g.data, g.at, stays)
		case !stays():
		case g.names != nil:
			for path, file := range g.names {
				d[path] = on(file)
			}
		case g.attrs:
			file := on(g.inode)
			file.mode = g.mode
			file.time = g.time
		default:
			on(g.inode).setSize(g.size)
		}
	}
	maps.DeleteFunc(d, func(_ string, file *inode) bool { return file == nil })
	return d
}

// write writes those sectors of data for which stays returns true.
func (f *inode) write(data []byte, at int64, stays func() bool) {
	for len(data) > 0 {
		n := min(int64(len(data)), sectorSize-at%sectorSize)
		if stays() {
			f.setSize(max(int64(len(f.content)), at+n))
			copy(f.content[at:], data[:n])
		}
		data = data[n:]
		at += n
	}
}

// setSize cuts the content, or appends zero bytes.
func (f *inode) setSize(size int64) {
	if more := size - int64(len(f.content)); more > 0 {
		f.content = append(f.content, make([]byte, more)...)
	}
	f.content = f.content[:size]
}

// put makes the files below dir those of the disk.
func (d disk) put(t *testing.T, dir string) {
	t.Helper()
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			err = os.Remove(path)
		}
		return err
	})
	made := make(map[*inode]string)
	for _, path := range slices.Sorted(maps.Keys(d)) {
		file := d[path]
		if first, ok := made[file]; ok {
			if err := os.Link(first, path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		made[file] = path
		save(t, path, file.content)
		os.Chmod(path, file.mode)
		os.Chtimes(path, file.time, file.time)
	}
}

// After a loss of power at any moment each file is whole, old or new. The same run then ends as if
// nothing had happened. Where a journal was kept, an undo also gives the original tree.
func TestPowerLoss(t *testing.T) {
	effort.Only(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	undo := []string{"rewrite", "-q", "--undo", "j"}
	for _, mode := range callModes {
		t.Run(mode.name, func(t *testing.T) {
			c := newCallTree(t, mode.maildir)
			run := callRun(mode.flags...)
			r := recordRun(t, c, run)
			c.ends(t, c.new)
			for i := range 40 {
				lost := r.lose(t, random)
				c.check(t)
				c.goOn(t, run, mode.journal && i%2 == 0)
				if t.Failed() {
					t.Fatal(lost)
				}
			}
		})
	}
	t.Run("undo", func(t *testing.T) {
		c := newCallTree(t, true)
		c.succeeds(t, callRun("--journal", "j"))
		r := recordRun(t, c, undo)
		for range 40 {
			lost := r.lose(t, random)
			c.check(t)
			c.goOn(t, nil, true)
			if t.Failed() {
				t.Fatal(lost)
			}
		}
	})
}

// lose puts the files into a state after a loss of power at a random moment, and describes it.
func (r *recorder) lose(t *testing.T, random *rand.Rand) string {
	t.Helper()
	now := random.IntN(r.clock + 1)
	probability := []float64{0, 0.5, 0.9, random.Float64()}[random.IntN(4)]
	d := r.after(now, probability, random)
	d.put(t, r.dir)
	return fmt.Sprintf("power lost at %d of %d, probability %.2f, with %q", now, r.clock, probability,
		slices.Sorted(maps.Keys(d)))
}
