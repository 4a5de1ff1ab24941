package json

import (
	"bytes"
	"slices"

	"absolink/resolve/ascii"
)

// maxTail is the number of bytes at the end of a script that are searched for a source map.
const maxTail = 1024

// endsMapURL has the bytes that end the URL of a source map.
var endsMapURL = [256]bool{'\t': true, '\n': true, '\f': true, '\r': true, ' ': true, '"': true, '\'': true}

// SourceMap returns the span of the URL in the comment that names a source map at the end of a
// script or style sheet (ECMA-426): //# sourceMappingURL=x or the same in /* */. ok is false
// without such a comment.
func SourceMap(text []byte) (start, end int, ok bool) {
	tail := trimRight(text[max(0, len(text)-maxTail):])
	tail = trimRight(bytes.TrimSuffix(tail, []byte("*/")))
	word := len(tail)
	for word > 0 && !endsMapURL[tail[word-1]] {
		word--
	}
	n := bytes.Index(tail[word:], []byte("sourceMappingURL="))
	if n < 0 {
		return 0, 0, false
	}
	n += word
	if !opensMapComment(bytes.TrimRight(tail[:n], "\t\f\r ")) {
		return 0, 0, false
	}
	offset := max(0, len(text)-maxTail)
	start = offset + n + len("sourceMappingURL=")
	end = offset + len(tail)
	return start, end, start < end
}

// IsMap reports whether uri can stand in the comment that names a source map, because SourceMap
// reads it back from there unchanged.
func IsMap(uri []byte) bool {
	text := slices.Concat([]byte("/*# sourceMappingURL="), uri, []byte(" */"))
	start, end, ok := SourceMap(text)
	return ok && bytes.Equal(text[start:end], uri) &&
		!bytes.Contains(uri, []byte("*/")) && !bytes.Contains(uri, []byte("/*"))
}

// opensMapComment reports whether text ends with the start of a comment that names a source map.
// Code may precede this comment.
func opensMapComment(text []byte) bool {
	switch string(text[max(0, len(text)-len("//#")):]) {
	case "//#", "//@", "/*#", "/*@":
		return true
	}
	return false
}

// trimRight returns b without the white space at its end.
func trimRight(b []byte) []byte {
	n := len(b)
	for n > 0 && ascii.Space.Has(b[n-1]) {
		n--
	}
	return b[:n]
}
