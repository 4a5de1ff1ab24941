package rewrite

import (
	"encoding/binary"
	"iter"
	"slices"

	"absolink/extract"
)

// A document may be a list of links with one edit per line, and an [extract.Edit] takes several
// times the memory of the line. So the edits of a document are stored compactly: three numbers and
// the new bytes per edit. The first number is the distance from the end of the edit before it. The
// second is the number of replaced bytes, and the third the number of new bytes. The edits are
// stored in pieces that never grow, because a slice that grows leaves its old memory behind.

// edits holds the edits of one document. The zero value is ready.
type edits struct {
	pieces   [][]byte
	n        int   // number of edits
	size     int64 // number of new bytes of all edits
	end      int   // end of the last edit
	unsorted bool  // an edit starts before the end of the edit before it
}

// pieceSize is the size of a piece in bytes. A longer edit gets a piece of its own size. The first
// pieces are smaller, because most documents have few edits.
const pieceSize = 64 << 10

// add adds an edit. It copies the new bytes.
func (s *edits) add(e extract.Edit) {
	need := 3*binary.MaxVarintLen64 + len(e.New)
	last := len(s.pieces) - 1
	if last < 0 || cap(s.pieces[last])-len(s.pieces[last]) < need {
		s.pieces = append(s.pieces, make([]byte, 0, max(need, min(int(s.size), pieceSize), 1<<10)))
		last++
	}
	b := binary.AppendVarint(s.pieces[last], int64(e.Start-s.end))
	b = binary.AppendUvarint(b, uint64(e.End-e.Start))
	b = binary.AppendUvarint(b, uint64(len(e.New)))
	s.pieces[last] = append(b, e.New...)
	s.unsorted = s.unsorted || e.Start < s.end
	s.n, s.size, s.end = s.n+1, s.size+int64(len(e.New)), e.End
}

// discard deletes the edits, but keeps n and size.
func (s *edits) discard() { *s = edits{n: s.n, size: s.size} }

// all yields the edits in the order in which they were added.
func (s *edits) all() iter.Seq[extract.Edit] {
	return func(yield func(extract.Edit) bool) {
		at := 0
		for _, b := range s.pieces {
			for len(b) > 0 {
				var e extract.Edit
				e, b = readEdit(b, at)
				at = e.End
				if !yield(e) {
					return
				}
			}
		}
	}
}

// readEdit returns the edit at the start of b, and the rest of b. The edit before it ends at offset
// at.
func readEdit(b []byte, at int) (extract.Edit, []byte) {
	var e extract.Edit
	distance, n := binary.Varint(b)
	old, k := binary.Uvarint(b[n:])
	size, m := binary.Uvarint(b[n+k:])
	b = b[n+k+m:]
	e.Start = at + int(distance)
	e.End = e.Start + int(old)
	e.New = b[:size:size]
	return e, b[size:]
}

// list returns the edits in the order of their spans.
func (s *edits) list() []extract.Edit {
	list := slices.AppendSeq(make([]extract.Edit, 0, s.n), s.all())
	if s.unsorted {
		slices.SortStableFunc(list, extract.Edit.Compare)
	}
	return list
}

// sort puts the edits in the order of their spans.
func (s *edits) sort() {
	if !s.unsorted {
		return
	}
	list := s.list()
	*s = edits{}
	for _, e := range list {
		s.add(e)
	}
}
