package rewrite

import (
	"encoding/binary"
	"errors"
	"hash/maphash"
	"iter"
	"slices"

	"absolink/extract"
)

// An edit inside of a script or another raw text element must not move its end: dead text would
// become markup, and the list of links need not tell. So the output is compared by these ends,
// too: each must be where the edits before it put it.

// ErrEnds is the error of an output with a raw text element, such as a script, that does not end
// where it ends in the source.
var ErrEnds = errors.New("a script or another element of raw text would end elsewhere than in the input")

// noteEnds notes where the raw text elements of the document at hand end in the output.
func (p *Plan) noteEnds() {
	if !p.r.NoVerify {
		p.ends = append(p.ends, printOfEnds(p.doc.RawEnds(), p.doc.edits.all()))
	}
}

// printOfEnds stands for the ends of a document after edits, which are sorted.
func printOfEnds(ends []int, edits iter.Seq[extract.Edit]) uint64 {
	if len(ends) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(ends))
	var h maphash.Hash
	h.SetSeed(seed)
	i, moved := 0, 0
	write := func(before int) {
		for ; i < len(sorted) && sorted[i] < before; i++ {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], uint64(sorted[i]+moved))
			h.Write(b[:])
		}
	}
	for e := range edits {
		write(e.End)
		moved += len(e.New) - (e.End - e.Start)
	}
	write(sorted[len(sorted)-1] + 1)
	return h.Sum64()
}

// noEdits are the edits of an output.
func noEdits(func(extract.Edit) bool) {}
