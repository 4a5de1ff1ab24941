package page

import (
	"bytes"

	"absolink/extract/internal/text"
)

// Comments hide markup. Some mail programs show the markup in conditional comments, which is read
// with Options.ConditionalComments. Options.Comments reads the markup in all comments. Such markup
// is a text of its own inside the document, and its references are resolved against the base of the
// document. A BASE in a comment does not count. Comments of XML mostly hold HTML and are read the
// same way. They cannot contain two hyphens (XML 1.0 production 15), so two hyphens are never
// written there.

// A block of WordPress begins with a comment that holds its settings as JSON.

// block returns the name and the settings of the WordPress block that begins in the text of a
// comment.
func block(data []byte, inner text.Span) (name []byte, settings text.Span, ok bool) {
	inner = text.Trimmed(data, inner)
	b := data[inner.Start:inner.End]
	if !bytes.HasPrefix(b, []byte("wp:")) {
		return nil, text.Span{}, false
	}
	n := bytes.IndexAny(b, " \t\n\f\r")
	start, end := bytes.IndexByte(b, '{'), bytes.LastIndexByte(b, '}')
	if n <= len("wp:") || start < n || end < start || len(text.Stripped(b[n:start])) > 0 {
		return nil, text.Span{}, false
	}
	return b[:n], text.Span{Start: inner.Start + start, End: inner.Start + end + 1}, true
}

// conditional returns the markup that a conditional comment hides. Its text begins with [if …]> and
// ends with <![endif].
func conditional(data []byte, inner text.Span) (hidden text.Span, ok bool) {
	inner = text.Trimmed(data, inner)
	b := data[inner.Start:inner.End]
	end := len(b) - len("<![endif]")
	if !text.HasPrefixFold(b, "[if") || end < 0 || !text.IsFold(b[end:], "<![endif]") {
		return text.Span{}, false
	}
	start := bytes.Index(b[:end], []byte("]>"))
	if start < 0 {
		return text.Span{}, false
	}
	return text.Span{Start: inner.Start + start + len("]>"), End: inner.Start + end}, true
}
