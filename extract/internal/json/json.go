// Package json finds the strings of JSON texts as byte spans, with the keys that lead to them. It
// also finds the string literals of scripts, which have the same escapes.
//
// Nothing is decoded or copied, and nothing is an error. The scanner skips bytes that are not JSON
// one by one, so it still finds the strings of a damaged text.
//
// Files in reading order: escape.go, json.go, guess.go (strings that look like URLs), pattern.go,
// block.go (scripts), joined.go (strings of scripts that are joined), literal.go, sourcemap.go.
package json

import "bytes"

// Scanner yields the strings of one text, keys and values. The zero value is ready for Reset. It
// allocates nothing in steady state and is not safe for concurrent use.
type Scanner struct {
	// The string that Next found last.
	Start, End int  // the string, without its quotes
	Escaped    bool // it contains escapes: see AppendUnescaped
	IsKey      bool // it is the name of a member
	Depth      int  // number of objects and arrays around it

	data   []byte
	pos    int
	stack  []container
	deeper int // number of open containers beyond the stack
	buf    []byte
}

// container is an open object or array.
type container struct {
	object     bool
	value      bool // the next string of the object is a value
	start, end int  // its key that was read last
	escaped    bool
}

// maxDepth is the maximum length of the stack. Deeper containers are only counted.
const maxDepth = 64

// Reset makes s scan data, which it keeps until the next Reset.
func (s *Scanner) Reset(data []byte) {
	*s = Scanner{data: data, stack: s.stack[:0], buf: s.buf}
}

// Next finds the next string and reports whether there is one. It does not find a string that is
// cut off by the end of the text.
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

// stringEnd returns the offset of the quote that ends the string whose content begins at i, or -1.
// escaped reports whether the string contains a backslash.
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

// Key returns the name of the member around the string found last, in the container at a depth. The
// name has no escapes; depth 0 is the outermost container. Key returns nil in an array and for a
// depth without a container. The name is valid until the next call.
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

// Member returns the name of the nearest member around the value found last, or nil. It looks
// through arrays.
func (s *Scanner) Member() []byte {
	for d := len(s.stack) - 1; d >= 0; d-- {
		if s.stack[d].object {
			return s.Key(d)
		}
	}
	return nil
}
