package json

import "bytes"

// A script is not parsed. Its string literals are told from comments and regular
// expressions by what stands before them, which is right but for oddities; after one
// a string is missed, or what stands between two strings is taken for one.

// Literals yields the string literals of a script, template literals without
// substitutions among them. The zero value is ready for Reset.
type Literals struct {
	// What Next found last.
	Start, End int  // the content, without quotes
	Escaped    bool // it holds escapes: see AppendUnescaped
	Doubtful   bool // if it had a '/' in it, it would be the end of a regular expression

	data []byte
	pos  int
	last byte // the last byte that is not white space; 0 at the start
	none int  // no regular expression begins before this offset
}

// Reset makes l scan a script, which it keeps until the next Reset.
func (l *Literals) Reset(script []byte) { *l = Literals{data: script} }

// Next finds the next literal and reports whether there is one.
func (l *Literals) Next() bool {
	for l.pos < len(l.data) {
		c := l.data[l.pos]
		l.pos++
		switch {
		case c == '"' || c == '\'' || c == '`':
			l.last = c
			if l.literal(c) {
				return true
			}
		case c == '/':
			l.slash()
		case c > ' ':
			l.last = c
		}
	}
	return false
}

// literal reads the literal whose content begins at l.pos, and reports whether it is
// a string.
func (l *Literals) literal(quote byte) bool {
	l.Start, l.Escaped, l.Doubtful = l.pos, false, l.pos < l.none
	for i := l.pos; i < len(l.data); i++ {
		switch c := l.data[i]; {
		case c == '\\':
			l.Escaped = true
			i++
		case c == quote:
			l.End, l.pos = i, i+1
			return quote != '`' || !bytes.Contains(l.data[l.Start:i], []byte("${"))
		case c == '\n' && quote != '`':
			l.pos = i + 1
			return false
		}
	}
	l.pos = len(l.data)
	return false
}

// slash reads what begins with the '/' before l.pos: a comment, a regular
// expression or the sign alone.
func (l *Literals) slash() {
	rest := l.data[l.pos:]
	switch {
	case len(rest) > 0 && rest[0] == '/':
		l.skip(rest, "\n", 0)
	case len(rest) > 0 && rest[0] == '*':
		l.skip(rest, "*/", 1)
	case l.pos < l.none:
		l.last = '/'
	case l.last == 0 || bytes.IndexByte([]byte("(,=:[!&|?{};+-*%~^<>"), l.last) >= 0:
		l.expression()
	default:
		l.last = '/'
	}
}

func (l *Literals) skip(rest []byte, end string, from int) {
	n := bytes.Index(rest[min(from, len(rest)):], []byte(end))
	if n < 0 {
		l.pos = len(l.data)
		return
	}
	l.pos += from + n + len(end)
}

// expression reads a regular expression, which ends in its line.
func (l *Literals) expression() {
	l.last = '/'
	class := false
	for i := l.pos; i < len(l.data); i++ {
		switch c := l.data[i]; {
		case c == '\n':
			l.none = i
			return // a sign after all
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.pos = i + 1
			return
		}
	}
	l.none = len(l.data)
}
