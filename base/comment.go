package base

import "strings"

// A header field may have comments in parentheses (RFC 5322 Section 3.2.2, RFC 2557 Section 4.1),
// but a URI may also contain parentheses. A parenthesis before the URI may begin a comment. A
// parenthesis after the start of the URI may begin a comment in three cases:
//
//   - White space on the same line separates it from the URI. White space at a fold is not enough,
//     because a long URI may be folded anywhere.
//   - The URI is in quotes or angle brackets, and the parenthesis comes after them.
//   - It comes after a fold, and the line before ends with an encoded word or with another comment.
//
// In all these cases mayEndComment must also allow the text after the closing parenthesis.
// Otherwise the parentheses belong to the URI.

// withoutComments returns value with a blank in place of each byte of its comments. value must
// still have the folding of the message.
func withoutComments(value string) string {
	if strings.IndexByte(value, '(') < 0 {
		return value
	}
	b := []byte(value)
	uriStarted := false     // the URI begins before i
	uriOnLine := false      // the line of i has a part of the URI before i
	uriEnded := false       // the URI is complete: a parenthesis may begin a comment, even after a fold
	mayBeginComment := true // a parenthesis at i may begin a comment
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
			} // otherwise the next byte belongs to the URI, and sets uriStarted
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

// mayEndComment reports whether a comment may end before rest. This is true if rest is empty, or
// begins with white space or another comment. Before the URI it is also true if rest begins with a
// quote or an angle bracket, because the URI may begin there.
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
// comments. A parenthesis after a backslash does not count.
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
