package place

import (
	"encoding/binary"

	"absolink/extract/internal/text"
)

// Names of elements and attributes are numbered. A lookup compares the first eight bytes of a name
// as a word. Nearly all names are no longer and in lower case, so one comparison is enough.

// names numbers lower-case names from 1; 0 is any other name.
type names struct {
	slots [1 << 9]nameSlot // by hash, or in one of the following slots
	list  []string         // list[n-1] is the name with number n
}

type nameSlot struct {
	word   uint64 // its first eight bytes, the first one lowest
	length uint8
	id     uint8 // 0 means that the slot is free
}

// LongestName is the length of the longest name that can be numbered.
const LongestName = 32

// add returns the number of name. A new name gets a new number.
func (n *names) add(name string) uint8 {
	if len(name) > LongestName || len(n.list) == 254 {
		panic("extract: table of places outgrows its names")
	}
	if id := n.find([]byte(name)); id > 0 {
		return id
	}
	n.list = append(n.list, name)
	w := nameWord([]byte(name), 0, len(name))
	at := hashWord(foldWord(w, len(name)), len(name))
	for n.slots[at].id > 0 {
		at = (at + 1) % uint(len(n.slots))
	}
	n.slots[at] = nameSlot{w, uint8(len(name)), uint8(len(n.list))}
	return uint8(len(n.list))
}

// find returns the number of name, in any case.
func (n *names) find(name []byte) uint8 { return n.findAt(name, 0, len(name)) }

// findAt returns the number of the name between two offsets of data, in any case.
func (n *names) findAt(data []byte, start, end int) uint8 {
	length := end - start
	if length == 0 || length > LongestName {
		return 0
	}
	w := nameWord(data, start, end)
	folded := foldWord(w, length)
	for at := hashWord(folded, length); ; at = (at + 1) % uint(len(n.slots)) {
		s := &n.slots[at]
		switch {
		case s.id == 0:
			return 0
		case int(s.length) != length:
		case s.word == w && length <= 8, foldWord(s.word, length) == folded &&
			text.IsFold(data[start:end], n.list[s.id-1]):
			return s.id
		}
	}
}

// nameWord returns the first eight bytes of the name between two offsets of data.
func nameWord(data []byte, start, end int) (w uint64) {
	if start+8 <= len(data) {
		return binary.LittleEndian.Uint64(data[start:]) & (1<<(8*uint(end-start)) - 1)
	}
	for i := min(end, start+8) - 1; i >= start; i-- {
		w = w<<8 | uint64(data[i])
	}
	return w
}

// foldWord makes letters in the first bytes of a name lower case. It also changes a few other
// bytes, so equal words still need a comparison of the names.
func foldWord(w uint64, length int) uint64 {
	return w | 0x2020202020202020&(1<<(8*uint(length))-1)
}

// hashWord returns the first slot for a name.
func hashWord(w uint64, length int) uint {
	const odd = 0x9e3779b97f4a7c15 // an odd number with bits everywhere
	return uint((w + uint64(length)) * odd >> (64 - 9))
}
