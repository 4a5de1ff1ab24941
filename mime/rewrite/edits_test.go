package rewrite

import (
	"bytes"
	"slices"
	"testing"

	"absolink/extract"
)

// Edits come out in the order of the document.
func FuzzEdits(f *testing.F) {
	f.Add([]byte{10, 2, 3, 1, 0, 0, 200, 255, 9})
	f.Add([]byte{1, 1, 1})
	f.Fuzz(func(t *testing.T, text []byte) {
		var s edits
		var want []extract.Edit
		size := int64(0)
		for at := 0; len(text) >= 3; text = text[3:] {
			at += int(int8(text[0])) * 1000
			if at < 0 {
				at = 0
			}
			e := extract.Edit{Span: extract.Span{Start: at, End: at + int(text[1])},
				New: bytes.Repeat(text[2:3], int(text[2])*300)}
			s.add(e)
			want = append(want, e)
			size += int64(len(e.New))
		}
		same := func(a, b extract.Edit) bool { return a.Span == b.Span && bytes.Equal(a.New, b.New) }
		if got := slices.Collect(s.all()); !slices.EqualFunc(got, want, same) {
			t.Fatalf("all: got %v, want %v", got, want)
		}
		if s.n != len(want) || s.size != size {
			t.Errorf("edits: got %d of %d bytes, want %d of %d", s.n, s.size, len(want), size)
		}
		s.sort()
		slices.SortStableFunc(want, extract.Edit.Compare)
		if got := slices.Collect(s.all()); !slices.EqualFunc(got, want, same) {
			t.Errorf("all after sort: got %v, want %v", got, want)
		}
	})
}

// Edits and prints are stored in few pieces, which never grow.
func TestPieces(t *testing.T) {
	var e edits
	var p prints
	const n = 100_000
	for i := range n {
		e.add(extract.Edit{Span: extract.Span{Start: 10 * i, End: 10*i + 1}, New: []byte("http://a.test/")})
		p.add(uint64(i))
	}
	e.add(extract.Edit{Span: extract.Span{Start: 10 * n, End: 10*n + 1}, New: make([]byte, 2*pieceSize)})
	most := 14*n/pieceSize + 30
	if len(e.pieces) > most {
		t.Errorf("%d edits are in %d pieces, want at most %d", e.n, len(e.pieces), most)
	}
	for i, piece := range e.pieces {
		room := cap(piece)
		if last := i == len(e.pieces)-1; room < 1<<10 || !last && room > pieceSize || last && room > 2*pieceSize+100 {
			t.Errorf("piece %d of the edits has room for %d bytes", i, room)
		}
	}
	if len(p.pieces) > 30 {
		t.Errorf("%d prints are in %d pieces, want at most 30", p.n, len(p.pieces))
	}
	for i, piece := range p.pieces {
		if cap(piece) < 64 || cap(piece) > 8<<10 {
			t.Errorf("piece %d has room for %d prints, want 64 to 8192", i, cap(piece))
		}
	}
}

// Prints come out in their order, also after some were cut off.
func TestPrints(t *testing.T) {
	for _, cut := range []int{0, 1, 63, 64, 65, 200, 20_000} {
		var s prints
		var want []uint64
		for i := range uint64(20_000) {
			s.add(i)
			want = append(want, i)
		}
		s.truncate(cut)
		want = want[:cut]
		for i := range uint64(300) {
			s.add(i + 1<<40)
			want = append(want, i+1<<40)
		}
		var got []uint64
		r := s.reader()
		for {
			print, ok := r.next()
			if !ok {
				break
			}
			got = append(got, print)
		}
		if s.n != len(want) || !slices.Equal(got, want) {
			t.Errorf("prints cut at %d: got %d of them, want %d", cut, len(got), len(want))
		}
	}
}
