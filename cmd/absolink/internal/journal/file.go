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

	"absolink/cmd/absolink/internal/maildir"
)

// Sum is a SHA-256 hash.
type Sum [sha256.Size]byte

// SumOf returns the hash of all bytes of r.
func SumOf(r io.Reader) (Sum, error) {
	h := sha256.New()
	_, err := io.Copy(h, r)
	return Sum(h.Sum(nil)), err
}

// File is a file that has a "ready" line in the journal.
type File struct {
	Number        int
	Path          string    // absolute, without symbolic links
	Name          string    // base name after the run
	Size          int64     // number of the old bytes
	ModTime       time.Time // modification time of the old file
	Locked        bool      // a mailbox, which must be locked
	Status        Status
	Before, After Sum   // hashes of the old and the new bytes
	NewSize       int64 // number of the new bytes

	j     *Journal
	lines lines // the lines of the file in the journal
}

// NewPath returns the path of f after the run.
func (f *File) NewPath() string { return filepath.Join(filepath.Dir(f.Path), f.Name) }

// index reads the lines after the first line, and fills the fields files, byPath,
// byMessage, dirs and mailboxes of j. It cuts off an incomplete line at the end.
func (j *Journal) index() error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	open := make(map[int]beginning) // first lines of files without a "ready" line so far, by file number
	at := make(map[int]int)         // index in j.files by file number
	s := newScanner(j.file, j.firstSize, info.Size())
	for {
		more, err := s.scan()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if n, isEdit := s.fileNumber(); n > 0 && !isEdit {
			if err := j.indexLine(n, s, open, at); err != nil {
				return fmt.Errorf("the line at offset %d names a file that %w", s.at, err)
			}
		}
	}
	j.size = s.next
	if j.size == info.Size() {
		return nil
	}
	return j.file.Truncate(j.size)
}

// beginning describes the first line of a file.
type beginning struct {
	at   int64
	path string
}

// indexLine adds s.line to the index. The line belongs to file n, and is not an edit. open and at
// are the maps in [Journal.index]. indexLine ignores damaged lines. A path outside the roots is an
// error, because no run writes such a line.
func (j *Journal) indexLine(n int, s *scanner, open map[int]beginning, at map[int]int) error {
	var l struct {
		beginLine
		Name       string
		NameBase64 []byte `json:"name_base64"`
		Status     Status
	}
	if json.Unmarshal(s.line, &l) != nil {
		return nil
	}
	j.lastNumber = max(j.lastNumber, n)
	switch l.Status {
	case "":
		switch path, err := j.pathOf(&l.beginLine); err {
		case nil:
			open[n] = beginning{s.at, path}
			j.addLeftovers(path, l.Locked)
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
		j.byPath[hashOf(b.path)] = len(j.files)
		if name := oneOf(l.Name, l.NameBase64); name != "" {
			j.byPath[hashOf(filepath.Join(filepath.Dir(b.path), name))] = len(j.files)
		}
		if dir := filepath.Base(filepath.Dir(b.path)); dir == "cur" || dir == "new" {
			j.byMessage[hashOf(maildir.Key(b.path))] = len(j.files)
		}
		j.files = append(j.files, lines{number: n, beginAt: b.at, readyAt: s.at, status: Ready})
	case Done, Undone:
		if i, ok := at[n]; ok {
			j.files[i].status = l.Status
		}
	}
	return nil
}

// addLeftovers records that a killed run may have left a temporary file or a lock beside the file
// at path.
func (j *Journal) addLeftovers(path string, locked bool) {
	j.dirs[filepath.Dir(path)] = true
	if locked {
		j.mailboxes = append(j.mailboxes, path)
	}
}

// oneOf is the reverse of textOrBytes: it returns the path or name that text or bytes holds.
func oneOf(text string, bytes []byte) string {
	if bytes != nil {
		return string(bytes)
	}
	return text
}

// load reads the first line and the "ready" line of a file, and returns the file.
func (j *Journal) load(n *lines) (*File, error) {
	var b beginLine
	var r readyLine
	if err := errors.Join(j.readLine(n.beginAt, &b), j.readLine(n.readyAt, &r)); err != nil {
		return nil, err
	}
	path, err := j.pathOf(&b)
	f := &File{Number: n.number, Path: path, Name: oneOf(r.Name, r.NameBase64), Size: r.Size,
		ModTime: r.MTime, Locked: b.Locked, Status: n.status, NewSize: r.Bytes, j: j, lines: *n}
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

// readLine decodes the line at an offset, and stores it in v.
func (j *Journal) readLine(at int64, v any) error {
	for _, size := range []int64{usualLine, longestLine} {
		s := newScanner(j.file, at, at+size)
		more, err := s.scan()
		if err != nil {
			return err
		}
		if more {
			return json.Unmarshal(s.line, v)
		}
	}
	return fmt.Errorf("journal: no line at offset %d", at)
}

// Restore reads the new bytes from made, and writes the old bytes to w. The caller must compare the
// hash of the old bytes with Before.
func (f *File) Restore(w io.Writer, made io.Reader) error {
	return restore(w, made, editsIn(f.j.file, f.Number, f.lines.beginAt, f.lines.readyAt))
}

// editsIn yields the edits of the file with this number. Its lines are in r, between the offsets
// start and end. The old bytes of an edit are valid until the next edit.
func editsIn(r io.ReaderAt, number int, start, end int64) iter.Seq2[edit, error] {
	return func(yield func(edit, error) bool) {
		s := newScanner(r, start, end)
		for {
			more, err := s.scan()
			if err != nil {
				yield(edit{}, err)
				return
			}
			if !more {
				return
			}
			if n, isEdit := s.fileNumber(); n != number || !isEdit {
				continue
			}
			if e, err := s.parseEdit(); !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// restore undoes edits in made, and writes the result to w: it copies the bytes between the edits,
// and replaces the new bytes of each edit by its old bytes.
func restore(w io.Writer, made io.Reader, edits iter.Seq2[edit, error]) error {
	r := bufio.NewReaderSize(made, 64<<10)
	at := int64(0)
	for e, err := range edits {
		if err != nil {
			return err
		}
		if e.offset < at {
			return fmt.Errorf("journal: an edit at offset %d follows an edit that ends at %d", e.offset, at)
		}
		if err := copyN(w, r, e.offset-at); err != nil {
			return err
		}
		if err := copyN(io.Discard, r, e.size); err != nil {
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

// copyN copies n bytes. If there are fewer, the error is io.ErrUnexpectedEOF.
func copyN(w io.Writer, r io.Reader, n int64) error {
	_, err := io.CopyN(w, r, n)
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
