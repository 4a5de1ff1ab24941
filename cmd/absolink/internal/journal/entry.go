package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// ErrChanged says that the old bytes of a file do not follow from its new bytes and its edits,
// since another program changed the file while it was read.
var ErrChanged = errors.New("was changed by another program while it was read")

// hold is the number of bytes that an entry collects before it writes them.
const hold = 64 << 10

// Entry is one file that is being replaced. It is not safe for concurrent use, but entries of
// different files may be used at once.
type Entry struct {
	j      *Journal
	number int
	path   string
	buf    []byte
	begin  int64 // offset of its first line in the journal
	err    error // of an earlier Edit
}

// Begin begins the entry of the file path, which is absolute, without symbolic links, and below a
// root. Call it before making a temporary file or a lock beside the file. locked says that the file
// is a mailbox, which must be locked whenever it is replaced.
func (j *Journal) Begin(path string, locked bool) (*Entry, error) {
	root, rel, ok := j.run.Roots.below(path)
	if !ok || rel == "." {
		return nil, errBelow
	}
	e := &Entry{j: j, number: j.number(), path: path}
	l := beginLine{File: e.number, Root: root, Locked: locked}
	l.Path, l.PathBase64 = text(rel)
	e.add(&l)
	if e.err != nil {
		return nil, e.err
	}
	at, err := j.append(e.buf)
	e.begin, e.buf = at, e.buf[:0]
	return e, err
}

func (e *Entry) add(line any) {
	b, err := json.Marshal(line)
	e.err = errors.Join(e.err, err)
	if e.err == nil {
		e.buf = append(append(e.buf, b...), '\n')
	}
}

// Edit adds an edit: size new bytes replace the bytes old at the offset. Edits must come in the
// order of the file and must not touch. Ready returns an error of Edit again.
func (e *Entry) Edit(offset int64, old []byte, size int64) error {
	for more := true; more && e.err == nil; {
		part := old[:min(len(old), chunk)]
		e.buf = appendEdit(e.buf, e.number, edit{offset, part, size})
		old, offset, size = old[len(part):], offset+int64(len(part)), 0
		more = len(old) > 0
		if len(e.buf) >= hold {
			e.err = e.flush()
		}
	}
	return e.err
}

// All adds one edit for the whole file: size new bytes replace all bytes of r. It is for files
// without edits by offset, such as compressed files.
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

func (e *Entry) flush() error {
	_, err := e.j.append(e.buf)
	e.buf = e.buf[:0]
	return err
}

// Ready makes the entry durable. made holds the new bytes, is flushed, and is about to get the base
// name name. source is the file that was read, and info its information at that time.
//
// Ready first takes the edits back, as an undo would, and compares the result with the source, byte
// by byte. It returns ErrChanged if they differ.
// the source, byte by byte: ErrChanged says that it is another one.
func (e *Entry) Ready(source io.ReaderAt, info fs.FileInfo, made *os.File, name string) error {
	if e.err != nil {
		return e.err
	}
	if err := e.flush(); err != nil {
		return err
	}
	l := readyLine{File: e.number, Status: Ready, Size: info.Size(), MTime: info.ModTime().UTC()}
	if err := e.prove(source, made, &l); err != nil {
		return err
	}
	if name != filepath.Base(e.path) {
		l.Name, l.NameBase64 = text(name)
	}
	e.add(&l)
	if err := errors.Join(e.err, e.flush()); err != nil {
		return err
	}
	return e.j.sync()
}

// prove compares the result of an undo with the source, and takes the hashes.
func (e *Entry) prove(source io.ReaderAt, made *os.File, l *readyLine) error {
	before := make(chan Sum, 1)
	go func() {
		sum, _ := SumOf(io.NewSectionReader(source, 0, l.Size)) // an error shows in the comparison
		before <- sum
	}()
	after := sha256.New()
	same := &comparison{r: source}
	all := io.NewSectionReader(made, 0, math.MaxInt64)
	err := restore(same, io.TeeReader(all, after), e.j.edits(e.number, e.begin, e.j.end()))
	sum := <-before
	if err == nil && same.at != l.Size {
		err = ErrChanged
	}
	l.Before = hex.EncodeToString(sum[:])
	l.After = hex.EncodeToString(after.Sum(nil))
	l.Bytes, _ = all.Seek(0, io.SeekCurrent) // restore has read to the end
	return err
}

// Done adds that the new bytes replaced the old bytes.
func (e *Entry) Done() error { return e.j.mark(e.number, Done) }

// comparison is a writer that accepts only the bytes of r.
type comparison struct {
	r   io.ReaderAt
	at  int64
	buf []byte
}

func (c *comparison) Write(p []byte) (int, error) {
	if cap(c.buf) < len(p) {
		c.buf = make([]byte, max(len(p), 64<<10))
	}
	b := c.buf[:len(p)]
	if _, err := io.ReadFull(io.NewSectionReader(c.r, c.at, int64(len(p))), b); err != nil || !bytes.Equal(b, p) {
		return 0, ErrChanged
	}
	c.at += int64(len(p))
	return len(p), nil
}
