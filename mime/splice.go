package mime

import (
	"cmp"
	"io"
	"slices"
	"sort"
)

// Write copies the first size bytes of r to out, with the edits made. The edits must be sorted and
// must not overlap. An error comes from r or out; it is io.ErrUnexpectedEOF if r is too short.
// Write streams: it holds only one buffer.
func Write(out io.Writer, r io.ReaderAt, size int64, edits []Edit) error {
	mem := windows.Get().(*[windowSize]byte)
	defer windows.Put(mem)
	buf := mem[:]
	at := int64(0)
	for _, e := range edits {
		if err := copySpan(out, r, Span{at, e.Start}, buf); err != nil {
			return err
		}
		if _, err := out.Write(e.New); err != nil {
			return err
		}
		at = e.End
	}
	return copySpan(out, r, Span{at, size}, buf)
}

// copySpan copies bytes of r through buf. It is an error if r ends before the span does.
func copySpan(out io.Writer, r io.ReaderAt, s Span, buf []byte) error {
	for s.Start < s.End {
		b := buf[:min(int64(len(buf)), s.Len())]
		if n, err := r.ReadAt(b, s.Start); n < len(b) {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		if _, err := out.Write(b); err != nil {
			return err
		}
		s.Start += int64(len(b))
	}
	return nil
}

// splice is a reader of the edited message.
type splice struct {
	r      io.ReaderAt
	pieces []splicePiece
	size   int64
}

// splicePiece is a piece of the edited message. at is its offset there. Its bytes are text, or the
// bytes of r from src on if text is nil.
type splicePiece struct {
	at, src, len int64
	text         []byte
}

// Edited returns a reader of m with the edits made, and the number of its bytes. The edits must be
// sorted and must not overlap. The reader refers to the reader of m and to the edits, which must
// not change while it is in use. It is safe for concurrent use if the reader of m is.
func (m *Message) Edited(edits []Edit) (io.ReaderAt, int64) {
	s := newSplice(m.r, m.size, edits)
	return s, s.size
}

func newSplice(r io.ReaderAt, size int64, edits []Edit) *splice {
	s := &splice{r: r}
	from := int64(0)
	for _, e := range edits {
		s.add(splicePiece{src: from, len: e.Start - from})
		s.add(splicePiece{text: e.New, len: int64(len(e.New))})
		from = e.End
	}
	s.add(splicePiece{src: from, len: size - from})
	return s
}

func (s *splice) add(p splicePiece) {
	if p.len > 0 {
		p.at = s.size
		s.pieces = append(s.pieces, p)
		s.size += p.len
	}
}

// ReadAt implements io.ReaderAt.
func (s *splice) ReadAt(b []byte, off int64) (int, error) {
	n := 0
	k := sort.Search(len(s.pieces), func(i int) bool { return s.pieces[i].at+s.pieces[i].len > off })
	for ; k < len(s.pieces) && n < len(b); k++ {
		p := s.pieces[k]
		skip := off + int64(n) - p.at
		want := b[n:min(int64(len(b)), int64(n)+p.len-skip)]
		if p.text != nil {
			n += copy(want, p.text[skip:])
			continue
		}
		got, err := s.r.ReadAt(want, p.src+skip)
		n += got
		if got < len(want) {
			return n, err
		}
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// shift maps offsets of a message to offsets of the edited message.
type shift struct {
	edits []Edit
	added []int64 // bytes added by the edits before each edit; the last element counts all edits
}

func newShift(edits []Edit) *shift {
	s := &shift{edits, make([]int64, len(edits)+1)}
	for i, e := range edits {
		s.added[i+1] = s.added[i] + int64(len(e.New)) - e.Len()
	}
	return s
}

// afterInsertion returns the offset in the edited message for off, an offset outside all edits. If
// an edit inserts bytes at off, the result is after these bytes.
func (s *shift) afterInsertion(off int64) int64 { return s.newOffset(off, true) }

// beforeInsertion returns the same offset, but before the inserted bytes.
func (s *shift) beforeInsertion(off int64) int64 { return s.newOffset(off, false) }

// newOffset does the work of afterInsertion if after is true, and otherwise of beforeInsertion.
func (s *shift) newOffset(off int64, after bool) int64 {
	n := sort.Search(len(s.edits), func(i int) bool {
		e := s.edits[i]
		return e.End > off || e.End == off && e.Start == e.End && !after
	})
	return off + s.added[n]
}

func sortEdits(edits []Edit) {
	slices.SortFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}
