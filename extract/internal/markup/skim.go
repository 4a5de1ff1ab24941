package markup

import (
	"encoding/binary"
	"math/bits"
)

// Nearly all tags of real pages are end tags and start tags of ordinary HTML
// elements, and most of these hold nothing that a finder of references wants. While
// no svg or math is open they mean nothing to the scan, so that skim passes over them
// in one loop: names are measured eight bytes at a time, an end tag is no more than
// its name, and of a start tag the first letter and the length of its name tell
// which attributes are to be kept. Whatever is not as simple as that is left to the
// rules that know everything.

// skim goes from '<' to '<' up to a start tag that is wanted, and reports that it
// found and read one; else it returns the offset of a '<' that begins something else,
// or -1 where none is left.
func (s *Scanner) skim() (i int, found bool) {
	data := s.data
	if len(s.stack) > 0 || s.Filter == nil || s.Only.has(EndTag) || !s.Only.has(StartTag) {
		return nextTag(data, s.pos), false
	}
	for i = nextTag(data, s.pos); i >= 0; i = nextTag(data, i) {
		c := data[i+1]
		if c == '/' {
			end := shortEndTag(data, i+2)
			if end < 0 {
				return i, false
			}
			i = end
			continue
		}
		if class[c]&letter == 0 {
			return i, false
		}
		name := tagNameEnd(data, i+1)
		w := s.Filter.wish(c, name-i-1)
		if w.role {
			return i, false
		}
		end := s.attributes(name, &w.attrs)
		if end < 0 {
			return i, false
		}
		if len(s.Attrs) > 0 || w.tag {
			s.NameStart, s.NameEnd, s.Space, s.pos = i+1, name, HTML, end
			s.emit(StartTag, i, end)
			return i, true
		}
		i = end
	}
	return -1, false
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// nameStops marks the bytes of w that may end a name: blanks and what is below, '/', and
// '<' to '?'. The lowest mark is always right.
func nameStops(w uint64) uint64 {
	slash, angle := w^ones*'/', w&(ones*0xfc)^ones*'<'
	return ((w-ones*'!')&^w | (slash-ones)&^slash | (angle-ones)&^angle) & highs
}

// shortEndTag returns the offset after the end tag whose name begins at i, or -1
// where it is none, holds more than a name, or is longer than eight bytes, as all
// are that mean something to the scan of ordinary elements.
func shortEndTag(data []byte, i int) int {
	if i+8 > len(data) || class[data[i]]&letter == 0 {
		return -1
	}
	m := nameStops(binary.LittleEndian.Uint64(data[i:]))
	if m == 0 {
		return -1
	}
	if i += bits.TrailingZeros64(m) / 8; data[i] != '>' {
		return -1
	}
	return i + 1
}

// tagNameEnd returns the offset after the tag name that begins at i.
func tagNameEnd(data []byte, i int) int {
	for i++; i+8 <= len(data); i += 8 {
		if m := nameStops(binary.LittleEndian.Uint64(data[i:])); m != 0 {
			i += bits.TrailingZeros64(m) / 8
			break
		}
	}
	for i < len(data) && class[data[i]]&nameEnd == 0 {
		i++
	}
	return i
}

// attrNameEnd returns the offset after the attribute name that goes on at i.
func attrNameEnd(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		if m := nameStops(binary.LittleEndian.Uint64(data[i:])); m != 0 {
			i += bits.TrailingZeros64(m) / 8
			break
		}
	}
	for i < len(data) && class[data[i]]&attrEnd == 0 {
		i++
	}
	return i
}
