package mbox

import (
	"bytes"
	"io"
	"slices"

	"absolink/mime"
)

// editedBytes reads the bytes of an edited message at any offset. It consists of parts: bytes of
// the message and new bytes of the edits, in turn.
type editedBytes struct {
	parts []*io.SectionReader
	ends  []int64 // ends[i] is the offset after parts[i]
}

// edited returns a reader of the edited message.
func (m *Message) edited(edits []mime.Edit) *editedBytes {
	n := 2*len(edits) + 1
	e := &editedBytes{parts: make([]*io.SectionReader, 0, n), ends: make([]int64, 0, n)}
	start := int64(0)
	for _, edit := range m.inMessage(edits) {
		e.add(m, start, edit.Start)
		e.add(bytes.NewReader(edit.New), 0, int64(len(edit.New)))
		start = edit.End
	}
	e.add(m, start, m.size)
	return e
}

// add adds a part: the bytes of r from start to end.
func (e *editedBytes) add(r io.ReaderAt, start, end int64) {
	e.ends = append(e.ends, e.size()+end-start)
	e.parts = append(e.parts, io.NewSectionReader(r, start, end-start))
}

// size returns the number of bytes.
func (e *editedBytes) size() int64 {
	if len(e.ends) == 0 {
		return 0
	}
	return e.ends[len(e.ends)-1]
}

// ReadAt implements [io.ReaderAt]. If the file of the mailbox has become shorter, the error is
// io.ErrUnexpectedEOF.
func (e *editedBytes) ReadAt(b []byte, off int64) (n int, err error) {
	first, _ := slices.BinarySearch(e.ends, off+1)
	for i := first; i < len(e.parts) && n < len(b); i++ {
		rest := e.ends[i] - off - int64(n) // number of bytes of the part that are not read yet
		want := b[n:min(int64(len(b)), int64(n)+rest)]
		got, err := e.parts[i].ReadAt(want, e.parts[i].Size()-rest)
		n += got
		switch {
		case got == len(want):
		case err == io.EOF:
			return n, io.ErrUnexpectedEOF
		default:
			return n, err
		}
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}
