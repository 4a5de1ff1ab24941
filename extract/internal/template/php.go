package template

import (
	"bytes"

	"absolink/resolve/ascii"
)

// PHP code ends at "?>", but not in a string, a heredoc or a comment of several lines (PHP manual,
// "Basic syntax"). In a comment of one line "?>" does end the code.

// phpEnd returns the end of the PHP code that begins at data[i], after its opening tag. If the code
// is not closed, the end is the length of data.
func phpEnd(data []byte, i int) (end int, closed bool) {
	for i < len(data) {
		c := data[i]
		rest := data[i:]
		switch {
		case c == '?' && bytes.HasPrefix(rest, phpClose):
			return i + len(phpClose), true
		case c == '\'' || c == '"' || c == '`':
			i = phpString(data, i)
		case c == '#' && !bytes.HasPrefix(rest, []byte("#[")), bytes.HasPrefix(rest, []byte("//")):
			i = phpLine(data, i)
		case bytes.HasPrefix(rest, []byte("/*")):
			i = phpBehind(data, i+2, "*/")
		case bytes.HasPrefix(rest, []byte("<<<")):
			i = phpHeredoc(data, i+3)
		default:
			i++
		}
	}
	return len(data), false
}

var phpClose = []byte("?>")

// phpBehind returns the offset after the next mark at or after i, or the length of data.
func phpBehind(data []byte, i int, mark string) int {
	if i >= len(data) {
		return len(data)
	}
	n := bytes.Index(data[i:], []byte(mark))
	if n < 0 {
		return len(data)
	}
	return i + n + len(mark)
}

// phpString returns the offset after the string whose quote is data[i].
func phpString(data []byte, i int) int {
	quote := data[i]
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return len(data)
}

// phpLine returns the end of the comment of one line at i.
func phpLine(data []byte, i int) int {
	end := len(data)
	if n := bytes.IndexAny(data[i:], "\r\n"); n >= 0 {
		end = i + n
	}
	if n := bytes.Index(data[i:end], phpClose); n >= 0 {
		end = i + n
	}
	return end
}

// phpHeredoc returns the offset after the heredoc or nowdoc whose label begins at i, after the
// "<<<". It returns i if the label is invalid. The last line begins with the label, perhaps after
// white space.
func phpHeredoc(data []byte, i int) int {
	start := i
	for start < len(data) && (data[start] == ' ' || data[start] == '\t') {
		start++
	}
	quoted := start < len(data) && (data[start] == '\'' || data[start] == '"')
	if quoted {
		start++
	}
	end := start
	for end < len(data) && isLabel(data[end]) {
		end++
	}
	label := data[start:end]
	if quoted {
		end++
	}
	if len(label) == 0 || end >= len(data) || data[end] != '\n' && data[end] != '\r' {
		return i
	}
	for end < len(data) {
		n := bytes.IndexByte(data[end:], '\n')
		if n < 0 {
			return len(data)
		}
		end += n + 1
		line := end
		for line < len(data) && (data[line] == ' ' || data[line] == '\t') {
			line++
		}
		if close := line + len(label); bytes.HasPrefix(data[line:], label) &&
			(close == len(data) || !isLabel(data[close])) {
			return close
		}
	}
	return len(data)
}

// isLabel reports whether c can be a byte of a label.
func isLabel(c byte) bool { return ascii.Alnum.Has(c) || c == '_' || c >= 0x80 }
