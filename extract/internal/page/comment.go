package page

import (
	"bytes"

	"absolink/extract/internal/text"
)

// Comments hide markup. That of conditional comments is shown by the mail
// programs of an office suite, and is read with Options.ConditionalComments; that of all
// comments is read with Options.Comments. Either is a text of its
// own inside the document, against whose base it is resolved; a BASE in it does not count.
// In XML it is read in the same way, as the HTML that it mostly is; two hyphens, which no
// comment of XML can hold (XML 1.0 production 15), are never written there.

// A block of WordPress begins with a comment that holds its settings as JSON.

// block returns the name and the settings of the block that the text of a comment begins.
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

// conditional returns what is hidden by the text of a comment that begins with
// [if …]> and ends with <![endif].
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
