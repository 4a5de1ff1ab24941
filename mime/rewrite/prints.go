package rewrite

import (
	"hash/maphash"

	"absolink/extract"
)

// Source and output are compared by a hash of each link, under a seed of the process.

var seed = maphash.MakeSeed()

// writtenPrint is a bit of a fingerprint. It says that the fingerprint is one of the text of a
// link, not of its URI.
const writtenPrint = 1

// printOf returns the fingerprint of a link. The URI of an identifier does not count, because a
// BASE may change it without meaning anything. If written is set, the document moves. A relative
// link that stays is then compared by its text, because its URI is different in the new place.
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

// prints holds the fingerprints of links in their order. They are stored in pieces that never grow,
// so that a long list leaves no outgrown memory.
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

// cut keeps the first n prints.
func (s *prints) cut(n int) {
	left := n
	for i := range s.pieces {
		k := min(len(s.pieces[i]), left)
		s.pieces[i] = s.pieces[i][:k]
		left -= k
	}
	s.n = n
}

// reader returns a reader of the prints.
func (s *prints) reader() printReader { return printReader{rest: s.pieces} }

// printReader reads prints one after the other.
type printReader struct {
	piece []uint64
	rest  [][]uint64
}

// next returns the next print; ok is false after the last one.
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
