package json

import "bytes"

// A script is not parsed. Literals looks at each quote and slash, and decides by the byte before it
// what begins there. It misreads these constructs (TestMisread, TestMisjoined and TestModule have
// an example of each):
//
//   - A regular expression after a keyword or a ')' counts as a division: return /'/. A quote in it
//     then begins a string.
//   - A division after a '}', "++" or "--" counts as a regular expression if another slash follows
//     in its line: i++ / 2 + 'a' / 3. Strings between the slashes are missed.
//   - A template literal ends at the first backtick, even in a substitution: `a${`b`}c`. Strings in
//     a substitution are not found.
//   - In a regular expression, a class ends at its first ']', even if it contains classes (flag v).
//   - A string in quotes that contains an escaped CRLF is not found.
//   - The comments "<!--" and "-->" count as code.
//   - A '+' after a keyword, '}', '-', '>' or '/' joins strings, even if it is a sign: return +'5'.
//   - Inside of more than 32 open brackets, the kind of the brackets is unknown. Then a '+' next to
//     brackets, or concat before them, does not join the strings in them, and import before them
//     does not make a string the name of a module.
//
// A misread ' or " has an effect up to the end of its line. After a misread or unclosed backtick,
// the rest of the script may be misread.

// Literals yields the string literals of a script, including template literals. The zero value is
// ready for Reset.
type Literals struct {
	// The literal that Next found last.
	Start, End   int  // the content, without quotes
	Escaped      bool // it contains escapes: see AppendUnescaped
	SlashUnsafe  bool // a new '/' in it may turn a division before it into a regular expression: see readRegexp
	Joined       bool // a '+' or concat joins it with another string
	Module       bool // it names a module: it follows import or from, or is in an importGroup
	Substitution int  // start of the first ${ of a template literal, or -1

	data []byte
	pos  int
	// last is the last byte before pos that is not in white space or a comment, or 0. It may also
	// be doublePlus or signPlus. lastEnd is the offset after it, and secondLast the byte before it.
	// After a literal, last is its quote, but lastEnd and secondLast are for its opening quote.
	last       byte
	lastEnd    int
	secondLast byte
	regexpFrom int    // regular expressions begin only from this offset on
	groups     groups // the open brackets around pos
}

// Reset makes l scan a script, which it keeps until the next Reset.
func (l *Literals) Reset(script []byte) { *l = Literals{data: script} }

// Next finds the next literal. It returns false if there is none.
func (l *Literals) Next() bool {
	for l.pos < len(l.data) {
		c := l.data[l.pos]
		l.pos++
		switch {
		case c == '"' || c == '\'' || c == '`':
			joined := l.joinedBefore() || l.groups.inJoined()
			module := l.namesModule(c)
			l.setLast(c)
			if l.readLiteral(c) {
				l.Joined = joined || l.joinedAfter()
				l.Module = module
				return true
			}
		case c == '/':
			l.readSlash()
		case c == '+':
			l.readPlus()
		case c > ' ':
			l.trackBracket(c)
			l.setLast(c)
		}
	}
	return false
}

// setLast makes c, which ends at l.pos, the last byte.
func (l *Literals) setLast(c byte) {
	l.secondLast = l.last
	l.last = c
	l.lastEnd = l.pos
}

// doublePlus and signPlus are values of last: for "++", and for a '+' that is a sign.
const (
	doublePlus = 1
	signPlus   = 2
)

// readPlus reads the '+' before l.pos. It joins the operands around it, unless it belongs to "++"
// or is a sign, as in x = +'5'.
func (l *Literals) readPlus() {
	adjacent := l.pos >= 2 && l.data[l.pos-2] == '+'
	switch {
	case adjacent && (l.last == '+' || l.last == signPlus):
		l.last = doublePlus
	case l.last == 0 || bytes.IndexByte(beforeSign, l.last) >= 0:
		l.setLast(signPlus)
	default:
		l.setLast('+')
	}
}

// beforeSign are the bytes after which a '+' is a sign.
var beforeSign = []byte("(,=:[!&|?{;*%^~<+\x02")

// readLiteral reads the literal whose content begins at l.pos. If no quote ends it, readLiteral
// returns false. Then it skips the line, or the rest of the script if the quote is a backtick.
func (l *Literals) readLiteral(quote byte) bool {
	start := l.pos
	escaped := false
	substitution := -1
	for i := start; i < len(l.data); i++ {
		switch c := l.data[i]; {
		case c == '\\':
			escaped = true
			i++
		case c == quote:
			l.Start = start
			l.End = i
			l.Escaped = escaped
			l.SlashUnsafe = start < l.regexpFrom
			l.Substitution = substitution
			l.pos = i + 1
			return true
		case c == '$' && quote == '`' && substitution < 0 && i+1 < len(l.data) && l.data[i+1] == '{':
			substitution = i
		case c == '\n' && quote != '`':
			l.pos = i + 1
			return false
		}
	}
	l.pos = len(l.data)
	return false
}

// trackBracket updates the open brackets if c is a bracket.
func (l *Literals) trackBracket(c byte) {
	switch c {
	case '(':
		l.groups.push(l.roundGroup())
	case '[', '{':
		l.groups.push(otherGroup)
	case ')', ']', '}':
		l.groups.pop()
	}
}

// roundGroup returns the kind of the group that the round bracket before l.pos opens.
func (l *Literals) roundGroup() groupKind {
	switch {
	case l.joinedBefore():
		return joinedGroup
	case isNameByte(l.last):
		return nameGroup(l.data[:l.lastEnd])
	case l.last == ')' || l.last == ']':
		return otherGroup // arguments
	case l.last == '(' && l.groups.inJoined():
		return joinedGroup
	}
	return operandGroup
}

// namesModule reports whether the literal after the quote before l.pos names a module. In import()
// it may be in round brackets.
func (l *Literals) namesModule(quote byte) bool {
	n := 0
	for l.groups.kindOf(n) == operandGroup {
		n++
	}
	if l.groups.kindOf(n) == importGroup {
		return true
	}
	if quote == '`' || !isNameByte(l.last) {
		return false
	}
	name, _ := lastName(l.data[:l.lastEnd])
	return name == "import" || name == "from"
}

// joinedBefore reports whether a '+' or "+=" joins the operand at l.pos with the text before it.
func (l *Literals) joinedBefore() bool {
	return l.last == '+' || l.last == '=' && l.secondLast == '+'
}

// joinedAfter reports whether a '+' or concat joins the literal that ends before l.pos with the
// text after it. The literal may be in round brackets.
func (l *Literals) joinedAfter() bool {
	i := skipBlanks(l.data, l.pos)
	for n := 0; l.groups.kindOf(n) == operandGroup && i < len(l.data) && l.data[i] == ')'; n++ {
		i = skipBlanks(l.data, i+1)
	}
	rest := l.data[i:]
	if args, ok := bytes.CutPrefix(rest, []byte(".concat")); ok {
		args = args[skipBlanks(args, 0):]
		return len(args) > 0 && args[0] == '('
	}
	return len(rest) > 0 && rest[0] == '+' && !bytes.HasPrefix(rest, []byte("++"))
}

// beforeRegexp are the bytes after which a slash begins a regular expression. An operand must
// follow these bytes. Names, numbers, strings, ')' and ']' end an operand, so a slash after them
// divides.
var beforeRegexp = []byte("(,=:[!&|?{};+-*%~^<>\x01\x02")

// readSlash reads the token that begins with the '/' before l.pos: a comment, a regular expression
// or a division sign.
func (l *Literals) readSlash() {
	rest := l.data[l.pos:]
	switch {
	case len(rest) > 0 && rest[0] == '/':
		l.skipComment("\n")
	case len(rest) > 0 && rest[0] == '*':
		l.skipComment("*/")
	case l.pos >= l.regexpFrom && (l.last == 0 || bytes.IndexByte(beforeRegexp, l.last) >= 0 || l.afterSpread()):
		l.setLast('/')
		l.readRegexp()
	default:
		l.setLast('/')
	}
}

// afterSpread reports whether "..." precedes l.pos. An operand must follow it, so a slash begins a
// regular expression there. Two dots are enough to tell it from a number that ends with a dot.
func (l *Literals) afterSpread() bool { return l.last == '.' && l.secondLast == '.' }

// skipComment skips a comment that ends with end. l.pos is at its second byte.
func (l *Literals) skipComment(end string) {
	l.pos++
	n := bytes.Index(l.data[l.pos:], []byte(end))
	if n < 0 {
		l.pos = len(l.data)
		return
	}
	l.pos += n + len(end)
}

// readRegexp reads the regular expression whose content begins at l.pos. If its line has no slash
// that ends it, the slash before l.pos is a division sign, as in
//
//	a = {} / b + 'c'
//
// Then no regular expression begins in the rest of the line. The strings there are SlashUnsafe: if
// 'c' became 'http://c', its first slash would end a regular expression.
func (l *Literals) readRegexp() {
	inClass := false
	for i := l.pos; i < len(l.data); i++ {
		switch c := l.data[i]; {
		case c == '\n':
			l.regexpFrom = i
			return
		case c == '\\' && i+1 < len(l.data) && l.data[i+1] != '\n':
			i++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			l.pos = i + 1
			return
		}
	}
	l.regexpFrom = len(l.data)
}
