package value

import (
	"bytes"

	"absolink/extract/internal/text"
)

// The filters of old browsers load pictures, as in
// progid:DXImageTransform.Microsoft.AlphaImageLoader(src='x').

// loader finds the pictures that filters load.
type loader struct {
	at        int  // offset at which the search for the next picture begins
	inComment bool // at is in a comment
	ended     bool // there are no more pictures
	pending   bool // the picture in Span was found, and not returned yet
	text.Span
	quote byte
}

// findNext finds the next picture in b, unless one is pending.
func (l *loader) findNext(b []byte) {
	for !l.pending && !l.ended {
		n := bytes.Index(b[l.at:], []byte("AlphaImageLoader("))
		l.ended = n < 0
		if l.ended {
			return
		}
		n += len("AlphaImageLoader(")
		l.inComment = endsInComment(b[l.at:l.at+n], l.inComment)
		l.at += n
		l.Span, l.quote = loaderSource(b, l.at)
		l.pending = l.quote != 0 && !l.inComment
	}
}

// maxArguments is the maximum length of the arguments of a loader.
const maxArguments = 4096

// loaderSource returns the src string in the arguments at i, and its quote. The quote is 0 if there
// is no src string, or if the string has escapes.
func loaderSource(b []byte, i int) (s text.Span, quote byte) {
	end := bytes.IndexByte(b[i:min(len(b), i+maxArguments)], ')')
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

// endsInComment reports whether b ends inside a comment. open means that b begins inside a comment.
func endsInComment(b []byte, open bool) bool {
	from, to := bytes.LastIndex(b, []byte("/*")), bytes.LastIndex(b, []byte("*/"))
	if from == to {
		return open
	}
	return from > to
}
