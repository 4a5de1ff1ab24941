package rewrite

import (
	"encoding/binary"
	"errors"
	"hash/maphash"
	"iter"
	"slices"

	"absolink/extract"
)

// An edit inside a script or another raw text element must not move the end of that element: text
// would become markup, and the list of links might not show it. So the verification also compares
// the ends of these elements. In the output, each must be where the edits before it move it.

// ErrEnds means that a raw text element of the output, such as a script, ends at another place than
// in the source.
var ErrEnds = errors.New("a script or another element of raw text would end elsewhere than in the input")

// noteEnds records the ends of the raw text elements of the current document, as they will be in
// the output.
func (p *Plan) noteEnds() {
	if !p.r.NoVerify {
		ends := slices.DeleteFunc(slices.Clone(p.doc.RawEnds()), func(end int) bool {
			return p.doc.removes(extract.Span{Start: end, End: end})
		})
		p.ends = append(p.ends, printOfEnds(ends, p.doc.edits.all()))
	}
}

// printOfEnds returns a hash of the ends after the edits, which must be sorted.
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

// noEdits is an empty sequence of edits, for an output.
func noEdits(func(extract.Edit) bool) {}
