package rewrite

import (
	"hash/maphash"

	"absolink/extract"
)

// A plan stores a fingerprint of each link, and the verification compares it with the link of the
// output. A fingerprint is a hash.

// seed is the seed of all hashes. It is different in each process.
var seed = maphash.MakeSeed()

// textPrint is a bit of a fingerprint. If it is set, the fingerprint comes from the text of a link,
// otherwise from its URI.
const textPrint = 1

// printOf returns the fingerprint of a link. byText is true for a link that stays as it is written
// in a document that moves. The URI of such a link changes unless the link is absolute, so the
// fingerprint of a relative one comes from its text. The URI of an identifier never counts, because
// a BASE may change it without effect.
func printOf(l *extract.Link, byText bool) uint64 {
	switch {
	case l.Status == extract.IdentifierRef:
		return fingerprint(l.Status, nil)
	case byText && l.Status != extract.AbsoluteRef:
		return fingerprint(l.Status, l.Value) | textPrint
	}
	return fingerprint(l.Status, l.URI)
}

// fingerprint returns a hash of a status and a URI or text, without the bit textPrint.
func fingerprint(s extract.Status, uri []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	h.WriteByte(byte(s))
	h.Write(uri)
	return h.Sum64() &^ textPrint
}

// prints holds the fingerprints of links in their order. They are stored in pieces that never grow,
// because a slice that grows leaves its old memory behind.
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

// emptied returns prints without fingerprints, in the memory of the last piece of s.
func (s *prints) emptied() prints {
	if len(s.pieces) == 0 {
		return prints{}
	}
	last := s.pieces[len(s.pieces)-1]
	clear(s.pieces) // the other pieces become garbage
	return prints{pieces: append(s.pieces[:0], last[:0])}
}

// truncate deletes all but the first n fingerprints.
func (s *prints) truncate(n int) {
	left := n
	for i := range s.pieces {
		k := min(len(s.pieces[i]), left)
		s.pieces[i] = s.pieces[i][:k]
		left -= k
	}
	s.n = n
}

// reader returns a reader of the fingerprints.
func (s *prints) reader() printReader { return printReader{rest: s.pieces} }

// printReader reads fingerprints one after the other.
type printReader struct {
	piece []uint64
	rest  [][]uint64
}

// next returns the next fingerprint; ok is false after the last one.
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
