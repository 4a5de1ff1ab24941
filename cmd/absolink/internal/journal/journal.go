// Package journal keeps a durable account of files that are replaced in place. With it an
// interrupted run is resumed, and a finished run undone.
//
// A journal is a text of JSON lines that only grows. Its first line identifies the format. It names
// the roots, which are the directories that hold the files of the run, the inputs of the run, and
// the options that decide the output. Every other line belongs to one file, by its number in the
// journal. Lines of different files may alternate.
//
//	{"absolink":"journal","version":2,"roots":[{"path":"/mail"}],…,"options":{"base":"http://a/"}}
//	{"file":1,"root":0,"path":"lists/a.eml"}
//	{"file":1,"offset":240,"old":"eA==","new":22}
//	{"file":1,"status":"ready","size":812,"mtime":"20…","before":"2c…","after":"fc…","bytes":833}
//	{"file":1,"status":"done"}
//
// A file begins with its path below one of the roots. This line is written before anything is made
// beside the file, so that it shows where a killed run may have left a lock or a temporary file.
// The edits follow in the order of the file: the offset in the old bytes, the old bytes in base64,
// and the number of new bytes. The "ready" line is on the disk before the new bytes get the name of
// the old file. It has the old size and modification time, the SHA-256 of both versions, the new
// size, and the new base name if it differs. "done" says that the file was renamed, "undone" that
// the old bytes were put back. A path or name that is not UTF-8 is stored in base64 under the key
// with _base64 appended.
//
// All bytes are checked by hash before they are used. So a torn or damaged line may keep a file
// from being undone, but never spoils it. Anyone who can write a journal decides which bytes are
// put back where. So a journal is accepted only if the user owns it, no other user can write it or
// a directory on its path, and all its files lie below its roots.
//
// Files in reading order: lines.go, journal.go, roots.go, file.go, entry.go; trust_unix.go and
// trust_windows.go.
package journal

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"absolink/cmd/absolink/internal/files"
)

// Errors of Create and Open.
var (
	ErrFormat = errors.New("is not a journal of absolink")
	ErrInUse  = errors.New("another run is using this journal: wait until it ends, or give another name")
	ErrOld    = errors.New("is a journal of an earlier version, which names files anywhere: only the version that " +
		"wrote it can take it back; for a new run give another name")
)

// Journal is an open journal. It is safe for concurrent use, and must be closed. The methods that
// look back see its content at the time of opening.
type Journal struct {
	path string
	file *os.File
	info fs.FileInfo // of file, at the time of opening
	run  Run

	mu      sync.Mutex
	first   int64 // size of the first line
	size    int64 // of the complete lines
	broken  error // why nothing more can be added
	written bool  // since the journal was opened
	last    int   // highest number of a file

	syncing sync.Mutex
	synced  int64 // number of bytes that are on the disk; guarded by syncing
	lost    error // error of a failed Sync, after which its bytes may be lost; guarded by syncing

	files     []note           // files that were ready, in order
	byPath    map[[16]byte]int // index in files of the last file with a path
	dirs      map[string]bool  // directories of all files, even of files that only began
	mailboxes []string         // files that were locked
}

// note is a file in memory: the places of its lines.
type note struct {
	number       int
	begin, ready int64
	status       Status
}

// Create opens the journal path, or makes it, and locks it against other runs while it is open. A
// journal without files becomes the journal of run; other journals keep the run that began them. An
// incomplete line at the end is cut off.
func Create(path string, run Run) (*Journal, error) {
	return open(path, os.O_CREATE, func(j *Journal, begun bool) error {
		if begun && j.size > j.first {
			return nil
		}
		return j.start(run)
	})
}

// Open opens the existing journal path in the same way.
func Open(path string) (*Journal, error) {
	return open(path, 0, func(_ *Journal, begun bool) error {
		if !begun {
			return ErrFormat
		}
		return nil
	})
}

// open opens the journal path and then calls settle. begun says that the journal has a first line.
func open(path string, flag int, settle func(j *Journal, begun bool) error) (*Journal, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if _, err := checkWay(path); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f, err := openFile(path, flag)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	j := &Journal{path: abs, file: f, info: info, byPath: make(map[[16]byte]int), dirs: make(map[string]bool)}
	begun, err := j.read(path)
	if err == nil {
		err = settle(j, begun)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return j, nil
}

// read reads the journal if it can be trusted, and reports whether it has a first line.
func (j *Journal) read(path string) (begun bool, err error) {
	shared, err := checkWay(path)
	if err := cmp.Or(err, checkFile(path, j.file, shared)); err != nil {
		return false, err
	}
	if free, err := files.Hold(j.file); !free && err == nil {
		return false, ErrInUse
	}
	if begun, err = j.readFirst(); begun && err == nil {
		err = j.index()
	}
	return begun, err
}

// start replaces the content of the journal by a new first line.
func (j *Journal) start(run Run) error {
	line, err := firstLine(&run)
	if err == nil {
		err = j.file.Truncate(0)
	}
	if err != nil {
		return err
	}
	j.run, j.size = run, 0
	if _, err := j.append(line); err != nil {
		return err
	}
	if err := j.file.Sync(); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(j.path))
	if err != nil {
		return err
	}
	defer d.Close()
	d.Sync() // as far as the file system supports it
	return nil
}

// Path returns the absolute name of the journal.
func (j *Journal) Path() string { return j.path }

// Empty reports whether the journal had no file when it was opened.
func (j *Journal) Empty() bool { return j.last == 0 }

// Left returns the directories in which the runs of the journal may have left temporary files, and
// the mailboxes that they may have left locked.
func (j *Journal) Left() (dirs, mailboxes []string) {
	return slices.Collect(maps.Keys(j.dirs)), j.mailboxes
}

// Stat returns the information about the journal's file at the time of opening.
func (j *Journal) Stat() (fs.FileInfo, error) { return j.info, nil }

// Is reports whether info describes the file of the journal.
func (j *Journal) Is(info fs.FileInfo) bool { return info != nil && os.SameFile(j.info, info) }

// Close flushes the journal and unlocks it.
func (j *Journal) Close() error {
	var err error
	if j.written {
		err = j.file.Sync()
	}
	return errors.Join(err, j.file.Close())
}

// append adds whole lines and returns their offset. If the disk is full, it removes the part that
// was written.
func (j *Journal) append(lines []byte) (int64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return 0, j.broken
	}
	at := j.size
	if _, err := j.file.WriteAt(lines, at); err != nil {
		if terr := j.file.Truncate(at); terr != nil {
			j.broken = j.failed(terr)
		}
		return 0, j.failed(err)
	}
	j.size += int64(len(lines))
	j.written = true
	return at, nil
}

// sync returns when everything added before is on the disk. Workers that call it while the disk is
// busy share one flush. After a failed flush every call fails, since the system may have dropped
// the unwritten bytes.
func (j *Journal) sync() error {
	to := j.end()
	j.syncing.Lock()
	defer j.syncing.Unlock()
	if j.lost != nil || j.synced >= to {
		return j.lost
	}
	to = j.end()
	if err := j.file.Sync(); err != nil {
		j.lost = j.failed(err)
		return j.lost
	}
	j.synced = to
	return nil
}

// end returns the size of the journal.
func (j *Journal) end() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.size
}

// failed adds the name of the journal to an error.
func (j *Journal) failed(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		err = pe.Err
	}
	return fmt.Errorf("journal %s: %w", j.path, err)
}

// number returns the number of a new file.
func (j *Journal) number() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	return j.last
}

// Mark adds that f has reached status s.
func (j *Journal) Mark(f *File, s Status) error { return j.mark(f.Number, s) }

func (j *Journal) mark(number int, s Status) error {
	b, err := json.Marshal(&statusLine{number, s})
	if err == nil {
		_, err = j.append(append(b, '\n'))
	}
	return err
}

// Lookup returns the file that last had the path, before or after the run, in the journal as it was
// opened. The path must be absolute and without symbolic links. Lookup returns nil if there is no
// such file, or if its old bytes were put back.
func (j *Journal) Lookup(path string) (*File, error) {
	n, ok := j.byPath[key(path)]
	if !ok || j.files[n].status == Undone {
		return nil, nil
	}
	return j.tell(&j.files[n])
}

// Unsettled yields the files that are ready but not marked done or undone, in the order of the
// journal.
func (j *Journal) Unsettled() iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		for i := range j.files {
			if j.files[i].status == Ready && !yield(j.tell(&j.files[i])) {
				return
			}
		}
	}
}

// Backward yields all files that were ready, the last first.
func (j *Journal) Backward() iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		for i := len(j.files) - 1; i >= 0; i-- {
			if !yield(j.tell(&j.files[i])) {
				return
			}
		}
	}
}

// key returns a short key for a path.
func key(path string) [16]byte {
	sum := sha256.Sum256([]byte(path))
	return [16]byte(sum[:16])
}
