package json

import "bytes"

// longestLine is how much of the end of a script is searched for a source map.
const longestLine = 4096

// SourceMap returns the span of the URL in the comment that ends a script or a style
// sheet and names its source map (ECMA-426): //# sourceMappingURL=x or the same in
// /* */. ok is false where there is none.
func SourceMap(text []byte) (start, end int, ok bool) {
	tail := bytes.TrimRight(text[max(0, len(text)-longestLine):], "\t\n\f\r ")
	offset := max(0, len(text)-longestLine)
	line := bytes.LastIndexByte(tail, '\n') + 1
	offset += line
	body := bytes.TrimSuffix(tail[line:], []byte("*/"))
	n := bytes.Index(body, []byte("sourceMappingURL="))
	if n < 0 {
		return 0, 0, false
	}
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
