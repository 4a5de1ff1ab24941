package json

import "bytes"

// longestLine is how much of the end of a script is searched for a source map.
const longestLine = 1024

const blanks = "\t\n\f\r "

// outside are the bytes that are no part of the URL of a source map.
var outside = func() (t [256]bool) {
	for _, c := range blanks + "\"'" {
		t[c] = true
	}
	return t
}()

// SourceMap returns the span of the URL in the comment that ends a script or a style
// sheet and names its source map (ECMA-426): //# sourceMappingURL=x or the same in
// /* */. ok is false where there is none, as nearly always: that is told by the last
// word, which is found from the end.
func SourceMap(text []byte) (start, end int, ok bool) {
	tail := bytes.TrimRight(text[max(0, len(text)-longestLine):], blanks)
	tail = bytes.TrimRight(bytes.TrimSuffix(tail, []byte("*/")), blanks)
	word := len(tail)
	for word > 0 && !outside[tail[word-1]] {
		word--
	}
	n := bytes.Index(tail[word:], []byte("sourceMappingURL="))
	if n < 0 {
		return 0, 0, false
	}
	n += word
	line := bytes.LastIndexByte(tail[:n], '\n') + 1
	switch string(bytes.Trim(tail[line:n], "\t\f\r ")) {
	case "//#", "//@", "/*#", "/*@":
	default:
		return 0, 0, false
	}
	offset := max(0, len(text)-longestLine)
	start, end = offset+n+len("sourceMappingURL="), offset+len(tail)
	return start, end, start < end
}
