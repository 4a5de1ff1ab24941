package css

import (
	"strings"

	"absolink/extract/internal/byteset"
)

// Outside of functions that take strings and of the preludes of at-rules, only a few bytes can
// begin a token: quotes, comments, escapes, at-rules, and the '(' of a function that takes URLs.
// The letters before a '(' and the star of a comment are compared by their lower four bits, which
// are the same for both cases of a letter. False matches do no harm: the scanner finds out when it
// reads the token.

// nextStart returns the offset of the first byte from i on that may begin a token, or the length of
// data.
func nextStart(data []byte, i int) int {
	for i = starts.Index(data, i); i < len(data) && !mayStartAt(data, i); {
		i = starts.Index(data, i+1)
	}
	return i
}

// starts are the bytes that may begin a token.
var starts = byteset.New(func(c byte) bool { return strings.IndexByte(`"'\@/(`, c) >= 0 })

// mayStartAt reports whether a token may begin at i, whose byte is one of starts.
func mayStartAt(data []byte, i int) bool {
	switch data[i] {
	case '(':
		return i >= 2 && resembles(data[i-1], "lcte") && resembles(data[i-2], "reg") // url, src, image-set, image
	case '/':
		return i+1 < len(data) && resembles(data[i+1], "*")
	}
	return true
}

// resembles reports whether c is ASCII and has the lower four bits of a byte of list.
func resembles(c byte, list string) bool {
	for i := range len(list) {
		if c < 0x80 && c&15 == list[i]&15 {
			return true
		}
	}
	return false
}
