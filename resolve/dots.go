package resolve

import (
	"bytes"
	"strings"
)

// Dot segments are removed in place: r is the offset of the next byte to read, and w the offset of
// the next byte to write. Both functions read the segments once from the left, and remove the last
// written segment for each "..". The tests contain the loops of the RFCs word by word, and compare
// the results with theirs.

// removeDots3986 is remove_dot_segments of RFC 3986 5.2.4.
func removeDots3986(p []byte) []byte {
	r := skipLeadingDots(p)
	if s := p[r:]; len(s) == 0 || string(s) == "." || string(s) == ".." {
		return p[:0] // 2D
	}
	w := 0
	if p[r] != '/' { // 2E for a first segment without a slash
		n := segmentEnd(p, r)
		w = copy(p, p[r:n])
		r = n
	}
	for r < len(p) { // p[r] == '/'
		n := segmentEnd(p, r+1)
		switch seg := p[r+1 : n]; {
		case isDot(seg): // 2B
			w = endWithSlash(p, w, n)
		case isDotDot(seg): // 2C
			w = endWithSlash(p, max(bytes.LastIndexByte(p[:w], '/'), 0), n)
		default: // 2E
			w += copy(p[w:], p[r:n])
		}
		r = n
	}
	return p[:w]
}

// endWithSlash writes a slash at w if the removed dot segment, which ends at end, was the last one
// of the path. It returns the next offset to write.
func endWithSlash(p []byte, w, end int) int {
	if end == len(p) {
		p[w] = '/'
		w++
	}
	return w
}

// skipLeadingDots returns the length of all "../" and "./" at the start of a path (step 2A).
func skipLeadingDots(p []byte) int {
	r := 0
	for {
		n := segmentEnd(p, r)
		if n == len(p) || !isDot(p[r:n]) && !isDotDot(p[r:n]) {
			return r
		}
		r = n + 1
	}
}

// removeDots2396 does steps 6c to 6f of RFC 2396 5.2, which are 6a to 6d of RFC 1808 4. It removes
// "." segments, and pairs of a segment and "..". An empty segment counts as a segment, but the
// empty text before a leading slash does not. A ".." without a preceding segment stays. excess is
// the number of bytes of such ".." segments at the start of the result, after its leading slash.
func removeDots2396(p []byte) (out []byte, excess int) {
	lead := 0
	if len(p) > 0 && p[0] == '/' {
		lead = 1
	}
	w, keep := lead, lead // p[lead:keep] is the excess; a later ".." removes from p[keep:w]
	for r := lead; r <= len(p); {
		n := segmentEnd(p, r)
		next := min(n+1, len(p))
		switch seg := p[r:n]; {
		case isDot(seg): // 6c, 6d
		case isDotDot(seg) && w > keep: // 6e, 6f
			w = keep + 1 + bytes.LastIndexByte(p[keep:w-1], '/')
		case isDotDot(seg):
			w += copy(p[w:], p[r:next])
			keep = w
		default:
			w += copy(p[w:], p[r:next])
			if lead == 0 && n == r && w == 1 { // a/..//b: this slash is the leading slash now, and stays
				lead, keep = 1, 1
			}
		}
		if n == len(p) {
			break
		}
		r = n + 1
	}
	return p[:w], keep - lead
}

// segmentEnd returns the offset of the slash at or after i, or the end.
func segmentEnd(p []byte, i int) int {
	if n := bytes.IndexByte(p[i:], '/'); n >= 0 {
		return i + n
	}
	return len(p)
}

func isDot(s []byte) bool    { return len(s) == 1 && s[0] == '.' }
func isDotDot(s []byte) bool { return len(s) == 2 && s[0] == '.' && s[1] == '.' }

// hasDots reports whether a segment of p begins with a dot.
func hasDots(p string) bool { return strings.HasPrefix(p, ".") || strings.Contains(p, "/.") }
