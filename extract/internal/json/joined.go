package json

import "bytes"

// Scripts build URLs from pieces, as in h + "/api" or "/a".concat(b). The base of a piece alone is
// unknown. So a string is marked as Joined if a '+' joins it, or the round brackets that contain
// it, with a text before or after. Strings in the brackets of concat are also Joined.

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
)

// inJoined reports whether the innermost brackets are a joinedGroup.
func (g *groups) inJoined() bool {
	return g.overflow == 0 && g.depth > 0 && g.kinds[g.depth-1] == joinedGroup
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

// isNameByte reports whether c is a byte of a name or number. A round bracket after a name holds
// arguments.
func isNameByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// blanksEnd returns the offset after the white space and comments at i.
func blanksEnd(data []byte, i int) int {
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
