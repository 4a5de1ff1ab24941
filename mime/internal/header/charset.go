package header

import "strings"

// Charset returns the charset that an unfolded Content-Type names, as written, or an empty string.
// Comments may stand anywhere in the field (RFC 5322 Section 3.2.2). A name after a colon, or
// without the semicolon before it, counts too: text that is read in the wrong charset becomes
// garbage.
func Charset(value string) string {
	value = withoutComments(value)
	name := Param(value, "charset")
	if name == "" {
		name = looseCharset(value)
	}
	if strings.Contains(name, "=?") {
		name = Words(name)
	}
	for indexFold(name, again) == 0 {
		name = name[len(again):]
	}
	return name
}

// again is a prefix that some programs repeat in the value.
const again = "charset="

// withoutComments returns value with a blank in place of each comment. If a parenthesis is not
// closed, it and the text after it stay.
func withoutComments(value string) string {
	if strings.IndexByte(value, '(') < 0 {
		return value
	}
	var b strings.Builder
	quoted := false
	depth, start := 0, 0 // of the comments around i, and the start of the outermost one
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case c == '\\' && (quoted || depth > 0) && i+1 < len(value):
			i++
			if quoted {
				b.WriteString(value[i-1 : i+1])
			}
		case c == '(' && !quoted:
			if depth == 0 {
				start = i
			}
			depth++
		case depth == 0:
			if c == '"' {
				quoted = !quoted
			}
			b.WriteByte(c)
		case c == ')':
			depth--
			if depth == 0 {
				b.WriteByte(' ')
			}
		}
	}
	if depth > 0 {
		b.WriteString(value[start:])
	}
	return b.String()
}

// looseCharset returns the text after the word charset and "=" or ":", outside of quoted strings,
// or an empty string.
func looseCharset(value string) string {
	value = withoutQuoted(value)
	for {
		i := indexFold(value, "charset")
		if i < 0 {
			return ""
		}
		value = strings.TrimLeft(value[i+len("charset"):], " \t")
		if value == "" || value[0] != '=' && value[0] != ':' {
			continue
		}
		name := strings.TrimLeft(value[1:], " \t")
		if end := strings.IndexAny(name, "; \t,"); end >= 0 {
			name = name[:end]
		}
		if name != "" {
			return name
		}
	}
}

// withoutQuoted returns value without quoted text, unless the text follows a colon. If a quote is
// not closed, only the quote itself is removed.
func withoutQuoted(value string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(value, `"`)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		inside, after, closed := strings.Cut(rest, `"`)
		switch {
		case !closed:
			value = rest
		default:
			if name := strings.TrimRight(before, " \t"); strings.HasSuffix(name, ":") {
				b.WriteString(inside)
			}
			value = after
		}
	}
}

// indexFold returns the offset of name in s, or -1. name is in lower case; s may have any case.
func indexFold(s, name string) int {
	for i := 0; i+len(name) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(name)], name) {
			return i
		}
	}
	return -1
}
