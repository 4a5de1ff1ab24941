package markup

import "bytes"

// A Filter selects the start tags and the attributes that a caller wants. It looks only at some
// letters and the length of a name, which is fast. So more tags and attributes pass than the caller
// wants, and the caller must check them again. A filter of NewFilter() wants nothing at first; a
// nil *Filter wants everything.
//
// In and around svg and math, the namespace of an element depends on its position. There the filter
// keeps each attribute that is wanted of any element.
type Filter struct {
	wishes [1 << 10]uint8 // by bucket of the element's name: its index in list
	list   []wish         // the first wish is for all elements without their own wish
	all    Names          // attributes that are wanted of any element
	calls  string         // see Calls
}

// wish is the part of a filter for some elements.
type wish struct {
	attrs Names
	tag   bool // the start tag is wanted even without such attributes
	role  bool // the scanner has to check whether the element has a role
}

// bucket returns a number for a name from its first and last letters, in either case, and its
// length. No frequent element shares a number with an element that has a role.
func bucket(first, last byte, length int) int {
	return int(first&31)<<5 | (int(last)^length)&31
}

// NewFilter returns a filter that wants the attributes with these names of all elements.
func NewFilter(attrs ...string) *Filter {
	f := &Filter{list: make([]wish, 1, 16)}
	f.list[0].attrs.add(attrs)
	f.all.add(attrs)
	for _, name := range roles {
		f.of(name).role = true
	}
	return f
}

// of returns the wish for an element, which it shares with all elements of the same bucket.
func (f *Filter) of(element string) *wish {
	n := &f.wishes[bucket(element[0], element[len(element)-1], len(element))]
	if *n == 0 {
		if len(f.list) == 256 {
			panic("markup: too many elements in a filter")
		}
		*n = uint8(len(f.list))
		f.list = append(f.list, f.list[0])
	}
	return &f.list[*n]
}

// Attrs adds attributes of an element of the HTML namespace.
func (f *Filter) Attrs(element string, attrs ...string) {
	f.of(element).attrs.add(attrs)
	f.Foreign(attrs...)
}

// Foreign adds attributes of elements of other namespaces.
func (f *Filter) Foreign(attrs ...string) { f.all.add(attrs) }

// Tags adds start tags that are wanted even without an attribute. Without elements it adds the
// start tags of all elements.
func (f *Filter) Tags(elements ...string) {
	for _, name := range elements {
		f.of(name).tag = true
	}
	for i := range f.list {
		f.list[i].tag = f.list[i].tag || len(elements) == 0
	}
}

// Calls declares that an attribute is wanted only if its value can contain a call: see [MayCall].
// This holds for start tags of HTML that have no other wanted attribute.
func (f *Filter) Calls(attr string) { f.calls = attr }

// MayCall reports whether an attribute value can contain a call of a function. The bracket of the
// call may be written as a character reference.
func MayCall(value []byte) bool {
	return bytes.IndexByte(value, '(') >= 0 || bytes.IndexByte(value, '&') >= 0
}

// wish returns the wish of f for the element whose name is between two offsets of data.
func (f *Filter) wish(data []byte, start, end int) *wish {
	return &f.list[f.wishes[bucket(data[start], data[end-1], end-start)]]
}

// Names is a set of names by first letter, last letter and length: see bit. It contains more names
// than were added, so the caller must check a name again.
type Names [32]uint64

// newNames returns the set of the given names.
func newNames(names ...string) *Names {
	n := new(Names)
	n.add(names)
	return n
}

// withRole is the set of the names of the elements that have a role.
var withRole = newNames(roles...)

// Add puts a name into the set, in any case. "on*" adds all names that begin with "on". Add panics
// if the name is empty.
func (n *Names) Add(name string) {
	last := len(name) - 1
	bits := bit(name[last], len(name))
	if name[last] == '*' {
		bits = ^uint64(0)
	}
	n[name[0]&31] |= bits
}

func (n *Names) add(names []string) {
	for _, name := range names {
		n.Add(name)
	}
}

// Has reports whether the name, in any case, may be in the set. A nil set has every name except the
// empty one, which is in no set.
func (n *Names) Has(name []byte) bool {
	if n == nil || len(name) == 0 {
		return len(name) > 0
	}
	return n.has(name, 0, len(name))
}

// has does the work of Has for the name between two offsets of data.
func (n *Names) has(data []byte, start, end int) bool {
	return n[data[start]&31]&bit(data[end-1], end-start) != 0
}

// bit is the bit for names in the entry of their first letter. The code of the last letter is
// multiplied by two: this shifts the bit that differs between upper and lower case out of the six
// bits that count.
func bit(last byte, length int) uint64 { return 1 << ((uint(length) + 2*uint(last)) & 63) }
