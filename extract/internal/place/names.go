package place

import (
	"encoding/binary"

	"absolink/extract/internal/text"
)

// Names of elements and attributes are numbered. A lookup compares the first eight bytes of a name
// as a word. Nearly all names have at most eight bytes and are in lower case, so one comparison is
// enough.

// names numbers lower-case names from 1; 0 is any other name.
type names struct {
	slots [1 << 9]nameSlot // by hash, or in one of the following slots
	list  []string         // list[n-1] is the name with number n
}

// nameSlot is a name in the hash table.
type nameSlot struct {
	word   uint64 // first eight bytes of the name, the first byte lowest
	length uint8
	number uint8 // 0 means that the slot is free
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
	word := nameWord([]byte(name), 0, len(name))
	at := hashWord(foldWord(word, len(name)), len(name))
	for n.slots[at].number > 0 {
		at = (at + 1) % uint(len(n.slots))
	}
	n.slots[at] = nameSlot{word, uint8(len(name)), uint8(len(n.list))}
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
	word := nameWord(data, start, end)
	folded := foldWord(word, length)
	for at := hashWord(folded, length); ; at = (at + 1) % uint(len(n.slots)) {
		s := &n.slots[at]
		switch {
		case s.number == 0:
			return 0
		case int(s.length) != length:
		case s.word == word && length <= 8, foldWord(s.word, length) == folded &&
			text.IsFold(data[start:end], n.list[s.number-1]):
			return s.number
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

// foldWord returns w, the first bytes of a name, with its letters in lower case. It also changes a
// few other bytes, so if words are equal, the names must still be compared.
func foldWord(w uint64, length int) uint64 {
	return w | 0x2020202020202020&(1<<(8*uint(length))-1)
}

// hashWord returns the first slot for a name.
func hashWord(w uint64, length int) uint {
	const multiplier = 0x9e3779b97f4a7c15 // an odd number with bits everywhere
	return uint((w + uint64(length)) * multiplier >> (64 - 9))
}
