package journal

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
)

// ErrChanged is the error if an undo of the edits would not restore the old bytes of a file.
// Probably another program has changed the file while it was read.
var ErrChanged = errors.New("was changed by another program while it was read")

// flushSize is the number of bytes that an Entry collects before it writes them to the journal. The
// edits of most files are shorter. They stay in memory until Ready has checked them.
const flushSize = 256 << 10

// Entry writes the lines of one file that is being replaced. It is not safe for concurrent use, but
// entries of different files may be used at once.
type Entry struct {
	j      *Journal
	number int
	path   string
	buf    []byte // lines that are not written yet
	begin  int64  // offset of the first line of the file in the journal
	err    error  // the first error of Edit; Ready returns it

	written bool // some edits are already in the journal
}

// Begin writes the line of the journal that names the file at path. path must be absolute, without
// symbolic links, and below a root. Call Begin before making a temporary file or a lock beside the
// file. locked says that the file is a mailbox, which an undo must lock, too.
func (j *Journal) Begin(path string, locked bool) (*Entry, error) {
	root, rel, ok := j.run.Roots.below(path)
	if !ok || rel == "." {
		return nil, errBelow
	}
	e := &Entry{j: j, number: j.nextNumber(), path: path}
	l := beginLine{File: e.number, Root: root, Locked: locked}
	l.Path, l.PathBase64 = textOrBytes(rel)
	e.addLine(&l)
	if e.err != nil {
		return nil, e.err
	}
	at, err := j.append(e.buf)
	e.begin = at
	e.buf = e.buf[:0]
	return e, err
}

// addLine adds a line to buf.
func (e *Entry) addLine(line any) {
	b, err := json.Marshal(line)
	e.err = errors.Join(e.err, err)
	if e.err == nil {
		e.buf = append(append(e.buf, b...), '\n')
	}
}

// Edit adds an edit. old holds the bytes at an offset in the old file, and size is the number of
// the new bytes that replace them. Edits must come in the order of the file, and must not overlap.
// After an error, Ready returns the same error.
func (e *Entry) Edit(offset int64, old []byte, size int64) error {
	for more := true; more && e.err == nil; {
		part := old[:min(len(old), chunk)]
		e.buf = appendEdit(e.buf, e.number, edit{offset, part, size})
		old, offset, size = old[len(part):], offset+int64(len(part)), 0
		more = len(old) > 0
		if len(e.buf) >= flushSize {
			e.err = e.flush()
		}
	}
	return e.err
}

// All adds an edit that replaces the whole file. r has the old bytes, and size is the number of the
// new bytes. All is for compressed files: their edits have offsets in the content, but not in the
// file.
func (e *Entry) All(r io.Reader, size int64) error {
	buf := make([]byte, chunk)
	for offset := int64(0); ; {
		n, err := io.ReadFull(r, buf)
		if n > 0 || offset == 0 {
			if err := e.Edit(offset, buf[:n], size); err != nil {
				return err
			}
		}
		offset, size = offset+int64(n), 0
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return nil
		default:
			return err
		}
	}
}

// flush writes buf.
func (e *Entry) flush() error {
	e.written = true
	_, err := e.j.append(e.buf)
	e.buf = e.buf[:0]
	return err
}

// Ready writes the "ready" line, and flushes the journal to the disk. made is the file with the new
// bytes, which must be on the disk. name is the base name that it will get. source is the file that
// was read, and info describes source at that time.
//
// Before Ready writes the line, it undoes the edits as a test, and compares the result with source,
// byte by byte. It returns ErrChanged if they differ.
func (e *Entry) Ready(source io.ReaderAt, info fs.FileInfo, made *os.File, name string) error {
	if e.err != nil {
		return e.err
	}
	l := readyLine{File: e.number, Status: Ready, Size: info.Size(), MTime: info.ModTime().UTC()}
	if err := e.verify(source, made, &l); err != nil {
		return err
	}
	if name != filepath.Base(e.path) {
		l.Name, l.NameBase64 = textOrBytes(name)
	}
	e.addLine(&l)
	if err := errors.Join(e.err, e.flush()); err != nil {
		return err
	}
	return e.j.sync()
}

// verify undoes the edits in made, and compares the result with source. It sets the hashes and the
// new size in l.
func (e *Entry) verify(source io.ReaderAt, made *os.File, l *readyLine) error {
	before, after := sha256.New(), sha256.New()
	old := io.TeeReader(io.NewSectionReader(source, 0, l.Size), before)
	same := &comparison{r: bufio.NewReaderSize(old, 64<<10)}
	all := io.NewSectionReader(made, 0, math.MaxInt64)
	err := restore(same, io.TeeReader(all, after), e.edits())
	if err == nil && same.size != l.Size {
		err = ErrChanged
	}
	l.Before = hex.EncodeToString(before.Sum(nil))
	l.After = hex.EncodeToString(after.Sum(nil))
	l.Bytes, _ = all.Seek(0, io.SeekCurrent) // restore has read to the end
	return err
}

// edits yields the edits of the file: first the edits in the journal, then the edits in buf.
func (e *Entry) edits() iter.Seq2[edit, error] {
	return func(yield func(edit, error) bool) {
		going := true
		pass := func(ed edit, err error) bool {
			going = yield(ed, err) && err == nil
			return going
		}
		if e.written {
			editsIn(e.j.file, e.number, e.begin, e.j.currentSize())(pass)
		}
		if going {
			editsIn(bytes.NewReader(e.buf), e.number, 0, int64(len(e.buf)))(pass)
		}
	}
}

// Done writes the line that says that the new bytes replaced the old bytes.
func (e *Entry) Done() error { return e.j.mark(e.number, Done) }

// comparison is a writer that fails with ErrChanged if the written bytes are not the next bytes of
// r.
type comparison struct {
	r    *bufio.Reader
	size int64 // number of bytes that were equal
}

func (c *comparison) Write(p []byte) (int, error) {
	for n := 0; n < len(p); {
		b, _ := c.r.Peek(min(len(p)-n, c.r.Size())) // after an error, b is shorter or empty
		if len(b) == 0 || !bytes.Equal(b, p[n:n+len(b)]) {
			return n, ErrChanged
		}
		c.r.Discard(len(b))
		n += len(b)
		c.size += int64(len(b))
	}
	return len(p), nil
}
