// Package journal writes and reads journals. A journal lists the files that a run has replaced in
// place, with their old bytes. With a journal, an interrupted run can be resumed, and any run
// undone.
//
// A journal is a text of JSON lines that only grows. Its first line identifies the format. It has
// the roots (the directories that contain all files of the run), the inputs of the run, and the
// options that affect the output. Every other line has the number of the file to which it belongs.
// Lines of different files may alternate.
//
//	{"absolink":"journal","version":2,"roots":[{"path":"/mail"}],…,"options":{"base":"http://a/"}}
//	{"file":1,"root":0,"path":"lists/a.eml"}
//	{"file":1,"offset":240,"old":"eA==","new":22}
//	{"file":1,"status":"ready","size":812,"mtime":"20…","before":"2c…","after":"fc…","bytes":833}
//	{"file":1,"status":"done"}
//
// The first line about a file has its path below one of the roots. It is written before the run
// makes anything beside the file. So it shows where a killed run may have left a lock or a
// temporary file. The edits follow in the order of the file: the offset in the old bytes, the old
// bytes in base64, and the number of new bytes. The "ready" line is on the disk before the file
// with the new bytes gets the name of the old file. It has the old size and modification time, the
// SHA-256 of both versions, the new size, and the new base name if it differs. "done" says that the
// new bytes have replaced the old bytes, and "undone" that the old bytes were put back. A path or
// name that is not UTF-8 is stored in base64, as path_base64 or name_base64.
//
// An undo checks all bytes by their hash before it uses them. So a damaged line may keep a file
// from being restored, but the file never gets wrong bytes. Anyone who can write a journal decides
// which bytes an undo writes, and where. So a journal is accepted only if the user owns it, no
// other user can write or replace it, and all its files are below its roots. On Windows another
// user may be able to replace it: see trust_windows.go.
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
	"absolink/cmd/absolink/internal/maildir"
)

// Errors of Create and Open.
var (
	ErrFormat = errors.New("is not a journal of absolink")
	ErrInUse  = errors.New("another run is using this journal: wait until it ends, or name another journal")
	ErrOld    = errors.New("was written by an earlier version of absolink, and may list files anywhere on the disk: " +
		"only that version can undo it; for a new run, name another journal")
)

// Journal is an open journal. It is safe for concurrent use, and must be closed. Lookup,
// LookupMessage, Unsettled, Backward and Leftovers describe its content when it was opened.
type Journal struct {
	path string
	file *os.File
	info fs.FileInfo // info of file when it was opened
	run  Run

	firstSize int64 // size of the first line when the journal was opened

	mu         sync.Mutex
	size       int64 // size of the complete lines
	writeErr   error // the reason why no more lines can be added, or nil
	written    bool  // a line was added since the journal was opened
	lastNumber int   // the highest file number so far

	syncMu  sync.Mutex
	synced  int64 // number of bytes that are on the disk; guarded by syncMu
	syncErr error // the first error of sync; guarded by syncMu

	files     []lines          // the files with a "ready" line, in the order of these lines
	byPath    map[[16]byte]int // key: hash of an old or new path; value: index (in files) of the last file with it
	byMessage map[[16]byte]int // key: hash of maildir.Key; value: index (in files) of the last file with it
	dirs      map[string]bool  // directories of all files, ready or not
	mailboxes []string         // paths of the files that were locked
}

// lines has the offsets of the lines of a file with a "ready" line.
type lines struct {
	number           int
	beginAt, readyAt int64 // the first line and the "ready" line; the edits are between them
	status           Status
}

// Create opens the journal at path, or makes it. Other runs cannot open the journal until it is
// closed, unless the file system has no locks. If the journal has no line but the first, it becomes
// the journal of run. Otherwise it keeps the Run that began it. Create cuts off an incomplete line
// at the end.
func Create(path string, run Run) (*Journal, error) {
	return open(path, os.O_CREATE, func(j *Journal, begun bool) error {
		if begun && j.size > j.firstSize {
			return nil
		}
		return j.restart(run)
	})
}

// Open is Create for a journal that must exist. The journal keeps its Run.
func Open(path string) (*Journal, error) {
	return open(path, 0, func(_ *Journal, begun bool) error {
		if !begun {
			return ErrFormat
		}
		return nil
	})
}

// open opens the journal at path, and then calls settle, which may write the first line. settle
// returns nil if the journal can be used. If not, open returns the error of settle. begun tells
// settle whether the journal has a first line.
func open(path string, flag int, settle func(j *Journal, begun bool) error) (*Journal, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if _, err := checkDirectories(path); err != nil { // before openFile makes a file there
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
	j := &Journal{path: abs, file: f, info: info, byPath: make(map[[16]byte]int),
		byMessage: make(map[[16]byte]int), dirs: make(map[string]bool)}
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

// read checks that the journal can be trusted, locks it, and reads it. If the file system has no
// locks, the journal stays unlocked. begun is true if the journal has a first line.
func (j *Journal) read(path string) (begun bool, err error) {
	shared, err := checkDirectories(path)
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

// restart replaces the content of the journal by a first line for run.
func (j *Journal) restart(run Run) error {
	line, err := firstLine(&run)
	if err == nil {
		err = j.file.Truncate(0)
	}
	if err != nil {
		return err
	}
	j.run = run
	j.size = 0
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

// Path returns the absolute path of the journal.
func (j *Journal) Path() string { return j.path }

// Empty reports whether the journal has no file yet. Call it before Begin.
func (j *Journal) Empty() bool { return j.lastNumber == 0 }

// Leftovers returns the directories in which killed runs of the journal may have left temporary
// files, and the mailboxes that they may have left locked.
func (j *Journal) Leftovers() (dirs, mailboxes []string) {
	return slices.Collect(maps.Keys(j.dirs)), j.mailboxes
}

// Stat describes the file of the journal, as it was opened.
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

// append adds whole lines, and returns their offset. After an error it removes the part that was
// written.
func (j *Journal) append(lines []byte) (int64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.writeErr != nil {
		return 0, j.writeErr
	}
	at := j.size
	if _, err := j.file.WriteAt(lines, at); err != nil {
		if terr := j.file.Truncate(at); terr != nil {
			j.writeErr = j.withName(terr)
		}
		return 0, j.withName(err)
	}
	j.size += int64(len(lines))
	j.written = true
	return at, nil
}

// sync returns when all lines that were added before are on the disk. Goroutines that call it at
// the same time share one flush. After a failed flush every call fails, because the system may have
// dropped the bytes.
func (j *Journal) sync() error {
	to := j.currentSize()
	j.syncMu.Lock()
	defer j.syncMu.Unlock()
	if j.syncErr != nil || j.synced >= to {
		return j.syncErr
	}
	to = j.currentSize()
	if err := j.file.Sync(); err != nil {
		j.syncErr = j.withName(err)
		return j.syncErr
	}
	j.synced = to
	return nil
}

// currentSize returns the size of the journal.
func (j *Journal) currentSize() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.size
}

// withName returns err with the path of the journal in front.
func (j *Journal) withName(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		err = pe.Err
	}
	return fmt.Errorf("journal %s: %w", j.path, err)
}

// nextNumber returns the number for a new file.
func (j *Journal) nextNumber() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lastNumber++
	return j.lastNumber
}

// Mark adds the line that gives f the status s.
func (j *Journal) Mark(f *File, s Status) error { return j.mark(f.Number, s) }

func (j *Journal) mark(number int, s Status) error {
	b, err := json.Marshal(&statusLine{number, s})
	if err == nil {
		_, err = j.append(append(b, '\n'))
	}
	return err
}

// Lookup returns the last file of the journal whose old or new path is path. path must be absolute
// and without symbolic links. Lookup returns nil if there is no such file, or if its old bytes were
// put back.
func (j *Journal) Lookup(path string) (*File, error) { return j.lookup(j.byPath, path) }

// LookupMessage is Lookup for the Maildir message at path. The message may have had another name,
// or may have been in the other directory of new and cur.
func (j *Journal) LookupMessage(path string) (*File, error) {
	return j.lookup(j.byMessage, maildir.Key(path))
}

// lookup returns the file with a key in index, or nil if there is none or it is undone.
func (j *Journal) lookup(index map[[16]byte]int, key string) (*File, error) {
	n, ok := index[hashOf(key)]
	if !ok || j.files[n].status == Undone {
		return nil, nil
	}
	return j.load(&j.files[n])
}

// Unsettled yields the files with the status Ready, in the order of the journal.
func (j *Journal) Unsettled() iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		for i := range j.files {
			if j.files[i].status == Ready && !yield(j.load(&j.files[i])) {
				return
			}
		}
	}
}

// Backward yields all files with a "ready" line, from the last to the first.
func (j *Journal) Backward() iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		for i := len(j.files) - 1; i >= 0; i-- {
			if !yield(j.load(&j.files[i])) {
				return
			}
		}
	}
}

// hashOf returns a hash of key, which takes less memory than a long key.
func hashOf(key string) [16]byte {
	sum := sha256.Sum256([]byte(key))
	return [16]byte(sum[:16])
}
