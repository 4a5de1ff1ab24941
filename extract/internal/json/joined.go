package json

import (
	"bytes"
	"slices"
)

// Scripts build URLs from pieces, as in h + "/api" or "/a".concat(b). A piece alone cannot be
// resolved. So a string is marked as Joined if a '+' joins it with a text before or after it. The
// same holds if a '+' joins the round brackets around it. Strings in the brackets of concat are
// also Joined.

// groups are the open brackets, with the innermost last.
type groups struct {
	kinds    [maxGroups]groupKind
	depth    int
	overflow int // number of open brackets beyond maxGroups
}

// maxGroups is the number of open brackets whose kind is known.
const maxGroups = 32

// groupKind is the role of a pair of brackets.
type groupKind uint8

const (
	otherGroup   groupKind = iota // arguments, an index, a block
	operandGroup                  // round brackets around an operand
	joinedGroup                   // round brackets whose strings are joined: of concat, or after a '+'
	importGroup                   // round brackets whose strings name modules: of import or import.meta.resolve
)

// inJoined reports whether the innermost brackets are a joinedGroup.
func (g *groups) inJoined() bool {
	return g.kindOf(0) == joinedGroup
}

// kindOf returns the kind of an open bracket; n is 0 for the innermost one. It returns otherGroup
// for a bracket that is not known.
func (g *groups) kindOf(n int) groupKind {
	if g.overflow > 0 || n < 0 || n >= g.depth {
		return otherGroup
	}
	return g.kinds[g.depth-1-n]
}

// push adds an open bracket.
func (g *groups) push(kind groupKind) {
	if g.depth == maxGroups {
		g.overflow++
		return
	}
	g.kinds[g.depth] = kind
	g.depth++
}

// pop removes the innermost bracket, if there is one.
func (g *groups) pop() {
	switch {
	case g.overflow > 0:
		g.overflow--
	case g.depth > 0:
		g.depth--
	}
}

// nameGroup returns the kind of the group that opens after text. text ends with a name. If the name
// is none of those below, the group has arguments.
func nameGroup(text []byte) groupKind {
	name, isMember := lastName(text)
	switch {
	case bytes.HasSuffix(text, []byte("import.meta.resolve")):
		return importGroup
	case isMember && name == "concat":
		return joinedGroup
	case !isMember && name == "import":
		return importGroup
	case !isMember && slices.Contains(keywords, name):
		return operandGroup
	}
	return otherGroup
}

// lastName returns the name that ends text. If the name is longer than any keyword, lastName
// returns only its end. isMember reports whether the name follows a dot.
func lastName(text []byte) (name string, isMember bool) {
	start := len(text)
	for start > 0 && start > len(text)-longestKeyword-1 && isNameByte(text[start-1]) {
		start--
	}
	return string(text[start:]), bytes.HasSuffix(text[:start], []byte("."))
}

// keywords are the keywords after which an operand follows. They cannot be names of functions, so
// round brackets after them do not contain arguments.
var keywords = []string{"return", "throw", "case", "typeof", "void", "delete", "in", "instanceof", "else", "do"}

const longestKeyword = len("instanceof")

// isNameByte reports whether c is a byte of a name or number.
func isNameByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// skipBlanks returns the offset after the white space and comments at i.
func skipBlanks(data []byte, i int) int {
	for i < len(data) {
		rest := data[i:]
		switch {
		case rest[0] <= ' ':
			i++
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				return len(data)
			}
			i += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return len(data)
			}
			i += 2 + n + 2
		default:
			return i
		}
	}
	return i
}
