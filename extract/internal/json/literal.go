package json

import "bytes"

// A script is not parsed. The bytes before a quote or a slash show whether it begins a string
// literal, a comment or a regular expression. This is right except for oddities: after an oddity, a
// string is missed or the text between two strings is taken for a string.

// Literals yields the string literals of a script, including template literals. The zero value is
// ready for Reset.
type Literals struct {
	// The literal that Next found last.
	Start, End int  // the content, without quotes
	Escaped    bool // it contains escapes: see AppendUnescaped
	Doubtful   bool // with a '/' in it, it would be the end of a regular expression
	Joined     bool // it is one of the strings that a '+' or concat joins
	Open       int  // start of the first ${ of a template literal, or -1

	data     []byte
	pos      int
	last     byte   // the last byte that is not white space, or 0 at the start
	before   byte   // the byte before last
	noRegexp int    // no regular expression begins before this offset
	groups   groups // open brackets around pos
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
			joined := l.joinsNext() || l.groups.joined()
			l.pass(c)
			if l.literal(c) {
				l.Joined = joined || l.joinsLast()
				return true
			}
		case c == '/':
			l.slash()
		case c > ' ':
			l.bracket(c)
			l.pass(c)
		}
	}
	return false
}

// pass notes a byte that is not white space.
func (l *Literals) pass(c byte) { l.before, l.last = l.last, c }

// literal reads the literal whose content begins at l.pos, and reports whether it is a string.
func (l *Literals) literal(quote byte) bool {
	l.Start = l.pos
	l.Escaped = false
	l.Doubtful = l.pos < l.noRegexp
	l.Open = -1
	for i := l.pos; i < len(l.data); i++ {
		switch c := l.data[i]; {
		case c == '\\':
			l.Escaped = true
			i++
		case c == quote:
			l.End = i
			l.pos = i + 1
			return true
		case c == '$' && quote == '`' && l.Open < 0 && i+1 < len(l.data) && l.data[i+1] == '{':
			l.Open = i
		case c == '\n' && quote != '`':
			l.pos = i + 1
			return false
		}
	}
	l.pos = len(l.data)
	return false
}

// bracket notes a byte of the script that may open or close brackets.
func (l *Literals) bracket(c byte) {
	switch c {
	case '(':
		l.groups.push(l.opens())
	case '[', '{':
		l.groups.push(other)
	case ')', ']', '}':
		l.groups.pop()
	}
}

// opens returns the kind of the round bracket before l.pos.
func (l *Literals) opens() group {
	switch {
	case l.joinsNext(), bytes.HasSuffix(l.data[:l.pos-1], []byte(".concat")):
		return joined
	case isWord(l.last) || l.last == ')' || l.last == ']':
		return other
	case l.last == '(' && l.groups.joined():
		return joined
	}
	return operand
}

// joinsNext reports whether a '+' or "+=" joins the operand at l.pos with the text before it.
func (l *Literals) joinsNext() bool {
	return l.last == '+' || l.last == '=' && l.before == '+'
}

// joinsLast reports whether the literal that ends before l.pos is joined with the text after it.
func (l *Literals) joinsLast() bool {
	i := blanksEnd(l.data, l.pos)
	for depth := l.groups.depth; i < len(l.data) && l.data[i] == ')' &&
		depth > 0 && l.groups.open[depth-1] == operand; depth-- {
		i = blanksEnd(l.data, i+1)
	}
	rest := l.data[i:]
	return len(rest) > 0 && rest[0] == '+' || bytes.HasPrefix(rest, []byte(".concat("))
}

// slash reads the token that begins with the '/' before l.pos: a comment, a regular expression or a
// division sign.
func (l *Literals) slash() {
	rest := l.data[l.pos:]
	switch {
	case len(rest) > 0 && rest[0] == '/':
		l.skip(rest, "\n", 0)
	case len(rest) > 0 && rest[0] == '*':
		l.skip(rest, "*/", 1)
	case l.pos < l.noRegexp:
		l.pass('/')
	case l.last == 0 || bytes.IndexByte([]byte("(,=:[!&|?{};+-*%~^<>"), l.last) >= 0:
		l.expression()
	default:
		l.pass('/')
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
	l.pass('/')
	class := false
	for i := l.pos; i < len(l.data); i++ {
		switch c := l.data[i]; {
		case c == '\n':
			l.noRegexp = i
			return // a division sign after all
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
	l.noRegexp = len(l.data)
}
