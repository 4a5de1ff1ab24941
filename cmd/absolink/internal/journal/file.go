package journal

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"time"
)

// Sum is a SHA-256.
type Sum [sha256.Size]byte

// SumOf returns the sum of all bytes of r.
func SumOf(r io.Reader) (Sum, error) {
	h := sha256.New()
	_, err := io.Copy(h, r)
	return Sum(h.Sum(nil)), err
}

// File is the journal's account of one file that was ready.
type File struct {
	Number        int
	Path          string // absolute, without symbolic links
	Name          string // base name after the run
	Size          int64  // of the old bytes
	ModTime       time.Time
	Locked        bool // a mailbox, which must be locked
	Status        Status
	Before, After Sum
	NewSize       int64

	j     *Journal
	where note
}

// NewPath returns the path of f after the run.
func (f *File) NewPath() string { return filepath.Join(filepath.Dir(f.Path), f.Name) }

// index reads the journal behind its first line, and cuts off an incomplete line at the end. It
// notes the places of the files' lines.
func (j *Journal) index() error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	open := make(map[int]beginning)
	at := make(map[int]int) // index in j.files by file number
	s := newScanner(j.file, j.first, info.Size())
	for {
		more, err := s.scan()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if n, isEdit := s.file(); n > 0 && !isEdit {
			if err := j.noteLine(n, s, open, at); err != nil {
				return fmt.Errorf("the line at offset %d: a file that %w", s.at, err)
			}
		}
	}
	j.size = s.next
	if j.size == info.Size() {
		return nil
	}
	return j.file.Truncate(j.size)
}

// beginning is the begin line of a file that is not ready yet.
type beginning struct {
	at   int64
	path string
}

// noteLine notes one line that is not an edit. It ignores damaged lines. A path outside of the
// roots is an error, since no run wrote it.
func (j *Journal) noteLine(n int, s *scanner, open map[int]beginning, at map[int]int) error {
	var l struct {
		beginLine
		Name       string
		NameBase64 []byte `json:"name_base64"`
		Status     Status
	}
	if json.Unmarshal(s.line, &l) != nil {
		return nil
	}
	j.last = max(j.last, n)
	switch l.Status {
	case "":
		switch path, err := j.at(&l.beginLine); err {
		case nil:
			open[n] = beginning{s.at, path}
			j.noteBegun(path, l.Locked)
		case errBelow:
			return err
		}
	case Ready:
		b, ok := open[n]
		if !ok {
			return nil
		}
		delete(open, n)
		at[n] = len(j.files)
		j.byPath[key(b.path)] = len(j.files)
		if name := either(l.Name, l.NameBase64); name != "" {
			j.byPath[key(filepath.Join(filepath.Dir(b.path), name))] = len(j.files)
		}
		j.files = append(j.files, note{number: n, begin: b.at, ready: s.at, status: Ready})
	case Done, Undone:
		if i, ok := at[n]; ok {
			j.files[i].status = l.Status
		}
	}
	return nil
}

// noteBegun notes where the run may have left a temporary file or a lock.
func (j *Journal) noteBegun(path string, locked bool) {
	j.dirs[filepath.Dir(path)] = true
	if locked {
		j.mailboxes = append(j.mailboxes, path)
	}
}

func either(text string, bytes []byte) string {
	if bytes != nil {
		return string(bytes)
	}
	return text
}

// tell reads the two lines of a file that hold all facts except the edits.
func (j *Journal) tell(n *note) (*File, error) {
	var b beginLine
	var r readyLine
	if err := errors.Join(j.readLine(n.begin, &b), j.readLine(n.ready, &r)); err != nil {
		return nil, err
	}
	path, err := j.at(&b)
	f := &File{Number: n.number, Path: path, Name: either(r.Name, r.NameBase64), Size: r.Size,
		ModTime: r.MTime, Locked: b.Locked, Status: n.status, NewSize: r.Bytes, j: j, where: *n}
	if f.Name == "" {
		f.Name = filepath.Base(f.Path)
	}
	before, err1 := hex.DecodeString(r.Before)
	after, err2 := hex.DecodeString(r.After)
	if errors.Join(err, err1, err2) != nil || len(before) != len(f.Before) ||
		len(after) != len(f.After) || !isName(f.Name) {
		return nil, fmt.Errorf("journal: the lines of file %d are damaged", n.number)
	}
	f.Before = Sum(before)
	f.After = Sum(after)
	return f, nil
}

func (j *Journal) readLine(at int64, v any) error {
	s := newScanner(j.file, at, at+longestLine)
	if more, err := s.scan(); err != nil || !more {
		return fmt.Errorf("journal: no line at offset %d: %w", at, err)
	}
	return json.Unmarshal(s.line, v)
}

// Restore reads the new bytes from made and writes the old bytes to w. The caller must compare
// their hash.
func (f *File) Restore(w io.Writer, made io.Reader) error {
	return restore(w, made, f.j.edits(f.Number, f.where.begin, f.where.ready))
}

// edits yields the edits of a file. Its lines stand between two offsets. The old bytes of an edit
// are valid until the next edit.
func (j *Journal) edits(number int, from, to int64) iter.Seq2[edit, error] {
	return func(yield func(edit, error) bool) {
		s := newScanner(j.file, from, to)
		for {
			more, err := s.scan()
			if err != nil {
				yield(edit{}, err)
				return
			}
			if !more {
				return
			}
			if n, isEdit := s.file(); n != number || !isEdit {
				continue
			}
			if e, err := s.edit(); !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// restore takes the edits back: it copies the bytes of made between the edits, drops the new bytes,
// and writes the old bytes.
func restore(w io.Writer, made io.Reader, edits iter.Seq2[edit, error]) error {
	r := bufio.NewReaderSize(made, 64<<10)
	at := int64(0)
	for e, err := range edits {
		if err != nil {
			return err
		}
		if e.offset < at {
			return fmt.Errorf("journal: an edit at %d stands behind one at %d", e.offset, at)
		}
		if err := take(w, r, e.offset-at); err != nil {
			return err
		}
		if err := take(io.Discard, r, e.size); err != nil {
			return err
		}
		if _, err := w.Write(e.old); err != nil {
			return err
		}
		at = e.offset + int64(len(e.old))
	}
	_, err := io.Copy(w, r)
	return err
}

// take copies n bytes, and fails if there are fewer.
func take(w io.Writer, r io.Reader, n int64) error {
	_, err := io.CopyN(w, r, n)
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
