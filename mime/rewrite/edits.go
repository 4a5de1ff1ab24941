package rewrite

import (
	"encoding/binary"
	"iter"
	"slices"

	"absolink/extract"
)

// A list of links has as many edits as lines, and an [extract.Edit] takes several times the memory
// of its line. So the edits of a document are stored compactly. Each is three numbers and its new
// bytes. The first number is the distance from the end of the edit before it. The others are the
// numbers of replaced bytes and of new bytes. They are stored in pieces that never grow, so that no
// outgrown memory is left.

// edits holds the edits of one document. The zero value is ready.
type edits struct {
	pieces   [][]byte
	n        int
	size     int64 // of all new bytes
	end      int   // end of the last edit
	unsorted bool
}

// longest is the length of a piece, unless a single edit is longer. The first pieces are shorter,
// because most documents have few edits.
const longest = 64 << 10

// add adds an edit.
func (s *edits) add(e extract.Edit) {
	need := 3*binary.MaxVarintLen64 + len(e.New)
	last := len(s.pieces) - 1
	if last < 0 || cap(s.pieces[last])-len(s.pieces[last]) < need {
		s.pieces = append(s.pieces, make([]byte, 0, max(need, min(int(s.size), longest), 1<<10)))
		last++
	}
	b := binary.AppendVarint(s.pieces[last], int64(e.Start-s.end))
	b = binary.AppendUvarint(b, uint64(e.End-e.Start))
	b = binary.AppendUvarint(b, uint64(len(e.New)))
	s.pieces[last] = append(b, e.New...)
	s.unsorted = s.unsorted || e.Start < s.end
	s.n, s.size, s.end = s.n+1, s.size+int64(len(e.New)), e.End
}

// forget deletes the edits, but keeps their number and their size.
func (s *edits) forget() { *s = edits{n: s.n, size: s.size} }

// all yields the edits in the order in which they were added.
func (s *edits) all() iter.Seq[extract.Edit] {
	return func(yield func(extract.Edit) bool) {
		at := 0
		for _, b := range s.pieces {
			for len(b) > 0 {
				var e extract.Edit
				e, b = read(b, at)
				at = e.End
				if !yield(e) {
					return
				}
			}
		}
	}
}

// read reads the edit at the start of b, after an edit that ends at offset at. It also returns the
// rest of b.
func read(b []byte, at int) (extract.Edit, []byte) {
	var e extract.Edit
	behind, n := binary.Varint(b)
	old, k := binary.Uvarint(b[n:])
	size, m := binary.Uvarint(b[n+k:])
	b = b[n+k+m:]
	e.Start = at + int(behind)
	e.End = e.Start + int(old)
	e.New = b[:size:size]
	return e, b[size:]
}

// list returns the edits, sorted.
func (s *edits) list() []extract.Edit {
	list := slices.AppendSeq(make([]extract.Edit, 0, s.n), s.all())
	if s.unsorted {
		slices.SortStableFunc(list, extract.Edit.Compare)
	}
	return list
}

// sort sorts the edits.
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
