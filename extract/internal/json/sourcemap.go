package json

import "bytes"

// longestLine is how much of the end of a script is searched for a source map.
const longestLine = 1024

var blanks = [256]bool{'\t': true, '\n': true, '\f': true, '\r': true, ' ': true}

// SourceMap returns the span of the URL in the comment that ends a script or a style
// sheet and names its source map (ECMA-426): //# sourceMappingURL=x or the same in
// /* */. ok is false where there is none.
func SourceMap(text []byte) (start, end int, ok bool) {
	offset := max(0, len(text)-longestLine)
	if !mentionsMap(text[offset:]) {
		return 0, 0, false // nearly always, and forward is faster
	}
	tail := text[offset:]
	for len(tail) > 0 && blanks[tail[len(tail)-1]] {
		tail = tail[:len(tail)-1]
	}
	n := bytes.LastIndex(tail, []byte("sourceMappingURL="))
	if n < 0 || bytes.IndexByte(tail[n:], '\n') >= 0 {
		return 0, 0, false
	}
	line := bytes.LastIndexByte(tail[:n], '\n') + 1
	offset, n = offset+line, n-line
	body := bytes.TrimSuffix(tail[line:], []byte("*/"))
	before := bytes.Trim(body[:n], "\t\f\r ")
	switch string(before) {
	case "//#", "//@", "/*#", "/*@":
	default:
		return 0, 0, false
	}
	url := bytes.Trim(body[n+len("sourceMappingURL="):], "\t\f\r ")
	if len(url) == 0 || bytes.ContainsAny(url, "\"'\t\f\r ") {
		return 0, 0, false
	}
	start = offset + n + len("sourceMappingURL=") + bytes.Index(body[n+len("sourceMappingURL="):], url)
	return start, start + len(url), true
}

// mentionsMap reports whether text holds sourceMappingURL. Its 'U' is rarer than its
// first letter.
func mentionsMap(text []byte) bool {
	const before, word = len("sourceMapping"), "sourceMappingURL="
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], 'U')
		if n < 0 {
			return false
		}
		if i += n; i >= before && bytes.HasPrefix(text[i-before:], []byte(word)) {
			return true
		}
	}
}
