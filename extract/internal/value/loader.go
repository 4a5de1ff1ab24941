package value

import (
	"bytes"

	"absolink/extract/internal/text"
)

// The filters of old browsers load pictures, as in
// progid:DXImageTransform.Microsoft.AlphaImageLoader(src='x').

// loader finds the pictures of filters.
type loader struct {
	at        int  // offset at which the search for the next picture begins
	commented bool // at is in a comment
	ended     bool // b has no more pictures
	pending   bool // the picture found last was not yielded yet
	text.Span
	quote byte
}

// next finds the next picture in b.
func (l *loader) next(b []byte) {
	for !l.pending && !l.ended {
		n := bytes.Index(b[l.at:], []byte("AlphaImageLoader("))
		l.ended = n < 0
		if l.ended {
			return
		}
		n += len("AlphaImageLoader(")
		l.commented = commented(b[l.at:l.at+n], l.commented)
		l.at += n
		l.Span, l.quote = loaderSource(b, l.at)
		l.pending = l.quote != 0 && !l.commented
	}
}

// longestLoader is the maximum length of the arguments of a loader.
const longestLoader = 4096

// loaderSource returns the src string in the arguments at i, and its quote. The quote is 0 without
// a src string, or if it has escapes.
func loaderSource(b []byte, i int) (s text.Span, quote byte) {
	end := bytes.IndexByte(b[i:min(len(b), i+longestLoader)], ')')
	if end < 0 {
		return s, 0
	}
	n := bytes.Index(bytes.ToLower(b[i:i+end]), []byte("src"))
	if n < 0 {
		return s, 0
	}
	i = text.SkipBlank(b, i+n+len("src"))
	if b[i] != '=' {
		return s, 0
	}
	i = text.SkipBlank(b, i+1)
	if i == len(b) || b[i] != '"' && b[i] != '\'' {
		return s, 0
	}
	n = bytes.IndexByte(b[i+1:], b[i])
	if n < 0 || bytes.ContainsAny(b[i+1:i+1+n], "\\\n\r\f") {
		return s, 0
	}
	return text.Span{Start: i + 1, End: i + 1 + n}, b[i]
}

// commented reports whether b ends inside a comment. open means that b begins inside a comment.
func commented(b []byte, open bool) bool {
	from, to := bytes.LastIndex(b, []byte("/*")), bytes.LastIndex(b, []byte("*/"))
	if from == to {
		return open
	}
	return from > to
}
