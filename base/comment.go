package base

import "strings"

// A field of MIME may have comments (RFC 5322 Section 3.2.2, RFC 2557 Section 4.1), but parentheses
// may also be part of a URI. A parenthesis after a URI begins a comment if white space on the same
// line separates it from the URI, or if the URI is in quotes or angle brackets. White space at a
// fold does not count, because a long URI may be folded anywhere.

// withoutComments returns value with a blank in place of each byte of its comments. value must be
// folded as in the message.
func withoutComments(value string) string {
	if strings.IndexByte(value, '(') < 0 {
		return value
	}
	b := []byte(value)
	uriStarted := false     // the URI began before i
	uriOnLine := false      // a part of the URI is on the line of i, before i
	mayBeginComment := true // a comment may begin at i
	lastQuote, lastBracket := strings.LastIndexByte(value, '"'), strings.LastIndexByte(value, '>')
	for i := 0; i < len(value); {
		n := 1
		switch c := value[i]; {
		case c == '\r' || c == '\n':
			uriOnLine, mayBeginComment = false, !uriStarted
		case c == ' ' || c == '\t':
			mayBeginComment = mayBeginComment || uriOnLine
		case c == '<' && i < lastBracket:
			n = strings.IndexByte(value[i:], '>') + 1
			uriStarted, uriOnLine, mayBeginComment = true, true, true
		case c == '"' && i < lastQuote:
			n = strings.IndexByte(value[i+1:], '"') + 2
			uriStarted, uriOnLine, mayBeginComment = true, true, true
		case c == '(' && mayBeginComment:
			n = commentLen(value[i:])
			if n == 0 {
				return string(b)
			}
			if mayEndComment(value[i+n:], uriStarted) {
				for k := i; k < i+n; k++ {
					b[k] = ' '
				}
			} // otherwise the next byte belongs to the URI
		default:
			uriStarted, uriOnLine, mayBeginComment = true, true, false
		}
		i += n
	}
	return string(b)
}

// mayEndComment reports whether a comment may end before rest: rest is empty, or begins with white
// space or a comment. If the URI has not started, rest may also begin with the quote or angle
// bracket before the URI.
func mayEndComment(rest string, uriStarted bool) bool {
	if rest == "" {
		return true
	}
	switch rest[0] {
	case ' ', '\t', '\r', '\n', '(':
		return true
	case '<', '"':
		return !uriStarted
	}
	return false
}

// commentLen returns the length of the comment at the start of s (RFC 5322 Section 3.2.2). It
// returns 0 if s does not begin with a comment, or if the comment has no end. Comments may be
// nested, and a backslash quotes the next character.
func commentLen(s string) int {
	if !strings.HasPrefix(s, "(") {
		return 0
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '\\':
			i++
		}
		if depth == 0 {
			return i + 1
		}
	}
	return 0
}
