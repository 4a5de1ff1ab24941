package value

import (
	"bytes"

	"absolink/extract/internal/text"
)

// The filters of old browsers load pictures, as in
// progid:DXImageTransform.Microsoft.AlphaImageLoader(src='x').

// loader finds them.
type loader struct {
	at        int  // from where on they are looked for
	commented bool // at is in a comment
	none      bool // no other one follows
	held      bool // the one found last was not yielded yet
	text.Span
	quote byte
}

// next finds the next one in b.
func (l *loader) next(b []byte) {
	for !l.held && !l.none {
		n := bytes.Index(b[l.at:], []byte("AlphaImageLoader("))
		l.none = n < 0
		if l.none {
			return
		}
		n += len("AlphaImageLoader(")
		l.commented = commented(b[l.at:l.at+n], l.commented)
		l.at += n
		l.Span, l.quote = loaderSource(b, l.at)
		l.held = l.quote != 0 && !l.commented
	}
}

// longestLoader is how far the arguments of a loader are read.
const longestLoader = 4096

// loaderSource returns the string that src is in the arguments at i, and its quote, 0
// if there is none without escapes.
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

// commented reports whether b ends inside of a comment, where open says so of its start.
func commented(b []byte, open bool) bool {
	from, to := bytes.LastIndex(b, []byte("/*")), bytes.LastIndex(b, []byte("*/"))
	if from == to {
		return open
	}
	return from > to
}
