package prose

import (
	"strings"

	"absolink/resolve/ascii"
)

// Some characters that a URI may contain, such as the comma, often come directly after a URI. A
// bare URI ends before such a character in these places:
//
//   - at a comma or semicolon before a known scheme, as in a list
//   - at [/, a closing tag of a forum
//   - at a character reference of a delimiter, as in &lt;http://h/&gt; (GitHub's Markdown 6.9)
//   - at the apostrophe that closes a string
//   - at a comma, in the fields of a table (RFC 4180 Section 2)
//
// If the end is doubtful, the URI is marked: another URI begins within it, a bracket stays open, or
// a template or an escape follows.

// delimiters are the character references of delimiters and blanks.
var delimiters = [...]string{"&lt;", "&gt;", "&quot;", "&nbsp;", "&apos;", "&#34;", "&#39;", "&#x27;", "&#60;", "&#62;"}

// endsBefore reports whether a bare URI ends before s[i], a character that a URI may contain. end
// is i, or less if characters before i do not belong to the URI either. doubt means that the
// decision is uncertain.
func (f *finder) endsBefore(s string, i, first int) (end int, ends, doubt bool) {
	switch s[i] {
	case ',':
		return i, f.fields, false
	case '[':
		return i, strings.HasPrefix(s[i:], "[/"), strings.HasPrefix(s[i:], "[[")
	case '\'':
		return i, f.quoted && (i+1 == len(s) || !ascii.Alnum.Has(s[i+1])), f.quoted
	case '&':
		for _, d := range delimiters {
			if strings.HasPrefix(s[i:], d) {
				return i, true, false
			}
		}
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			return f.endsBeforeURI(s, i, first)
		}
	}
	return i, false, false
}

// endsBeforeURI is endsBefore for the colon of "://".
func (f *finder) endsBeforeURI(s string, i, first int) (end int, ends, doubt bool) {
	start := i
	for start > first && inScheme[s[start-1]] {
		start--
	}
	word := s[start:i]
	cut := wordBefore(s[start:])
	known := false
	for _, scheme := range glued {
		known = known || equalFold(word[cut:], scheme)
	}
	end = start
	if end > first && s[end-1] == '\'' {
		end--
	}
	switch {
	case !known || start == first:
		return i, false, false
	case cut > 0:
		return i, false, true
	case end > first && (s[end-1] == ',' || s[end-1] == ';'):
		return end - 1, true, false
	}
	// After these characters, the second URI is a part of the first, as in http://h/?u=http://h/.
	return i, false, strings.IndexByte("/=?#&:_", s[start-1]) < 0
}

// maySplit is for the text s after a URI, at a character that no URI contains. It reports whether a
// template or an escape may begin there. The URI may then go on after it.
func maySplit(s string) bool {
	next := byte(' ')
	if len(s) > 1 {
		next = s[1]
	}
	switch s[0] {
	case '{', '^':
		return true
	case '\\':
		return next != '"' && next != '\''
	case '<':
		return next == '%' || next == '?'
	case '|': // "http://h/|user|/x" goes on, "http://h/a|http://h/b" is two URIs
		if !ascii.Alnum.Has(next) && next != '*' && next != '%' {
			return false
		}
		n := wordLen(s[1:])
		return !strings.HasPrefix(s[1+n:], "://")
	}
	return false
}

// emphasis are the marks around a word that is emphasised.
const emphasis = "*_~"

// withoutMarks returns the length of a bare URI. If a mark of emphasis is before the URI, and the
// same mark at its end, as in *http://h/*, withoutMarks leaves out the mark, and marked is true.
func (f *finder) withoutMarks(start, end int) (n int, marked bool) {
	n = end - start
	if start == 0 || strings.IndexByte(emphasis, f.text[start-1]) < 0 {
		return n, false
	}
	for n > 1 && f.text[start+n-1] == f.text[start-1] {
		n--
		marked = true
	}
	return n, marked
}
