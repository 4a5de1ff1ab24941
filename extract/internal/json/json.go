// Package json finds the strings of JSON texts as byte spans, with the keys that lead to them. It
// also finds the string literals of scripts, which have the same escapes.
//
// The scanners do not decode or copy strings, and have no errors. They skip bytes that they do not
// know, so they also find the strings of a damaged text. But if a quote of a JSON text is missing,
// the bytes between the strings count as strings, up to the end or to the next missing quote. A
// line end does not end a string of JSON, because long strings of real pages contain line ends.
//
// Files in reading order: escape.go, json.go, guess.go (strings that look like URLs), pattern.go,
// block.go (data blocks), joined.go (strings of scripts that are joined), literal.go (scripts),
// sourcemap.go.
package json

import "bytes"

// Scanner yields the strings of one text, keys and values. The zero value is ready for Reset. In
// steady state a Scanner does not allocate. It is not safe for concurrent use.
type Scanner struct {
	// The string that Next found last.
	Start, End int  // the string, without its quotes
	Escaped    bool // it contains escapes: see AppendUnescaped
	IsKey      bool // it is the key of an object; never true deeper than maxDepth
	Depth      int  // number of objects and arrays around it

	data     []byte
	pos      int
	stack    []container // the open containers, at most maxDepth
	overflow int         // number of open containers beyond the stack
	buf      []byte      // memory for keys without their escapes
}

// container is an open object or array.
type container struct {
	object           bool
	start            int  // offset of its bracket
	valueNext        bool // the next string of the object is a value
	keyStart, keyEnd int  // the last key of the object, or 0 and 0
	keyEscaped       bool // that key contains escapes
}

// maxDepth is the number of open containers whose keys are known. Deeper containers are only
// counted.
const maxDepth = 64

// Reset makes s scan data, which it keeps until the next Reset.
func (s *Scanner) Reset(data []byte) {
	*s = Scanner{data: data, stack: s.stack[:0], buf: s.buf}
}

// Next finds the next string. It returns false if there is none. It does not find a string that the
// end of the text cuts off.
func (s *Scanner) Next() bool {
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		s.pos++
		switch c {
		case '"':
			return s.readString()
		case '{', '[':
			s.openContainer(c == '{')
		case '}', ']':
			s.closeContainer()
		case ':', ',':
			s.setValueNext(c == ':')
		}
	}
	return false
}

// readString reads the string whose content begins at s.pos. It returns false if no quote ends it.
func (s *Scanner) readString() bool {
	end, escaped := stringEnd(s.data, s.pos)
	if end < 0 {
		s.pos = len(s.data)
		return false
	}
	s.Start = s.pos
	s.End = end
	s.Escaped = escaped
	s.pos = end + 1
	s.Depth = len(s.stack) + s.overflow
	s.IsKey = false
	if n := len(s.stack); n > 0 && s.overflow == 0 {
		if top := &s.stack[n-1]; top.object && !top.valueNext {
			top.keyStart = s.Start
			top.keyEnd = s.End
			top.keyEscaped = s.Escaped
			s.IsKey = true
		}
	}
	return true
}

// stringEnd returns the offset of the quote that ends the string whose content begins at i, or -1.
// escaped reports whether the string contains a backslash.
func stringEnd(data []byte, i int) (end int, escaped bool) {
	end = -1 // the first quote at or after i, once it is found
	for {
		if end < i {
			n := bytes.IndexByte(data[i:], '"')
			if n < 0 {
				return -1, escaped
			}
			end = i + n
		}
		backslash := bytes.IndexByte(data[i:end], '\\')
		if backslash < 0 {
			return end, escaped
		}
		escaped = true
		i = min(i+backslash+2, len(data))
	}
}

// openContainer adds an open container.
func (s *Scanner) openContainer(object bool) {
	if len(s.stack) == maxDepth {
		s.overflow++
		return
	}
	s.stack = append(s.stack, container{object: object, start: s.pos - 1})
}

// closeContainer removes the innermost container, if there is one.
func (s *Scanner) closeContainer() {
	switch {
	case s.overflow > 0:
		s.overflow--
	case len(s.stack) > 0:
		s.stack = s.stack[:len(s.stack)-1]
	}
}

// setValueNext says whether the next string of the innermost container is a value. Otherwise the
// string is a key, if the container is an object.
func (s *Scanner) setValueNext(value bool) {
	if n := len(s.stack); n > 0 && s.overflow == 0 {
		s.stack[n-1].valueNext = value
	}
}

// KeyAt returns the last key of the object at a depth, without escapes. The depth counts the
// containers around the string that Next found last; 0 is the outermost. KeyAt returns nil if there
// is no container at that depth, or if the container is an array or has no key yet. The key is
// valid until the next call.
func (s *Scanner) KeyAt(depth int) []byte {
	if depth < 0 || depth >= len(s.stack) || s.stack[depth].keyStart == 0 {
		return nil
	}
	c := s.stack[depth]
	if !c.keyEscaped {
		return s.data[c.keyStart:c.keyEnd]
	}
	s.buf = AppendUnescaped(s.buf[:0], s.data[c.keyStart:c.keyEnd])
	return s.buf
}

// ContainerAt returns the offset of the opening bracket of the container at a depth, which counts
// as in KeyAt. It returns -1 if there is no such container.
func (s *Scanner) ContainerAt(depth int) int {
	if depth < 0 || depth >= len(s.stack) {
		return -1
	}
	return s.stack[depth].start
}

// NearestKey returns KeyAt for the innermost object around the value that Next found last, even if
// arrays are between them. It returns nil if there is no object, or if more than maxDepth
// containers are open.
func (s *Scanner) NearestKey() []byte {
	if s.overflow > 0 {
		return nil
	}
	for d := len(s.stack) - 1; d >= 0; d-- {
		if s.stack[d].object {
			return s.KeyAt(d)
		}
	}
	return nil
}
