// Package json finds the strings of JSON texts as byte spans, with the keys that
// lead to them, and the string literals of scripts, whose escapes are the same.
//
// Nothing is decoded or copied, and nothing is an error: what is not JSON is
// passed over byte by byte, so that the strings of a damaged text are still found.
//
// Files in reading order: escape.go, json.go, guess.go (what looks like a URL), pattern.go,
// block.go (scripts), joined.go (strings of scripts that are joined), literal.go, sourcemap.go.
package json

import "bytes"

// Scanner yields the strings of one text, keys and values. The zero value is ready
// for Reset. It allocates nothing in steady state and is not safe for concurrent use.
type Scanner struct {
	// What Next found last.
	Start, End int  // the string, without its quotes
	Escaped    bool // it holds escapes: see AppendUnescaped
	IsKey      bool // a member of this name follows
	Depth      int  // how many objects and arrays are open around it

	data   []byte
	pos    int
	stack  []container
	deeper int // how many more are open than the stack holds
	buf    []byte
}

// container is an open object or array.
type container struct {
	object     bool
	value      bool // an object whose next string is a value
	start, end int  // its key that was read last
	escaped    bool
}

// maxDepth bounds the stack. Containers below it are counted, not kept.
const maxDepth = 64

// Reset makes s scan data, which it keeps until the next Reset.
func (s *Scanner) Reset(data []byte) {
	*s = Scanner{data: data, stack: s.stack[:0], buf: s.buf}
}

// Next finds the next string and reports whether there is one. A string that the
// end of the text cuts off is not found.
func (s *Scanner) Next() bool {
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		s.pos++
		switch c {
		case '"':
			return s.string()
		case '{', '[':
			s.open(c == '{')
		case '}', ']':
			s.close()
		case ':', ',':
			s.turn(c == ':')
		}
	}
	return false
}

// string reads the string whose content begins at s.pos.
func (s *Scanner) string() bool {
	end, escaped := stringEnd(s.data, s.pos, '"')
	if end < 0 {
		s.pos = len(s.data)
		return false
	}
	s.Start, s.End, s.Escaped = s.pos, end, escaped
	s.pos = end + 1
	s.Depth = len(s.stack) + s.deeper
	s.IsKey = false
	if n := len(s.stack); n > 0 && s.deeper == 0 {
		if top := &s.stack[n-1]; top.object && !top.value {
			top.start, top.end, top.escaped = s.Start, s.End, s.Escaped
			s.IsKey = true
		}
	}
	return true
}

// stringEnd returns the offset of the quote that ends the string whose content
// begins at i, -1 if there is none, and whether it holds a backslash.
func stringEnd(data []byte, i int, quote byte) (end int, escaped bool) {
	for end = i - 1; ; escaped = true {
		if end < i {
			n := bytes.IndexByte(data[i:], quote)
			if n < 0 {
				return -1, escaped
			}
			end = i + n
		}
		slash := bytes.IndexByte(data[i:end], '\\')
		if slash < 0 {
			return end, escaped
		}
		i = min(i+slash+2, len(data))
	}
}

func (s *Scanner) open(object bool) {
	if len(s.stack) == maxDepth {
		s.deeper++
		return
	}
	s.stack = append(s.stack, container{object: object})
}

func (s *Scanner) close() {
	switch {
	case s.deeper > 0:
		s.deeper--
	case len(s.stack) > 0:
		s.stack = s.stack[:len(s.stack)-1]
	}
}

// turn makes the next string of an object a value or a key.
func (s *Scanner) turn(value bool) {
	if n := len(s.stack); n > 0 && s.deeper == 0 {
		s.stack[n-1].value = value
	}
}

// Key returns the name, without escapes, of the member that the string found
// last belongs to in the container at a depth, 0 for the outermost; nil in an
// array and where nothing is as deep. It is valid until the next call.
func (s *Scanner) Key(depth int) []byte {
	if depth < 0 || depth >= len(s.stack) || !s.stack[depth].object {
		return nil
	}
	c := s.stack[depth]
	if !c.escaped {
		return s.data[c.start:c.end]
	}
	s.buf = AppendUnescaped(s.buf[:0], s.data[c.start:c.end])
	return s.buf
}

// Member returns the name of the nearest member around the value found last,
// through arrays; nil if there is none.
func (s *Scanner) Member() []byte {
	for d := len(s.stack) - 1; d >= 0; d-- {
		if s.stack[d].object {
			return s.Key(d)
		}
	}
	return nil
}
