package value

import (
	"bytes"

	"absolink/extract/internal/text"
	"absolink/resolve/ascii"
)

// Each of these functions returns the span of the first reference of b at or after the offset i.
// next is the offset where the search for another reference begins. It is -1 if there is no
// reference.

// nextToken returns the next run of bytes that are not white space.
func nextToken(b []byte, i int) (s text.Span, next int) {
	i = text.SkipBlank(b, i)
	if i == len(b) {
		return s, -1
	}
	s.Start = i
	for i < len(b) && !ascii.Space.Has(b[i]) {
		i++
	}
	s.End = i
	return s, i
}

// nextItem returns the next item between separators that is not empty, without the white space
// around it.
func nextItem(b []byte, i int, sep byte) (s text.Span, next int) {
	for i <= len(b) {
		end := len(b)
		if n := bytes.IndexByte(b[i:], sep); n >= 0 {
			end = i + n
		}
		s = text.Trimmed(b, text.Span{Start: i, End: end})
		if s.Start < s.End {
			return s, end + 1
		}
		i = end + 1
	}
	return s, -1
}

// nextURIToken returns the next token that is surely a URI.
func nextURIToken(b []byte, i int) (s text.Span, next int) {
	for s, i = nextToken(b, i); i >= 0 && !isURI(b[s.Start:s.End]); s, i = nextToken(b, i) {
	}
	return s, i
}

// isURI reports whether a token is surely a URI. Other tokens are names, such as next or dc:title.
func isURI(t []byte) bool {
	return bytes.Contains(t, []byte("://")) || text.HasPrefixFold(t, "urn:")
}

// nextNamedURI returns the value of the next item name=value whose name contains "uri", as in the
// pinned site metadata of msapplication-task.
func nextNamedURI(b []byte, i int) (name []byte, s text.Span, next int) {
	for s, i = nextItem(b, i, ';'); i >= 0; s, i = nextItem(b, i, ';') {
		n := bytes.IndexByte(b[s.Start:s.End], '=')
		if n < 0 {
			continue
		}
		name = bytes.TrimSpace(b[s.Start : s.Start+n])
		if text.IndexFold(name, "uri") >= 0 {
			return name, text.Trimmed(b, text.Span{Start: s.Start + n + 1, End: s.End}), i
		}
	}
	return nil, s, -1
}

// nextQuotedURL returns the next string in double quotes that is a URL.
func nextQuotedURL(b []byte, i int) (s text.Span, next int) {
	for {
		start := bytes.IndexByte(b[i:], '"')
		if start < 0 {
			return s, -1
		}
		start += i + 1
		n := bytes.IndexByte(b[start:], '"')
		if n < 0 {
			return s, -1
		}
		i = start + n + 1
		if bytes.Contains(b[start:start+n], []byte("://")) {
			return text.Span{Start: start, End: start + n}, i
		}
	}
}

// nextReportURI returns the next address to which content security policies send reports (Content
// Security Policy Level 3 section 6.5.1). A comma ends a policy. i is 0, or the offset after an
// address.
func nextReportURI(b []byte, i int) (s text.Span, next int) {
	if i > 0 {
		s, next = reportAddress(b, i)
		if next >= 0 {
			return s, next
		}
		i = directiveEnd(b, i)
	}
	for ; i < len(b); i = directiveEnd(b, i) {
		i = text.SkipBlank(b, i)
		if !text.HasPrefixFold(b[i:], "report-uri") {
			continue
		}
		s, next = reportAddress(b, i+len("report-uri"))
		if next >= 0 {
			return s, next
		}
	}
	return s, -1
}

// directiveEnd returns the offset after the directive around i.
func directiveEnd(b []byte, i int) int {
	n := bytes.IndexAny(b[i:], ";,")
	if n < 0 {
		return len(b)
	}
	return i + n + 1
}

// reportAddress returns the address after white space at i. next is -1 if the directive or the
// policy ends there.
func reportAddress(b []byte, i int) (s text.Span, next int) {
	s.Start = text.SkipBlank(b, i)
	if s.Start == i {
		return s, -1
	}
	for s.End = s.Start; s.End < len(b) && !ascii.Space.Has(b[s.End]) && b[s.End] != ',' && b[s.End] != ';'; s.End++ {
	}
	if s.Start == s.End {
		return s, -1
	}
	return s, s.End
}
