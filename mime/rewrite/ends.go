package rewrite

import (
	"encoding/binary"
	"errors"
	"hash/maphash"
	"iter"
	"slices"

	"absolink/extract"
)

// An edit inside a script or another raw text element must not change where the element ends.
// Otherwise text would become markup, and the list of links might not show it. So the verification
// also compares the ends of these elements. In the output, each end must be shifted only by the
// edits before it. The beginnings of the blocks of Markdown, and the ends of the texts of its
// links, are compared in the same way.

// ErrEnds means that edits have moved the end of a raw text element, such as a script, or the
// beginning of a block of Markdown to another place in the text.
var ErrEnds = errors.New("a script or another element of raw text would end elsewhere than in the input, or a " +
	"block of Markdown begin elsewhere")

// noteEnds records a hash of the ends that the raw text elements of the current document must have
// in the output.
func (p *Plan) noteEnds() {
	if !p.r.NoVerify {
		ends := slices.DeleteFunc(slices.Clone(p.doc.RawEnds()), func(end int) bool {
			return p.doc.removes(extract.Span{Start: end, End: end})
		})
		p.ends = append(p.ends, printOfEnds(ends, p.doc.edits.all()))
	}
}

// printOfEnds returns a hash of the offsets that ends have after the edits. The edits must be
// sorted.
func printOfEnds(ends []int, edits iter.Seq[extract.Edit]) uint64 {
	if len(ends) == 0 {
		return 0
	}
	rest := slices.Sorted(slices.Values(ends))
	last := rest[len(rest)-1]
	var h maphash.Hash
	h.SetSeed(seed)
	shift := 0 // number of bytes that the edits so far have added
	hashEndsBefore := func(offset int) {
		for len(rest) > 0 && rest[0] < offset {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], uint64(rest[0]+shift))
			h.Write(b[:])
			rest = rest[1:]
		}
	}
	for e := range edits {
		hashEndsBefore(e.End)
		shift += len(e.New) - (e.End - e.Start)
	}
	hashEndsBefore(last + 1)
	return h.Sum64()
}

// noEdits yields no edits. It is used for the ends of an output.
func noEdits(func(extract.Edit) bool) {}
