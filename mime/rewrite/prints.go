package rewrite

import (
	"hash/maphash"

	"absolink/extract"
)

// A link stands in the comparison of source and output by its hash under a seed of the
// process.

var seed = maphash.MakeSeed()

// writtenPrint is the bit of a fingerprint that says that it is one of what is written.
const writtenPrint = 1

// printOf stands for a link. What an identifier would be resolved to may change with a
// BASE, and means nothing. Where a document moves, what is relative and stays as written is
// compared as it is written, since it means something else in the new place.
func printOf(l *extract.Link, written bool) uint64 {
	switch {
	case l.Status == extract.IdentifierRef:
		return fingerprint(l.Status, nil)
	case written && l.Status != extract.AbsoluteRef:
		return fingerprint(l.Status, l.Value) | writtenPrint
	}
	return fingerprint(l.Status, l.URI)
}

func fingerprint(s extract.Status, uri []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	h.WriteByte(byte(s))
	h.Write(uri)
	return h.Sum64() &^ writtenPrint
}

// prints are the fingerprints of links in their order. They stand in pieces that never grow,
// so that those of a long list of links leave no memory behind.
type prints struct {
	pieces [][]uint64
	n      int
}

func (s *prints) add(print uint64) {
	last := len(s.pieces) - 1
	if last < 0 || len(s.pieces[last]) == cap(s.pieces[last]) {
		s.pieces = append(s.pieces, make([]uint64, 0, min(max(s.n, 64), 8<<10)))
		last++
	}
	s.pieces[last] = append(s.pieces[last], print)
	s.n++
}

// cut keeps the first n.
func (s *prints) cut(n int) {
	left := n
	for i := range s.pieces {
		k := min(len(s.pieces[i]), left)
		s.pieces[i] = s.pieces[i][:k]
		left -= k
	}
	s.n = n
}

// reader returns a reader of them.
func (s *prints) reader() printReader { return printReader{rest: s.pieces} }

// printReader reads prints one after the other.
type printReader struct {
	piece []uint64
	rest  [][]uint64
}

// next returns the next one; ok is false if there is none.
func (r *printReader) next() (print uint64, ok bool) {
	for len(r.piece) == 0 {
		if len(r.rest) == 0 {
			return 0, false
		}
		r.piece, r.rest = r.rest[0], r.rest[1:]
	}
	print, r.piece = r.piece[0], r.piece[1:]
	return print, true
}
