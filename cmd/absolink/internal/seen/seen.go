// Package seen keeps the list of URIs that earlier runs have printed: the file of extract --seen.
//
//	l, err := seen.Open(ctx, "seen.txt")
//	if isNew, _ := l.Add(uri); isNew {
//		print(uri)
//	}
//	err = l.Commit(0) // after the printed lines are on the disk
//	err = l.Close()
//
// The file has one URI a line. While it is open, it is locked against other runs. A run only
// appends whole lines. A killed run may leave a part of a line at the end, and the next run cuts it
// off.
//
// No URI is lost if the process or the machine stops, but a URI may be printed twice. So a URI gets
// into the file only after its output line was written. The order is: output, flush of the output,
// file, flush of the file. After a stop between two of these steps, the next run prints the URI
// again.
//
// The memory holds a hash of 64 bits of each URI, with a new seed in each run. If the list has n
// URIs, a new URI has the hash of one of them with a probability of n/2⁶⁴, and is then left out by
// mistake. For 100 million URIs that is 5·10⁻¹².
//
// Files in reading order: hashes.go, line.go, seen.go.
package seen

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/lines"
)

// Errors of Open.
var (
	ErrInUse = errors.New("another run is using this list: wait until it ends, or give another name")
	ErrKind  = errors.New("is not a file that can be read and written: give another name")
)

// List is an open list. It must be closed. It is not safe for concurrent use.
type List struct {
	Cut []byte // the beginning of the incomplete last line that Open has cut off, or nil

	file interface { // an *os.File, except in tests
		io.WriterAt
		io.Closer
		Stat() (fs.FileInfo, error)
		Truncate(size int64) error
		Sync() error
	}
	path      string
	seed      maphash.Seed
	hashes    hashes
	pending   []byte    // the lines that are not in the file
	kept      int       // number of bytes of pending that the last commit kept back
	committed time.Time // when the last commit was, or the opening
	failed    bool      // a commit has failed
}

// Open opens the list path, or makes it, and locks it. It cuts off an incomplete line at the end.
// If any other line is not an absolute URI, Open leaves the file as it is and returns an error:
// nobody wants URIs at the end of another file. The error does not have the path in front.
func Open(ctx context.Context, path string) (*List, error) {
	info, err := os.Stat(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err == nil && !info.Mode().IsRegular() {
		return nil, ErrKind // opening a named pipe would wait
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, errors.New(files.Why(path, err))
	}
	l := &List{file: f, path: path, seed: maphash.MakeSeed(), committed: time.Now()}
	if err := l.load(ctx, f); err != nil {
		f.Close()
		return nil, err
	}
	if isNew {
		syncDirectory(path)
	}
	return l, nil
}

// syncDirectory writes the name of a new file to the disk, as far as the file system supports it.
func syncDirectory(path string) {
	if d, err := os.Open(filepath.Dir(path)); err == nil {
		d.Sync()
		d.Close()
	}
}

// load locks and reads the file, and cuts off an incomplete line.
func (l *List) load(ctx context.Context, f *os.File) error {
	if free, err := files.Hold(f); !free && err == nil {
		return ErrInUse
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	end, err := endOfLines(f, info.Size())
	if err != nil {
		return err
	}
	if err := l.read(ctx, io.NewSectionReader(f, 0, end)); err != nil {
		return err
	}
	if end == info.Size() {
		return nil
	}
	return l.cut(f, end)
}

// read reads whole lines.
func (l *List) read(ctx context.Context, r io.Reader) error {
	in := lines.Reader(r)
	var line []byte
	for n := 1; ; n++ {
		if n%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		long, err := lines.Next(in, &line, longest+1)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		uri := content(line, n == 1)
		if len(uri) == 0 {
			continue
		}
		if !isURI(uri) {
			return fmt.Errorf("line %d is not an absolute URI (%s): give a list of URIs, or the name of a new file", n,
				excerpt(uri))
		}
		if !long && len(uri) <= longest {
			l.hashes.add(maphash.Bytes(l.seed, uri))
		}
	}
}

// cut cuts off the incomplete line after offset end.
func (l *List) cut(f *os.File, end int64) error {
	var line []byte
	r := bufio.NewReader(io.NewSectionReader(f, end, 1<<10))
	if _, err := lines.Next(r, &line, 1<<10); err != nil && err != io.EOF {
		return err
	}
	if end == 0 && !mayBeginURI(content(line, true)) {
		return fmt.Errorf("line 1 is not an absolute URI (%s): give a list of URIs, or the name of a new file",
			excerpt(line))
	}
	l.Cut = line
	if err := f.Truncate(end); err != nil {
		return err
	}
	return f.Sync()
}

// Stat describes the file.
func (l *List) Stat() (fs.FileInfo, error) { return l.file.Stat() }

// Add adds uri to the list, and reports whether it is new. The file gets it with the next Commit.
// fits is false if the list cannot hold uri: it is too long, or not an absolute URI.
func (l *List) Add(uri []byte) (isNew, fits bool) {
	uri = escape(uri)
	if len(uri) > longest || !isURI(uri) {
		return false, false
	}
	if !l.hashes.add(maphash.Bytes(l.seed, uri)) {
		return false, true
	}
	if !l.failed {
		l.pending = append(append(l.pending, uri...), '\n')
	}
	return true, true
}

// Due reports whether it is time for a commit: many URIs were added since the last one, or it was a
// second ago.
func (l *List) Due() bool {
	added := len(l.pending) - l.kept
	return added >= dueSize || added > 0 && time.Since(l.committed) >= time.Second
}

// dueSize is the number of bytes that make a commit due.
const dueSize = 1 << 20

// Commit appends the URIs that were added since the last commit to the file, and flushes it. It
// keeps the last URIs back for the next commit, at most the given number. Call it after the output
// lines of the other URIs are on the disk. After an error the file has only whole lines, if it can
// be cut. Further commits then do nothing, and the next run prints the URIs again.
func (l *List) Commit(keep int) error {
	end := len(l.pending)
	for range keep {
		if end == 0 {
			break
		}
		end = bytes.LastIndexByte(l.pending[:end-1], '\n') + 1
	}
	l.committed = time.Now()
	var err error
	if end > 0 {
		err = l.append(l.pending[:end])
	}
	l.kept = copy(l.pending, l.pending[end:])
	l.pending = l.pending[:l.kept]
	if err != nil {
		l.failed = true
		l.Forget()
		return fmt.Errorf("--seen %s: %w: URIs of this run are missing in the list, and the next run prints them "+
			"again", l.path, withoutPath(err))
	}
	return nil
}

// append appends whole lines, and flushes the file.
func (l *List) append(text []byte) error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	if _, err := l.file.WriteAt(text, info.Size()); err != nil {
		l.file.Truncate(info.Size()) // if it fails, the next run cuts the line off
		return err
	}
	return l.file.Sync()
}

// withoutPath returns an error of the operating system without its path.
func withoutPath(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// Forget drops all URIs that were added since the last commit: it is unknown whether their lines
// were written.
func (l *List) Forget() {
	l.pending = nil
	l.kept = 0
}

// Close unlocks and closes the file. URIs without a commit do not get into it.
func (l *List) Close() error {
	l.hashes.free()
	return l.file.Close()
}
