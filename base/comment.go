package base

import "strings"

// A header field may have comments (RFC 5322 Section 3.2.2, RFC 2557 Section 4.1), but a URI may
// also contain parentheses. A parenthesis after a URI begins a comment if white space on the same
// line separates the two. White space at a fold does not separate them, because a long URI may be
// folded anywhere. There are two exceptions. Any parenthesis after a URI in quotes or angle
// brackets begins a comment. After a fold, a parenthesis also begins a comment if the line before
// ends with an encoded word or with another comment.

// withoutComments returns value with a blank in place of each byte of its comments. value must be
// folded as in the message.
func withoutComments(value string) string {
	if strings.IndexByte(value, '(') < 0 {
		return value
	}
	b := []byte(value)
	uriStarted := false     // the URI began before i
	uriOnLine := false      // a part of the URI is on the line of i, before i
	uriEnded := false       // a parenthesis at i is not part of the URI, even after a fold
	mayBeginComment := true // a comment may begin at i
	lastQuote, lastBracket := strings.LastIndexByte(value, '"'), strings.LastIndexByte(value, '>')
	for i := 0; i < len(value); {
		n := 1
		switch c := value[i]; {
		case c == '\r' || c == '\n':
			uriEnded = uriEnded || uriOnLine && isEncodedWord(lastWord(value[:i]))
			uriOnLine = false
			mayBeginComment = !uriStarted || uriEnded
		case c == ' ' || c == '\t':
			mayBeginComment = mayBeginComment || uriOnLine
		case c == '<' && i < lastBracket:
			n = strings.IndexByte(value[i:], '>') + 1
			uriStarted, uriOnLine, uriEnded, mayBeginComment = true, true, true, true
		case c == '"' && i < lastQuote:
			n = strings.IndexByte(value[i+1:], '"') + 2
			uriStarted, uriOnLine, uriEnded, mayBeginComment = true, true, true, true
		case c == '(' && mayBeginComment:
			n = commentLen(value[i:])
			if n == 0 {
				return string(b)
			}
			if mayEndComment(value[i+n:], uriStarted) {
				for k := i; k < i+n; k++ {
					b[k] = ' '
				}
				uriEnded = uriStarted
			} // otherwise the next byte belongs to the URI
		default:
			uriStarted, uriOnLine, uriEnded, mayBeginComment = true, true, false, false
		}
		i += n
	}
	return string(b)
}

// lastWord returns the last word of s. White space separates words.
func lastWord(s string) string {
	s = strings.TrimRight(s, " \t\r\n")
	return s[strings.LastIndexAny(s, " \t\r\n")+1:]
}

// mayEndComment reports whether a comment may end before rest. This is so if rest is empty, or
// begins with white space or another comment. If the URI has not started, rest may also begin with
// a quote or an angle bracket, which opens the URI.
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
// returns 0 if s does not begin with a comment, or if the comment has no end. A comment may contain
// comments. A backslash quotes the next character.
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
